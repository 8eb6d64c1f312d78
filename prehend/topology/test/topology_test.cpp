#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/topology/online_topology.h>
#include <prehend/topology/push_suggestion.h>
#include <prehend/topology/sample_object.h>
#include <prehend/topology/simulated_recording.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {
namespace {

using model::JointType;

SimulatedRecording felt(int links, std::uint64_t seed, double noise, std::vector<JointType> types,
                        bool base_is_fixed = false) {
  SampleObjectOptions object;
  object.links = links;
  object.chain = 0.6;
  object.seed = seed;
  object.types = std::move(types);
  object.base_is_fixed = base_is_fixed;
  const model::Scene scene = sample_object(object);
  RecordingOptions recording;
  recording.grips = sample_exploration(scene, 0.0, seed).grips;
  recording.pose_noise = {noise, 8.7 * noise};
  recording.force_noise = 0.1;
  recording.torque_noise = 0.01;
  recording.duration = 4.0;
  recording.seed = seed;
  return record(scene, recording);
}

const std::vector<JointType> kAll{JointType::rigid, JointType::prismatic, JointType::revolute,
                                  JointType::screw, JointType::spherical};

// The first of some objects whose joint is excited.
SimulatedRecording excited(JointType type) {
  for (std::uint64_t seed = 5; seed < 15; ++seed) {
    SimulatedRecording made = felt(2, seed, 3e-4, {type});
    if (made.joints.front().is_excited) return made;
  }
  return felt(2, 5, 3e-4, {type});
}

TEST(Topology, TellsEveryTypeWithItsAxisAndPoint) {
  for (const JointType type : kAll) {
    const SimulatedRecording made = excited(type);
    const TopologyResult result = estimate_topology(made.object, made.recording);
    const FoundJoint& joint = result.joints.front();
    const JointTruth& truth = made.joints.front();
    ASSERT_TRUE(truth.is_excited) << hypothesis_name(type);
    EXPECT_EQ(joint.status, TopologyStatus::ok) << result.brief_report();
    EXPECT_EQ(joint.type, type) << result.brief_report();
    EXPECT_LT(result.balance, 1.6);
    EXPECT_GT(joint.best().posterior, 0.999);
    if (type == JointType::prismatic || type == JointType::revolute || type == JointType::screw) {
      EXPECT_GT(std::abs(joint.best().joint.axis_F()->dot(truth.axis_P)), 0.999);
      EXPECT_EQ(joint.states.size(), made.recording.rows());
    }
    if (type == JointType::revolute || type == JointType::screw) {
      const Eigen::Vector3d gap = *joint.best().joint.point_F() - truth.point_P;
      EXPECT_LT(truth.axis_P.cross(gap).norm(), 0.01);
    }
    if (type == JointType::spherical) {
      EXPECT_LT((*joint.best().joint.point_F() - truth.point_P).norm(), 0.01);
    }
  }
}

TEST(Topology, MomentumAloneTellsClearMotion) {
  const SimulatedRecording made = felt(3, 2, 1e-5, {JointType::revolute, JointType::prismatic});
  TopologyOptions options;
  options.types = {JointType::prismatic, JointType::revolute};
  const TopologyResult result = estimate_topology(made.object, made.recording, options);
  ASSERT_EQ(result.best.types.size(), 2u);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(result.best.types[j], made.joints[j].type);
  EXPECT_GT(result.runner_up.error, result.best.error);
}

TEST(Topology, AJointThatWasNeverLoadedIsNotGuessed) {
  // A leaf that nobody holds, without gravity to pull at it.
  SimulatedRecording made = felt(2, 5, 3e-4, {JointType::rigid});
  TopologyOptions options;
  options.largest_friction_force = 1000.0;
  options.largest_friction_torque = 100.0;
  const TopologyResult result = estimate_topology(made.object, made.recording, options);
  EXPECT_EQ(result.status, TopologyStatus::undetermined);
  EXPECT_NE(result.joints[0].reason.find("never loaded"), std::string::npos) << result.joints[0].reason;
  EXPECT_FALSE(result.joints[0].untested_P.empty());
  const PushSuggestion none = suggest_push(made.object, made.recording, result, options);
  EXPECT_FALSE(none.is_useful);
  options.largest_friction_force = 1.0;
  options.largest_friction_torque = 0.1;
  const PushSuggestion push = suggest_push(made.object, made.recording, result, options);
  EXPECT_TRUE(push.is_useful);
  EXPECT_EQ(push.joints, std::vector<int>{0});
}

TEST(Topology, FrictionIsNamed) {
  const model::Scene scene = source_object(JointType::prismatic, true);
  RecordingOptions recording;
  recording.grips = {{1, 0.06, 0.0}};
  recording.joint_friction_force = 2.0;
  recording.pose_noise = {1e-4, 1e-3};
  recording.force_noise = 0.05;
  recording.torque_noise = 0.005;
  const SimulatedRecording made = record(scene, recording);
  TopologyOptions options;
  options.largest_friction_force = 5.0;
  const TopologyResult result = estimate_topology(made.object, made.recording, options);
  EXPECT_EQ(result.joints[0].type, JointType::prismatic);
  ASSERT_FALSE(result.notes.empty());
  bool named = false;
  for (const std::string& note : result.notes)
    named |= note.find("has friction of about") != std::string::npos;
  EXPECT_TRUE(named) << result.brief_report();
}

TEST(Topology, AWrongSignIsAProblemAndFixedIsNotSaid) {
  SimulatedRecording made = felt(3, 7, 3e-4, {JointType::rigid});
  for (math::Wrench& F : made.recording.held.front().F_L) F = -F;
  const TopologyResult result = estimate_topology(made.object, made.recording);
  EXPECT_GT(result.balance, 25.0);
  EXPECT_FALSE(result.problems.empty());
  for (const FoundJoint& joint : result.joints) EXPECT_NE(joint.status, TopologyStatus::ok);
}

TEST(Topology, OptionsAreChecked) {
  const SimulatedRecording made = felt(2, 5, 3e-4, {JointType::rigid});
  TopologyOptions options;
  options.types = {JointType::planar};
  EXPECT_THROW(estimate_topology(made.object, made.recording, options), std::invalid_argument);
  options = {};
  options.sure = 1.5;
  EXPECT_THROW(estimate_topology(made.object, made.recording, options), std::invalid_argument);
  options = {};
  options.force_noise = -1.0;
  EXPECT_THROW(estimate_topology(made.object, made.recording, options), std::invalid_argument);
}

TEST(Topology, AnswersDoNotDependOnThreads) {
  const SimulatedRecording made = felt(5, 11, 5e-4, kAll);
  TopologyOptions one, two;
  one.threads = 1;
  two.threads = 2;
  const TopologyResult a = estimate_topology(made.object, made.recording, one),
                       b = estimate_topology(made.object, made.recording, two);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.best.error, b.best.error);
}

TEST(OnlineTopology, EndsWithTheSameAnswerAndKeepsLittle) {
  for (const bool base_is_fixed : {false, true}) {
    const SimulatedRecording made = felt(4, 3, 5e-4, kAll, base_is_fixed);
    std::vector<int> held;
    for (const HeldLink& hand : made.recording.held) held.push_back(hand.link);
    OnlineTopology online(made.object, held, made.recording.gravity_W, base_is_fixed);
    EXPECT_EQ(online.beliefs().front().status, TopologyStatus::undetermined);
    std::vector<math::Pose> X(made.object.links.size());
    std::vector<math::Wrench> F(held.size());
    for (std::size_t k = 0; k < made.recording.rows(); ++k) {
      for (std::size_t i = 0; i < X.size(); ++i) X[i] = made.recording.X_WL[i][k];
      for (std::size_t h = 0; h < F.size(); ++h) F[h] = made.recording.held[h].F_L[k];
      online.push(made.recording.t[k], X, F);
    }
    const TopologyResult offline = estimate_topology(made.object, made.recording);
    for (std::size_t j = 0; j < made.joints.size(); ++j) {
      const FoundJoint& belief = online.beliefs()[j];
      if (belief.status == TopologyStatus::ok) {
        EXPECT_EQ(belief.type, made.joints[j].type) << j;
        EXPECT_GT(online.told_since()[j], 0.0);
      }
      if (made.joints[j].is_excited && made.joints[j].type != JointType::rigid) {
        EXPECT_EQ(belief.status, TopologyStatus::ok) << j << belief.reason;
        EXPECT_EQ(belief.type, offline.joints[j].type);
      }
    }
    if (!base_is_fixed) {
      EXPECT_NEAR(online.balance(), offline.balance, 0.3);
    }
    EXPECT_FALSE(online.suggest_push().sentence.empty());
    EXPECT_THROW(online.push(0.0, X, F), std::invalid_argument);
  }
}

}  // namespace
}  // namespace prehend::topology
