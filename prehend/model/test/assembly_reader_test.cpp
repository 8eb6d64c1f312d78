// COMPAS assemblies and transport arrangements: known answers on the published files, and small ones by hand.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <tests/places.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/model/friction.h>
#include <prehend/model/scene_reader.h>

namespace prehend::model {
namespace {

const std::string kShared = prehend::test::shared_data();

#define SKIP_WITHOUT_SHARED_DATA()       \
  if (!std::filesystem::exists(kShared)) \
  GTEST_SKIP() << "no " << kShared << ": the published scenes are not here"

TEST(CompasReader, AllAssembliesLoadWithTheirSupports) {
  SKIP_WITHOUT_SHARED_DATA();
  struct Expected {
    const char* name;
    std::size_t blocks, supports;
  };
  for (const Expected& expected : {Expected{"A", 3, 2},
                                   {"H", 3, 2},
                                   {"bridge", 16, 2},
                                   {"concave-long", 2, 1},
                                   {"concave-short", 2, 1},
                                   {"cubes", 3, 1},
                                   {"curve-3-blocks", 3, 1},
                                   {"type-a", 3, 2},
                                   {"type-b", 3, 2}}) {
    const Scene scene = read_scene(kShared + "/assemblies/" + expected.name + ".json");
    EXPECT_EQ(scene.bodies.size(), expected.blocks + 1) << expected.name;
    std::size_t fixed = 0;
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
      fixed += scene.bodies[i].movable ? 0 : 1;
      EXPECT_EQ(geometry::mass_properties(scene.bodies[i].geoms[0].mesh).status, geometry::MassStatus::ok)
          << expected.name;
    }
    EXPECT_EQ(fixed, expected.supports) << expected.name;
    EXPECT_TRUE(scene.problems.empty()) << expected.name;
  }
}

TEST(CompasReader, MassOfABoxByHand) {
  SKIP_WITHOUT_SHARED_DATA();
  // Block 1 of `cubes` spans x -0.2318..1.4, y -1.5..0.2, z 0.5..1.8.
  const Scene scene = read_scene(kShared + "/assemblies/cubes.json", {.friction = 0.5, .density = 2.0});
  const Body& block = scene.bodies[scene.find_body("1")];
  const Eigen::Vector3d size(1.399999976158142 + 0.2318110466003418, 1.7 + 2.98e-9, 1.7999999523162842 - 0.5);
  EXPECT_NEAR(block.inertia.mass, 2.0 * size.prod(), 1e-7);
  const math::SpatialInertia solid = math::SpatialInertia::solid_box(block.inertia.mass, size);
  EXPECT_LT((block.inertia.I_com - solid.I_com).norm(), 1e-7 * solid.I_com.norm());
  EXPECT_EQ(block.geoms[0].friction, 0.5);
}

TEST(ArrangementReader, ThingsStandOnTheirParents) {
  SKIP_WITHOUT_SHARED_DATA();
  const Scene arch = read_scene(kShared + "/transport/arrangements.yaml#box_arch");
  ASSERT_EQ(arch.bodies.size(), 5u);
  EXPECT_FALSE(arch.bodies[arch.find_body("ee")].movable);
  // Tray top at 0, standing blocks 0.103 high, the lintel 0.038 above them and half-way between.
  const Body& lintel = arch.bodies[arch.find_body("block3")];
  EXPECT_LT((lintel.X_WB.p() - Eigen::Vector3d(0.084 - 0.0325, 0, 0.103 + 0.019)).norm(), 1e-15);
  const GeomRef tray{arch.find_body("ee"), GeomIndex(0)}, post{arch.find_body("block1"), GeomIndex(0)};
  EXPECT_EQ(pair_friction(arch, tray, post), 0.30);
  EXPECT_EQ(pair_friction(arch, post, {arch.find_body("block3"), GeomIndex(0)}), 0.42);
}

TEST(ArrangementReader, BoxOnAWedgeTouchesTheSlopeWithItsFace) {
  SKIP_WITHOUT_SHARED_DATA();
  const Scene scene = read_scene(kShared + "/transport/arrangements.yaml", {.arrangement = "wedge"});
  const Body &wedge = scene.bodies[scene.find_body("wedge1")], &box = scene.bodies[scene.find_body("box1")];
  // Half a box of 0.15 x 0.15 x 0.0402 m: centroid a third of the way from the right angle.
  EXPECT_LT((wedge.inertia.com - Eigen::Vector3d(-0.025, 0, -0.0401923788646684 / 6)).norm(), 1e-15);
  EXPECT_NEAR(wedge.inertia.mass, 0.09, 1e-15);
  const Eigen::Vector3d slope = Eigen::Vector3d(0.0401923788646684, 0, 0.15).normalized();
  const Eigen::Vector3d middle = wedge.X_WB.p();
  for (const Eigen::Vector3d& vertex : scene.mesh_W({scene.find_body("box1"), GeomIndex(0)}).vertices) {
    const double height = slope.dot(vertex - middle);
    // On the slope or the box's 38 mm above it; the file's quaternion has six digits.
    EXPECT_LT(std::min(std::abs(height), std::abs(height - 0.038)), 1e-7);
  }
  EXPECT_TRUE(box.movable);
}

TEST(ArrangementReader, EveryPublishedArrangementLoads) {
  SKIP_WITHOUT_SHARED_DATA();
  for (const char* name : {"nothing", "box_arch", "pink_bottle", "foam_die1", "foam_die2", "simulation_box",
                           "simulation_box_h0", "simulation_box_with_fixture", "wedge", "blue_cups",
                           "flat_box", "white_cardboard_box_bottle", "brown_cardboard_box_bottle"}) {
    const Scene scene = read_scene(kShared + "/transport/arrangements.yaml#" + name);
    EXPECT_EQ(scene.name, name);
    // Nothing floats and nothing sinks: the lowest point of all that moves is the tray's top.
    double lowest = 1.0;
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
      if (!scene.bodies[i].movable) continue;
      lowest = std::min(
          lowest, geometry::bounding_box(scene.mesh_W({BodyIndex(i), GeomIndex(0)}).vertices).lower.z());
    }
    if (scene.bodies.size() > 2) {
      EXPECT_NEAR(lowest, 0.0, 1e-15) << name;
    }
  }
  const Scene low = read_scene(kShared + "/transport/controller.yaml#simulation_box_h0");
  EXPECT_EQ(low.bodies[2].inertia.com, Eigen::Vector3d(0, 0, -0.1));
  EXPECT_FALSE(
      read_scene(kShared + "/transport/arrangements.yaml#simulation_box_with_fixture").bodies[3].movable);
}

TEST(CompasReader, ConcaveFacesAreTriangulatedInside) {
  // An L-shaped prism: two six-sided concave faces.
  std::string vertices;
  const double xy[6][2]{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (int i = 0; i < 12; ++i) {
    vertices += (i ? ",\"" : "\"") + std::to_string(i) + "\":{\"x\":" + std::to_string(xy[i % 6][0]) +
                ",\"y\":" + std::to_string(xy[i % 6][1]) + ",\"z\":" + std::to_string(i / 6) + "}";
  }
  const std::string faces =
      R"("0":[3,2,1,0,5,4],"1":[9,10,11,6,7,8],"2":[0,1,7,6],"3":[1,2,8,7],"4":[2,3,9,8],"5":[3,4,10,9],"6":[4,5,11,10],"7":[5,0,6,11])";
  const Scene scene =
      read_scene_text("{\"data\":{\"graph\":{\"data\":{\"node\":{\"L\":{\"block\":{\"data\":{\"vertex\":{" +
                          vertices + "},\"face\":{" + faces + "}}}}}}}}}",
                      SceneFormat::compas, "l.json", {.density = 1.0});
  EXPECT_NEAR(scene.bodies[1].inertia.mass, 3.0, 1e-14);
  EXPECT_NEAR(geometry::mass_properties(scene.bodies[1].geoms[0].mesh).area, 14.0,
              1e-13);  // no triangle reaches outside
}

}  // namespace
}  // namespace prehend::model
