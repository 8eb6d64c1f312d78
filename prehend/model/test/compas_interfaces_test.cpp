// Interfaces stored in COMPAS assemblies as contacts.
#include <gtest/gtest.h>

#include <prehend/model/input_error.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scenes/scene_formats.h>

namespace prehend::model {
namespace {

std::string cube_block(double z) {
  std::string text = R"({"block":{"data":{"vertex":{)";
  const double corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int k = 0; k < 8; ++k) {
    text += (k == 0 ? "" : ",") + std::string("\"") + std::to_string(k) +
            "\":{\"x\":" + std::to_string(corners[k][0]) + ",\"y\":" + std::to_string(corners[k][1]) +
            ",\"z\":" + std::to_string(corners[k][2] + z) + "}";
  }
  return text +
         R"(},"face":{"0":[3,2,1,0],"1":[4,5,6,7],"2":[0,1,5,4],"3":[1,2,6,5],"4":[2,3,7,6],"5":[3,0,4,7]}}})";
}

// Two cubes, the upper sunk by 0.1 m, with a square stored between them, its corners in either order.
std::string two_cubes(const std::string& edges) {
  return R"({"data":{"graph":{"data":{"node":{"0":)" + cube_block(0.0) + R"(,"is_support":true},"1":)" +
         cube_block(0.9) + R"(}},"edge":)" + edges + "}}}}";
}

constexpr char kSquare[] =
    R"({"1":{"0":{"interfaces":[{"data":{"points":[[0,0,1],[1,0,1],[1,1,1],[0,1,1]]}}]}}})";
constexpr char kTurned[] =
    R"({"0":{"1":{"interfaces":[{"data":{"points":[[0,1,1],[1,1,1],[1,0,1],[0,0,1]]}}]}}})";

TEST(CompasInterfaces, AreContactsWithNormalsOutOfA) {
  for (const char* edges : {kSquare, kTurned}) {
    const std::string text = two_cubes(edges);
    const Scene scene = read_scene_text(text, SceneFormat::compas, "cubes.json");
    const SceneContacts contacts = read_compas_interfaces(text, "cubes.json", scene, {});
    ASSERT_EQ(contacts.interfaces.size(), 1u);
    const SceneInterface& i = contacts.interfaces.front();
    EXPECT_EQ(scene.bodies[i.body_a].name, "0");
    EXPECT_NEAR(i.patch.area_m2, 1.0, 1e-12);
    EXPECT_NEAR(i.patch.n_W.z(), 1.0, 1e-12) << edges;
    EXPECT_EQ(i.patch.hull.size(), 4u);
    EXPECT_TRUE(contacts.problems.empty());
    // Computed, they overlap.
    EXPECT_FALSE(find_scene_contacts(scene).penetrations.empty());
  }
}

TEST(CompasInterfaces, BadOnesAreNamed) {
  const Scene scene = read_scene_text(two_cubes(kSquare), SceneFormat::compas, "cubes.json");
  for (const char* edges : {"{}", R"({"0":{"7":{}}})", R"({"0":{"1":{"interfaces":[{"data":{}}]}}})",
                            R"({"0":{"1":{"interfaces":[{"data":{"points":[[0,1]]}}]}}})"}) {
    EXPECT_THROW(read_compas_interfaces(two_cubes(edges), "cubes.json", scene, {}), InputError) << edges;
  }
}

}  // namespace
}  // namespace prehend::model
