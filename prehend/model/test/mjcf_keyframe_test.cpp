// Models as one of their keyframes has them.
#include <cmath>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/math/angles.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>

namespace prehend::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A slide and a hinge on one body, a second link off its anchor, a free box on a mocap table; the last key does not fit the model.
Scene keyed(const std::string& arrangement) {
  SceneOptions options;
  options.arrangement = arrangement;
  return read_scene_text(
      R"(<mujoco><compiler angle="degree"/><worldbody>
      <body name="arm" pos="0 0 .6"><joint name="s" type="slide" axis="1 0 0"/>
        <joint name="h" axis="0 1 0" range="-100 100" stiffness="3" springref="10"/><geom size=".02"/>
        <body name="fore" pos=".3 0 0"><joint name="e" axis="0 1 0" pos=".02 0 0" range="0 90"/><geom size=".02"/></body>
      </body>
      <body name="table" mocap="true" pos="0 1 0"><geom type="box" size=".1 .1 .1"/></body>
      <body name="box" pos="0 0 2"><freejoint/><geom type="box" size=".05 .05 .05"/></body></worldbody>
      <equality><joint joint1="h" joint2="e" polycoef="0 1 .5 0 0"/></equality>
      <keyframe><key name="home" qpos=".2 .5 .3 0 2 .45 1 0 0 0" mpos="0 2 .3" ctrl="1 2 3"/>
        <key qpos="0 0 0 0 0 1 1 0 0 0"/><key name="broken" qpos="1 2"/></keyframe></mujoco>)",
      SceneFormat::mjcf, "test.xml", options);
}

Matrix3d about_y(double angle) { return Eigen::AngleAxisd(angle, Vector3d::UnitY()).toRotationMatrix(); }

TEST(MjcfKeyframe, PosesBodiesAndJoints) {
  const Scene scene = keyed("home");
  const auto pose = [&](const char* name) { return scene.bodies[scene.find_body(name)].X_WB; };
  const Vector3d arm(0.2, 0, 0.6), elbow = arm + about_y(0.5) * Vector3d(0.32, 0, 0);
  EXPECT_LT((pose("arm").p() - arm).norm(), 1e-12);
  EXPECT_LT((pose("arm").R() - about_y(0.5)).norm(), 1e-12);
  EXPECT_LT((pose("fore").p() - (elbow - about_y(0.8) * Vector3d(0.02, 0, 0))).norm(), 1e-12);
  EXPECT_EQ(pose("table").p(), Vector3d(0, 2, 0.3));
  EXPECT_EQ(pose("box").p(), Vector3d(0, 2, 0.45));
  const auto joint = [&](const std::string& name) {
    for (const Joint& j : scene.joints) {
      if (j.name == name) return j;
    }
    return Joint{};
  };
  // The slide comes before the hinge: its axis stays where it was in the world.
  EXPECT_LT((pose("arm").R() * joint("s").axis_C - Vector3d::UnitX()).norm(), 1e-12);
  EXPECT_DOUBLE_EQ(joint("s").reference, 0.2);
  EXPECT_NEAR(joint("h").spring, -3.0 * (0.5 - 10.0 * math::kDegree), 1e-12);
  EXPECT_NEAR(joint("e").reference, 0.3, 1e-12);
  EXPECT_LT((pose("fore") * joint("e").p_CJ - elbow).norm(), 1e-12);
  EXPECT_LT(((pose("arm") * joint("e").X_PC).p() - pose("fore").p()).norm(), 1e-12);
  // h = e + e^2 / 2: at e = 0.3 rates are as 1 to 1.3.
  ASSERT_EQ(scene.couplings.size(), 1u);
  EXPECT_NEAR(scene.couplings[0].terms.at(1).ratio, -1.3, 1e-12);
}

TEST(MjcfKeyframe, WithoutANameTheNumberServes) {
  EXPECT_EQ(keyed("1").bodies.back().X_WB.p().z(), 1.0);
  const Scene plain = keyed("");
  EXPECT_EQ(plain.bodies.back().X_WB.p().z(), 2.0);
  ASSERT_EQ(plain.notes.size(), 1u);
  EXPECT_NE(plain.notes[0].find("#home"), std::string::npos) << plain.notes[0];
}

TEST(MjcfKeyframe, UnknownAndUnfitOnesAreRefused) {
  const auto message = [](const std::string& name) {
    try {
      keyed(name);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("away").find("no keyframe 'away'; it has home, 1, broken"), std::string::npos)
      << message("away");
  EXPECT_NE(message("broken").find("qpos"), std::string::npos) << message("broken");
}

}  // namespace
}  // namespace prehend::model
