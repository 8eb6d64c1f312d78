#include <set>
#include <string>

#include <gtest/gtest.h>

#include <prehend/model/embedded_data.h>
#include <prehend/model/scene_reader.h>
#include <prehend/report/scene_view.h>

namespace prehend::report {
namespace {

TEST(SceneView, OutlinesOfAllContactsAreOneLayer) {
  const std::string name = "scenes/stack.xml";
  const model::Scene scene =
      model::read_scene_text(std::string(model::embedded_file(name)), model::SceneFormat::mjcf, name);
  const model::SceneContacts contacts = model::find_scene_contacts(scene);
  SceneView view = view_scene(scene);
  add_contacts(view, scene, contacts);
  std::size_t loops = 0;
  std::set<std::string> pairs, hovers;
  for (const model::SceneInterface& interface : contacts.interfaces) {
    loops += interface.patch.loops_W.size();
    if (interface.patch.loops_W.empty()) continue;
    pairs.insert(scene.bodies[interface.body_a].name + " - " + scene.bodies[interface.body_b].name);
  }
  ASSERT_GE(pairs.size(), 2u);
  ASSERT_EQ(view.scene.lines.size(), loops);
  for (const Polyline& line : view.scene.lines) {
    EXPECT_EQ(line.name, "contact outlines");
    EXPECT_TRUE(line.closed);
    hovers.insert(line.hover);
  }
  EXPECT_EQ(hovers, pairs);  // each says between which bodies it lies
}

}  // namespace
}  // namespace prehend::report
