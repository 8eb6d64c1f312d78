#include <cmath>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>
#include <prehend/topology/source_algorithm.h>

namespace prehend::topology {
namespace {

using model::JointType;

SimulatedRecording trial(JointType type, bool base_is_fixed, std::uint64_t seed, bool other_frames = false) {
  model::Scene scene = source_object(type, base_is_fixed);
  math::RandomStream random(seed, 0x79a1);
  RecordingOptions options;
  Push push;
  push.link = 1;
  const double amplitude = random.uniform(0.05, 0.2);
  push.force_L =
      amplitude * (type == JointType::prismatic ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY());
  push.p_L = {0.25, 0.0, 0.0};
  push.frequency = random.uniform(0.05, 0.3);
  push.carried_weight = base_is_fixed ? 0.0 : 1.0;
  if (other_frames) {
    std::vector<math::Pose> X_LN;
    for (int i = 0; i < 2; ++i) {
      const Eigen::Quaterniond q = random.rotation();
      X_LN.emplace_back(q, 0.1 * random.normal3());
    }
    scene = with_frames(scene, X_LN);
    push.force_L = X_LN[1].q().conjugate() * push.force_L;
    push.p_L = X_LN[1].inverse() * push.p_L;
  }
  options.pushes.push_back(push);
  if (!base_is_fixed) options.grips.push_back({0, 0.01, 0.02});
  options.lead_in = base_is_fixed ? 0.0 : 1.0;
  options.record_reaction = true;
  options.seed = seed;
  return record(scene, options);
}

TEST(SourceAlgorithm, TellsTheSourcesTwoObjects) {
  for (const JointType type : {JointType::prismatic, JointType::revolute}) {
    for (const bool base_is_fixed : {true, false}) {
      for (std::uint64_t seed = 0; seed < 2; ++seed) {
        const SimulatedRecording made = trial(type, base_is_fixed, seed);
        const SourceResult result = source_algorithm(made.object, made.recording);
        ASSERT_EQ(result.status, SourceStatus::ok);
        EXPECT_EQ(result.joints[0].type, type);
        const SourceJoint& joint = result.joints[0];
        const double right = type == JointType::prismatic ? joint.prismatic_error : joint.revolute_error;
        const double wrong = type == JointType::prismatic ? joint.revolute_error : joint.prismatic_error;
        EXPECT_LT(right, 0.02 * wrong);
        EXPECT_NEAR(result.score, (wrong - right) / wrong, 1e-12);
      }
    }
  }
}

// What the printed lines give when taken by the letter: see the header.
TEST(SourceAlgorithm, ThePrintedLinesDoNotTell) {
  const SimulatedRecording hinge = trial(JointType::revolute, true, 1);
  const double read = source_algorithm(hinge.object, hinge.recording).errors[1];
  const double printed =
      source_algorithm(hinge.object, hinge.recording, {.axis_through_parent = true}).errors[1];
  EXPECT_GT(printed, 20.0 * read);  // line 12: the axis lies in the parent's origin, not in the hinge
  for (const JointType type : {JointType::prismatic, JointType::revolute}) {
    const SimulatedRecording made = trial(type, true, 1);
    const SourceResult result = source_algorithm(made.object, made.recording, {.momentum_of_parent = true});
    EXPECT_NEAR(result.errors[0], result.errors[1],
                1e-9 * result.errors[0]);  // lines 28, 36: the same number
  }
}

TEST(SourceAlgorithm, RestsOnWhereTheFramesSit) {
  int wrong = 0;
  for (const JointType type : {JointType::prismatic, JointType::revolute}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const SimulatedRecording made = trial(type, true, seed, true);
      const SourceResult result = source_algorithm(made.object, made.recording);
      wrong += result.joints[0].type != type;
      EXPECT_LT(result.score, 0.9);  // 0.98 and more where the assumption holds
    }
  }
  EXPECT_GT(wrong, 0);
}

// Two joints, where the assumption holds for both: all four combinations are distinguished.
TEST(SourceAlgorithm, ChainsOfThreeLinks) {
  model::Scene scene = source_object(JointType::revolute, true);
  const model::Scene other = source_object(JointType::prismatic, true);
  model::Body tip = other.bodies[2];
  tip.name = "tip";
  tip.geoms[0].name = "tip_box";
  scene.bodies.push_back(tip);
  model::Joint slide = other.joints[0];
  slide.parent = model::BodyIndex(2);
  slide.child = model::BodyIndex(3);
  slide.X_PC = math::Pose::translation({0.3, 0.0, 0.0});
  scene.bodies[3].X_WB = scene.bodies[2].X_WB * slide.X_PC;
  scene.joints.push_back(slide);
  RecordingOptions options;
  options.pushes.push_back({2, {0.2, 0.3, 0.0}, {0.25, 0.0, 0.0}, 0.25, 0.0});
  options.lead_in = 0.0;
  options.record_reaction = true;
  options.duration = 3.0;
  const SimulatedRecording made = record(scene, options);
  const SourceResult result = source_algorithm(made.object, made.recording);
  ASSERT_EQ(result.errors.size(), 4u);
  EXPECT_EQ(result.best, 1u);
  EXPECT_EQ(result.joints[0].type, JointType::revolute);
  EXPECT_EQ(result.joints[1].type, JointType::prismatic);
  EXPECT_EQ(result.sample_errors[1].size(), made.recording.rows() - 2);
  EXPECT_NE(result.brief_report().find("revolute"), std::string::npos);
}

TEST(SourceAlgorithm, SaysWhatItLacks) {
  SimulatedRecording made = trial(JointType::prismatic, true, 0);
  made.recording.held.erase(made.recording.held.begin());
  SourceResult result = source_algorithm(made.object, made.recording);
  EXPECT_EQ(result.status, SourceStatus::undetermined);
  EXPECT_NE(result.reason.find("the world exerts on the fixed base 'base'"), std::string::npos);
  EXPECT_THROW(source_algorithm(made.object, made.recording, {.max_joints = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::topology
