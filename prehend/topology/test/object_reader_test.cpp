#include <string>

#include <gtest/gtest.h>

#include <prehend/model/scene_reader.h>
#include <prehend/topology/object_reader.h>

namespace prehend::topology {
namespace {

TEST(ObjectReader, AFloatingJointHoldsItsChildToItsParent) {
  const std::string mass = "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
  const auto object = [&](const std::string& type) {
    model::SceneOptions options;
    options.merge_welded = false;
    return object_of(
        model::read_scene_text(
            "<robot name='r'><link name='a'>" + mass + "<link name='b'>" + mass + "<link name='c'>" + mass +
                "<joint name='j' type='" + type +
                "'><parent link='a'/><child link='b'/></joint><joint name='k' type='fixed'><parent "
                "link='b'/><child link='c'/></joint></robot>",
            model::SceneFormat::urdf, "r.urdf", options),
        "r.urdf");
  };
  // Joint types are ignored: the same tree, whatever the file calls its first joint.
  for (const char* type : {"fixed", "continuous", "floating"}) {
    const ArticulatedObject found = object(type);
    ASSERT_EQ(found.links.size(), 3u) << type;
    EXPECT_EQ(found.links[1].parent, 0) << type;
    EXPECT_EQ(found.links[1].joint, "j") << type;
    EXPECT_EQ(found.links[2].parent, 1) << type;
  }
}

}  // namespace
}  // namespace prehend::topology
