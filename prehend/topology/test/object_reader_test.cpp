#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/model/input_error.h>
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

constexpr const char* kMass =
    "<inertial><origin xyz='0 0 0'/><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";

std::string link(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + inside + "</link>";
}

std::string joint(const std::string& parent, const std::string& child, const std::string& type,
                  const std::string& xyz = "0 0 0") {
  return "<joint name='" + parent + "_" + child + "' type='" + type + "'><origin xyz='" + xyz +
         "'/><parent link='" + parent + "'/><child link='" + child + "'/></joint>";
}

std::string written(const std::string& inside) {
  const std::string path = ::testing::TempDir() + "object_reader_test.urdf";
  std::ofstream(path) << "<robot name='r'>" << inside << "</robot>";
  return path;
}

TEST(ObjectReader, FramesAndMissingMeshesAreNoHindrance) {
  const std::string mesh =
      "<collision><geometry><mesh filename='package://r/none.stl'/></geometry></collision>";
  const std::string path = written(link("root") + link("a", mesh + kMass) + link("mount") + link("b", kMass) +
                                   link("tool") + joint("root", "a", "fixed") + joint("a", "mount", "fixed") +
                                   joint("mount", "b", "floating") + joint("b", "tool", "fixed"));
  const ArticulatedObject found = read_object(path);
  ASSERT_EQ(found.links.size(), 2u);
  EXPECT_EQ(found.links[0].name, "a");
  EXPECT_EQ(found.links[1].parent, 0);
  EXPECT_EQ(found.links[1].joint, "mount_b");
  EXPECT_EQ(found.notes, std::vector<std::string>{
                             "Fixed to other links, and no links of their own: 'root', 'mount', 'tool'."});
  // A link without mass that may move is none that momentum can tell anything of.
  EXPECT_THROW(read_object(written(link("a", kMass) + link("b") + joint("a", "b", "continuous"))),
               model::InputError);
  // A mesh that the moments would come from.
  EXPECT_THROW(read_object(written(link("a", mesh + "<inertial><mass value='1'/></inertial>") +
                                   link("b", kMass) + joint("a", "b", "fixed"))),
               model::InputError);
}

TEST(ObjectReader, FixedJointsAreClosedWhereTheLogHasFewerLinks) {
  const std::string path = written(link("a", kMass) + link("b", kMass) + link("cover", kMass) +
                                   joint("a", "b", "floating") + joint("b", "cover", "fixed", "0.2 0 0"));
  EXPECT_EQ(read_object(path).links.size(), 3u);
  EXPECT_EQ(read_object(path, 3).links.size(), 3u);
  EXPECT_EQ(read_object(path, 1).links.size(), 3u);
  const ArticulatedObject found = read_object(path, 2);
  ASSERT_EQ(found.links.size(), 2u);
  // Two bodies of 2 kg, 0.2 m apart: one of 4 kg, and 2 * 2 * 0.1^2 more about the axes across.
  EXPECT_DOUBLE_EQ(found.links[1].inertia.mass, 4.0);
  EXPECT_NEAR(found.links[1].inertia.com.x(), 0.1, 1e-12);
  EXPECT_NEAR(found.links[1].inertia.I_com(0, 0), 2.0, 1e-12);
  EXPECT_NEAR(found.links[1].inertia.I_com(1, 1), 2.04, 1e-12);
}

}  // namespace
}  // namespace prehend::topology
