#include <gtest/gtest.h>

#include <prehend/math/enum_text.h>
#include <prehend/model/friction.h>
#include <prehend/model/scene.h>
#include <prehend/model/scene_reader.h>

namespace prehend::model {
namespace {

// Two movable bodies a and b with one geom each, and a fixed one.
Scene three_bodies() {
  Scene scene;
  for (const char* name : {"a", "b", "table"}) {
    Body body;
    body.name = name;
    body.movable = body.name != "table";
    body.inertia = math::SpatialInertia::solid_sphere(1.0, 1.0);
    body.geoms.emplace_back();
    scene.bodies.push_back(body);
  }
  return scene;
}

const GeomRef kA{BodyIndex(1), GeomIndex(0)}, kB{BodyIndex(2), GeomIndex(0)},
    kTable{BodyIndex(3), GeomIndex(0)};

TEST(PairFriction, TakesTheLargerUnlessPriorityOrAnExplicitPairSaysOtherwise) {
  Scene scene = three_bodies();
  scene.bodies[1].geoms[0].friction = 0.2;
  scene.bodies[2].geoms[0].friction = 0.9;
  EXPECT_EQ(pair_friction(scene, kA, kB), 0.9);
  EXPECT_EQ(pair_friction(scene, kB, kA), 0.9);
  scene.bodies[1].geoms[0].priority = 1;
  EXPECT_EQ(pair_friction(scene, kA, kB), 0.2);
  scene.body_pairs.push_back({BodyIndex(2), BodyIndex(1), 0.5});
  EXPECT_EQ(pair_friction(scene, kA, kB), 0.5);
  scene.geom_pairs.push_back({kB, kA, 0.05, 3});
  EXPECT_EQ(pair_friction(scene, kA, kB), 0.05);
  scene.geom_pairs[0].condim = 1;
  EXPECT_EQ(pair_friction(scene, kA, kB), 0.0);
}

TEST(PairFriction, OfFrictionlessGeomsIsZero) {
  Scene scene = three_bodies();
  scene.bodies[1].geoms[0].condim = 1;
  EXPECT_EQ(pair_friction(scene, kA, kB), 1.0);  // the larger contact dimension counts
  scene.bodies[2].geoms[0].condim = 1;
  EXPECT_EQ(pair_friction(scene, kA, kB), 0.0);
}

TEST(MayTouch, FollowsTheContactFilter) {
  Scene scene = three_bodies();
  EXPECT_TRUE(may_touch(scene, kA, kB));
  EXPECT_TRUE(may_touch(scene, kA, kTable));
  EXPECT_FALSE(may_touch(scene, kA, kA));
  scene.bodies[1].movable = false;
  EXPECT_FALSE(may_touch(scene, kA, kTable));  // both fixed
  scene.bodies[1].movable = true;
  scene.bodies[1].geoms[0].contype = 2;
  scene.bodies[1].geoms[0].conaffinity = 2;
  EXPECT_FALSE(may_touch(scene, kA, kB));
  scene.bodies[2].geoms[0].conaffinity = 3;
  EXPECT_TRUE(may_touch(scene, kA, kB));
  scene.excluded_pairs.push_back({BodyIndex(2), BodyIndex(1)});
  EXPECT_FALSE(may_touch(scene, kA, kB));
  scene.geom_pairs.push_back({kA, kB, 0.1, 3});
  EXPECT_TRUE(may_touch(scene, kA, kB));
}

TEST(MayTouch, NotBetweenABodyAndItsJointParent) {
  Scene scene = three_bodies();
  Joint joint;
  joint.type = JointType::revolute;
  joint.parent = BodyIndex(3);
  joint.child = BodyIndex(1);
  scene.joints.push_back(joint);
  EXPECT_TRUE(may_touch(scene, kA, kTable));  // as in MuJoCo: a fixed parent is part of the world
  EXPECT_TRUE(may_touch(scene, kA, kB));
  scene.joints[0].parent = BodyIndex(2);
  EXPECT_FALSE(may_touch(scene, kA, kB));
  EXPECT_TRUE(may_touch(scene, kA, kTable));
}

TEST(MayTouch, NotInsideOneUrdfMechanismNorBodiesThatMotorsHoldTogether) {
  Scene scene = three_bodies();
  Joint joint;
  joint.type = JointType::revolute;
  joint.parent = BodyIndex(3);
  joint.child = BodyIndex(1);
  scene.bodies[1].movable = false;
  scene.joints.push_back(joint);
  EXPECT_TRUE(may_touch(scene, kA, kTable));
  scene.format = "urdf";
  EXPECT_FALSE(may_touch(scene, kA, kTable));
  EXPECT_TRUE(may_touch(scene, kA, kB));
  scene.format = "mjcf";
  scene.joints[0].motor = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(may_touch(scene, kA, kTable));
}

TEST(Scene, RigidGroups) {
  Scene scene = three_bodies();
  EXPECT_EQ(scene.rigid_groups(), (std::vector<int>{0, 1, 2, 0}));  // two movable bodies and a fixed table
  Joint joint;
  joint.type = JointType::revolute;
  joint.parent = BodyIndex(3);
  joint.child = BodyIndex(1);
  scene.joints.push_back(joint);
  scene.bodies[1].movable = false;
  EXPECT_EQ(scene.rigid_groups(), (std::vector<int>{0, 1, 2, 0}));
  scene.joints[0].motor = std::numeric_limits<double>::infinity();
  EXPECT_EQ(scene.rigid_groups(), (std::vector<int>{0, 0, 2, 0}));
  // In series on one body, one that is not held is enough to move.
  joint.name = "second";
  scene.joints.push_back(joint);
  EXPECT_EQ(scene.rigid_groups(), (std::vector<int>{0, 1, 2, 0}));
}

TEST(Scene, ListsTheWorldOnlyWhenItHasGeometry) {
  Scene scene = three_bodies();
  EXPECT_EQ(scene.listed_bodies().size(), 3u);
  scene.bodies[0].geoms.emplace_back();
  EXPECT_EQ(scene.listed_bodies().size(), 4u);
  EXPECT_EQ(scene.find_body("b"), BodyIndex(2));
  EXPECT_FALSE(scene.find_body("c").is_valid());
  EXPECT_NE(scene.brief_report().find("2 movable, 2 kg"), std::string::npos);
}

TEST(JointType, NamesGoBothWays) {
  for (const char* name : {"rigid", "prismatic", "revolute", "screw", "cylindrical", "universal", "spherical",
                           "planar", "free"}) {
    ASSERT_TRUE(from_string<JointType>(name));
    EXPECT_STREQ(to_string(*from_string<JointType>(name)), name);
  }
  EXPECT_FALSE(from_string<JointType>("hinge"));
}

TEST(SceneOptions, NameTheFieldTheValueAndTheBound) {
  const auto message = [](const SceneOptions& options) -> std::string {
    try {
      options.validate();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({.friction = -0.5}), "SceneOptions::friction is -0.5; it must be finite and at least 0");
  EXPECT_EQ(message({.density = 0}), "SceneOptions::density is 0 kg/m3; it must be finite and above 0 kg/m3");
  EXPECT_EQ(message({.round_segments = 30}),
            "SceneOptions::round_segments is 30; it must be a multiple of 4 from 8 to 4096");
}

}  // namespace
}  // namespace prehend::model
