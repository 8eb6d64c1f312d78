#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/joint_verdict.h>
#include <prehend/topology/online_topology.h>
#include <prehend/topology/push_suggestion.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {
namespace {

using model::JointType;

SimulatedRecording recorded(int links, std::uint64_t seed, double noise, std::vector<JointType> types,
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
    SimulatedRecording made = recorded(2, seed, 3e-4, {type});
    if (made.joints.front().is_excited) return made;
  }
  return recorded(2, 5, 3e-4, {type});
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
  const SimulatedRecording made = recorded(3, 2, 1e-5, {JointType::revolute, JointType::prismatic});
  TopologyOptions options;
  options.types = {JointType::prismatic, JointType::revolute};
  const TopologyResult result = estimate_topology(made.object, made.recording, options);
  ASSERT_EQ(result.best.types.size(), 2u);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(result.best.types[j], made.joints[j].type);
  EXPECT_GT(result.runner_up.error, result.best.error);
}

TEST(Topology, AJointThatWasNeverLoadedIsNotGuessed) {
  // A leaf that nobody holds, without gravity to pull at it.
  SimulatedRecording made = recorded(2, 5, 3e-4, {JointType::rigid});
  TopologyOptions options;
  options.largest_friction_force = 1000.0;
  options.largest_friction_torque = 100.0;
  const TopologyResult result = estimate_topology(made.object, made.recording, options);
  EXPECT_EQ(result.status, TopologyStatus::undetermined);
  EXPECT_NE(result.joints[0].reason.find("never loaded"), std::string::npos) << result.joints[0].reason;
  EXPECT_FALSE(result.joints[0].untested_P.empty());
  const PushSuggestion none = suggest_push(made.object, made.recording, result.joints, options);
  EXPECT_FALSE(none.is_useful);
  options.largest_friction_force = 1.0;
  options.largest_friction_torque = 0.1;
  const PushSuggestion push = suggest_push(made.object, made.recording, result.joints, options);
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

TEST(Topology, AHingeThatWentRoundIsNoBall) {
  // It swings about one angle, goes round once, and swings there again: on the circle that is one place.
  math::RandomStream random(3);
  articulation::Joint hinge{JointType::revolute, math::Pose(random.rotation(), {0.1, 0.0, 0.05}),
                            math::Pose(random.rotation(), {-0.1, 0.02, 0.0}), 0.0};
  ArticulatedObject object;
  object.links = {{"base", math::SpatialInertia::solid_box(1.0, {0.2, 0.1, 0.1}), -1, ""},
                  {"arm", math::SpatialInertia::solid_box(1.0, {0.2, 0.1, 0.1}), 0, "hinge"}};
  MotionBlocks blocks;
  blocks.X_WL.resize(2);
  blocks.X_PC.resize(1);
  blocks.rows_per_block = 10;
  blocks.row_interval = 0.001;
  const articulation::PoseNoise noise{5e-4, 4e-3};
  for (int b = 0; b < 500; ++b) {
    const double round = std::clamp((b - 230.0) / 40.0, 0.0, 1.0) * 2.0 * std::numbers::pi;
    articulation::State q(1);
    q[0] = 0.3 * std::sin(0.08 * b) + round;
    const auto noisy = [&](const math::Pose& X) {
      return X * math::Pose(math::exp_so3(noise.angle / std::sqrt(10.0) * random.normal3()),
                            noise.position / std::sqrt(10.0) * random.normal3());
    };
    blocks.X_WL[0].push_back(noisy(math::Pose()));
    blocks.X_WL[1].push_back(noisy(hinge.forward(q)));
    blocks.X_PC[0].push_back(blocks.X_WL[0].back().inverse() * blocks.X_WL[1].back());
    blocks.t.push_back(0.01 * b);
    blocks.follows.push_back(b > 0);
  }
  const JointEvidence evidence =
      kinematic_evidence(object, blocks, 0, noise, {JointType::revolute, JointType::spherical});
  EXPECT_GT(evidence.types[0].evidence, evidence.types[1].evidence - 3.0);
}

TEST(Topology, AStopThatPushesBackIsNoEvidenceAgainstASlide) {
  // Pushed to and fro between its stops, and held there: what crosses along the slide is the stops'.
  const model::Scene scene = source_object(JointType::prismatic, true);
  RecordingOptions recording;
  Push push;
  push.link = 1;
  push.force_L = {6.0, 0.0, 0.0};
  push.p_L = {0.125, 0.0, 0.0};
  push.frequency = 0.4;
  recording.pushes.push_back(push);
  recording.record_reaction = true;
  recording.pose_noise = {3e-4, 2e-3};
  recording.force_noise = 0.05;
  recording.torque_noise = 0.005;
  const SimulatedRecording made = record(scene, recording);
  EXPECT_GT(made.joints[0].travel, 0.149);  // stop to stop
  const TopologyResult result = estimate_topology(made.object, made.recording);
  EXPECT_EQ(result.joints[0].status, TopologyStatus::ok) << result.brief_report();
  EXPECT_EQ(result.joints[0].type, JointType::prismatic);
  EXPECT_GT(result.joints[0].best().transmitted, -5.0);
  // Stops do not pull: with all that crosses turned round, it is evidence against a slide.
  const RecordingNoise noise = measure_noise(made.recording);
  const MotionBlocks blocks = average_blocks(made.object, made.recording);
  const LinkBalance balance = balance_links(made.object, made.recording, blocks, noise);
  TransmittedWrench wrench = transmitted_wrench(made.object, made.recording, blocks, balance, 0, noise);
  const articulation::JointFit fit =
      kinematic_evidence(made.object, blocks, 0, noise.pose, {JointType::prismatic}).types.front().fit;
  EXPECT_GT(freedom_evidence(wrench, fit, {}).evidence, -5.0);
  for (math::Vector6d& F : wrench.F_P) F = -F;
  EXPECT_LT(freedom_evidence(wrench, fit, {}).evidence, -30.0);
}

TEST(Topology, AWrongSignIsAProblemAndFixedIsNotSaid) {
  SimulatedRecording made = recorded(3, 7, 3e-4, {JointType::rigid});
  for (math::Wrench& F : made.recording.held.front().F_L) F = -F;
  const TopologyResult result = estimate_topology(made.object, made.recording);
  EXPECT_GT(result.balance, 25.0);
  EXPECT_FALSE(result.problems.empty());
  for (const FoundJoint& joint : result.joints) EXPECT_NE(joint.status, TopologyStatus::ok);
}

TEST(Topology, OptionsAreChecked) {
  const SimulatedRecording made = recorded(2, 5, 3e-4, {JointType::rigid});
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
  const SimulatedRecording made = recorded(5, 11, 5e-4, kAll);
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
    const SimulatedRecording made = recorded(4, 3, 5e-4, kAll, base_is_fixed);
    std::vector<int> held;
    for (const HeldLink& hand : made.recording.held) held.push_back(hand.link);
    OnlineTopologyOptions options;
    if (base_is_fixed) options.kept_frames = 32;
    OnlineTopology online(made.object, held, made.recording.gravity_W, base_is_fixed, options);
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
        EXPECT_GT(online.identified_since()[j], 0.0);
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
