#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <prehend/math/so3.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/simulated/sample_object.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {
namespace {

using model::JointType;

// Hands and gravity about the world's origin.
math::Vector6d total_wrench(const SimulatedRecording& made, std::size_t row) {
  math::Vector6d sum = math::Vector6d::Zero();
  for (const HeldLink& held : made.recording.held)
    sum += math::wrench_adjoint(made.recording.X_WL[static_cast<std::size_t>(held.link)][row]) *
           held.F_L[row].vector();
  for (std::size_t i = 0; i < made.object.links.size(); ++i) {
    const math::SpatialInertia& inertia = made.object.links[i].inertia;
    sum += math::Wrench::from_force(inertia.mass * made.recording.gravity_W,
                                    made.recording.X_WL[i][row] * inertia.com)
               .vector();
  }
  return sum;
}

// Momentum of the links by their own twists and the recording's inertias.
math::Vector6d momentum(const SimulatedRecording& made, std::size_t row) {
  math::Vector6d sum = math::Vector6d::Zero();
  for (std::size_t i = 0; i < made.object.links.size(); ++i) {
    const math::Pose& X = made.recording.X_WL[i][row];
    const math::Twist V_L = made.V_WL_W[i][row].expressed(X.R().transpose());
    sum += math::wrench_adjoint(X) * made.object.links[i].inertia.spatial_matrix() * V_L.vector();
  }
  return sum;
}

// Largest gap between momentum change and impulse over windows of 50 ms, as a share of the largest impulse.
double balance_gap(const SimulatedRecording& made) {
  const std::size_t window = 50;
  double gap = 0.0, size = 0.0;
  for (std::size_t k = 0; k + window < made.recording.rows(); k += window) {
    math::Vector6d impulse = math::Vector6d::Zero(), scale = math::Vector6d::Zero();
    for (std::size_t r = k; r < k + window; ++r) {
      const double dt = made.recording.t[r + 1] - made.recording.t[r];
      const math::Vector6d W = 0.5 * (total_wrench(made, r) + total_wrench(made, r + 1));
      impulse += dt * W;
      for (const HeldLink& held : made.recording.held) scale += dt * held.F_L[r].vector().cwiseAbs();
    }
    gap = std::max(gap, (momentum(made, k + window) - momentum(made, k) - impulse).norm());
    size = std::max(size, scale.norm());
  }
  return gap / size;
}

RecordingOptions push_options(JointType type, bool base_is_fixed) {
  RecordingOptions options;
  options.pushes.push_back(
      {1,
       type == JointType::prismatic ? Eigen::Vector3d(0.2, 0, 0) : Eigen::Vector3d(0, 0.2, 0),
       {0.25, 0, 0},
       0.25,
       0.3});
  options.pushes[0].carried_weight = base_is_fixed ? 0.0 : 1.0;
  if (!base_is_fixed) options.grips.push_back({0, 0.01, 0.02});
  options.record_reaction = base_is_fixed;
  options.lead_in = base_is_fixed ? 0.0 : 1.0;
  return options;
}

TEST(SimulatedRecording, TheSourcesObjectsObeyNewtonAndEuler) {
  for (const JointType type : {JointType::prismatic, JointType::revolute}) {
    for (const bool base_is_fixed : {true, false}) {
      model::Scene scene = source_object(type, base_is_fixed);
      // A stop that is hit between two samples leaves a gap of 0.3 % in the impulse of sampled wrenches: no stops here.
      scene.joints[0].lower = -1e3;
      scene.joints[0].upper = 1e3;
      const SimulatedRecording made = record(scene, push_options(type, base_is_fixed));
      EXPECT_EQ(made.recording.rows(), 5001u);
      EXPECT_EQ(made.recording.base_is_fixed, base_is_fixed);
      EXPECT_EQ(made.recording.held.size(), 2u);
      EXPECT_NO_THROW(validate(made.object, made.recording));
      EXPECT_LT(balance_gap(made), 2e-3) << to_string(type) << base_is_fixed;
      for (std::size_t k = 0; k < 5001; k += 500)
        EXPECT_LT((momentum(made, k) - made.momentum_W[k].vector()).norm(), 1e-9);
      EXPECT_TRUE(made.joints[0].is_excited) << made.joints[0].travel;
      EXPECT_NEAR(made.object.links[0].inertia.mass, 4.5, 1e-12);
      EXPECT_NEAR(made.object.links[1].inertia.mass, 2.0, 1e-12);
    }
  }
}

TEST(SimulatedRecording, OtherFramesTellTheSameMotion) {
  const model::Scene scene = source_object(JointType::revolute, true);
  const std::vector<math::Pose> X_LN{math::Pose(math::exp_so3({0.3, -0.5, 0.8}), {0.1, -0.2, 0.05}),
                                     math::Pose(math::exp_so3({-0.7, 0.2, 0.4}), {-0.1, 0.15, 0.2})};
  const model::Scene other = with_frames(scene, X_LN);
  RecordingOptions options = push_options(JointType::revolute, true);
  options.duration = 1.0;
  const SimulatedRecording a = record(scene, options);
  options.pushes[0].force_L = X_LN[1].q().conjugate() * options.pushes[0].force_L;
  options.pushes[0].p_L = X_LN[1].inverse() * options.pushes[0].p_L;
  const SimulatedRecording b = record(other, options);
  for (std::size_t k = 0; k < a.recording.rows(); k += 100) {
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_TRUE((a.recording.X_WL[i][k] * X_LN[i]).is_approx(b.recording.X_WL[i][k], 1e-9));
    for (std::size_t h = 0; h < 2; ++h) {
      const auto link = static_cast<std::size_t>(a.recording.held[h].link);
      const math::Vector6d told = math::wrench_adjoint(X_LN[link]) * b.recording.held[h].F_L[k].vector();
      EXPECT_LT((a.recording.held[h].F_L[k].vector() - told).norm(), 1e-7);
    }
  }
}

TEST(SimulatedRecording, RandomObjectsStayInTheHandsAndObeyNewtonAndEuler) {
  int joints = 0, excited = 0, stuck = 0, by_type[9] = {};
  double worst = 0.0, farthest = 0.0;
  for (std::uint64_t seed = 0; seed < 14; ++seed) {
    SampleObjectOptions object;
    object.links = 2 + static_cast<int>(seed % 7);
    object.base_is_fixed = seed % 3 == 2;
    object.seed = seed;
    const model::Scene scene = sample_object(object);
    const Exploration exploration = sample_exploration(scene, 0.5, seed);
    RecordingOptions options;
    options.grips = exploration.grips;
    options.stuck = exploration.stuck;
    options.record_reaction = true;
    options.duration = 2.0;
    options.seed = seed;
    const SimulatedRecording made = record(scene, options);
    EXPECT_NO_THROW(validate(made.object, made.recording));
    worst = std::max(worst, balance_gap(made));
    for (const auto& poses : made.recording.X_WL)
      for (const math::Pose& X : poses)
        farthest = std::max(farthest, (X.p() - scene.bodies[1].X_WB.p()).norm());
    for (const JointTruth& joint : made.joints) {
      ++joints;
      excited += joint.is_excited;
      stuck += joint.is_stuck;
      ++by_type[static_cast<int>(joint.type)];
      EXPECT_FALSE(joint.is_stuck && joint.is_excited);
    }
    EXPECT_EQ(exploration.stuck.size(), static_cast<std::size_t>(std::count_if(
                                            made.joints.begin(), made.joints.end(),
                                            [](const JointTruth& joint) { return joint.is_stuck; })));
  }
  EXPECT_LT(worst, 5e-3);
  EXPECT_LT(farthest, 4.0);
  EXPECT_GT(excited, joints * 3 / 4);  // half of the leaves that may stick do
  EXPECT_GT(stuck, 0);
  for (const JointType type :
       {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::screw, JointType::spherical})
    EXPECT_GT(by_type[static_cast<int>(type)], 2);
}

TEST(SimulatedRecording, NoLinkBetweenTwoSlidesIsLeftToItself) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SampleObjectOptions object;
    object.links = 8;
    object.chain = seed % 2 == 0 ? 1.0 : 0.5;
    object.seed = seed;
    object.types = {JointType::prismatic, JointType::screw, JointType::revolute, JointType::rigid};
    const model::Scene scene = sample_object(object);
    std::vector<char> held(scene.bodies.size(), 0);
    for (const Grip& grip : sample_exploration(scene, 0.0, seed).grips)
      held[static_cast<std::size_t>(grip.link) + 1] = 1;
    std::vector<int> slides(scene.bodies.size(), 0);  // since the last hand
    for (const model::Joint& joint : scene.joints) {
      if (joint.parent == scene.world()) continue;
      const auto parent = static_cast<std::size_t>(joint.parent.value()),
                 child = static_cast<std::size_t>(joint.child.value());
      slides[child] = (held[parent] != 0 ? 0 : slides[parent]) +
                      (joint.type == JointType::prismatic || joint.type == JointType::screw ? 1 : 0);
      EXPECT_LE(slides[child], 1) << seed;
    }
  }
}

TEST(SimulatedRecording, TheTruthIsWhatTheRelativePosesDo) {
  for (std::uint64_t seed = 20; seed < 25; ++seed) {
    SampleObjectOptions object;
    object.links = 4;
    object.seed = seed;
    const model::Scene scene = sample_object(object);
    RecordingOptions options;
    options.grips = sample_exploration(scene, 0.0, seed).grips;
    options.duration = 1.0;
    options.seed = seed;
    const SimulatedRecording made = record(scene, options);
    for (std::size_t j = 0; j < made.joints.size(); ++j) {
      const JointTruth& truth = made.joints[j];
      const auto parent = static_cast<std::size_t>(made.object.links[j + 1].parent);
      double low = 1e300, high = -1e300;
      for (std::size_t k = 0; k < made.recording.rows(); k += 10) {
        const math::Pose X_PC = made.recording.X_WL[parent][k].inverse() * made.recording.X_WL[j + 1][k];
        const Eigen::Vector3d shift = X_PC * truth.point_C - truth.point_P;
        const bool keeps_point = truth.type != JointType::prismatic && truth.type != JointType::screw;
        if (keeps_point) {
          EXPECT_LT(shift.norm(), 1e-6);
        }
        if (truth.axis_C.norm() > 0.0) {
          EXPECT_LT((X_PC.q() * truth.axis_C - truth.axis_P).norm(), 1e-6);
          EXPECT_LT(shift.cross(truth.axis_P).norm(), 1e-6);
        }
        if (truth.type == JointType::prismatic) {
          low = std::min(low, shift.dot(truth.axis_P));
          high = std::max(high, shift.dot(truth.axis_P));
        }
        if (truth.type == JointType::screw) {
          const model::Joint& joint = scene.joints[j];
          const Eigen::Quaterniond turned = joint.X_PC.q().conjugate() * X_PC.q();
          const double angle = math::log_so3(turned.normalized()).dot(truth.axis_C);
          const double turns =
              std::round((shift.dot(truth.axis_P) / truth.pitch - angle) / (2.0 * std::numbers::pi));
          // The engine couples turn and advance softly.
          EXPECT_NEAR(shift.dot(truth.axis_P), truth.pitch * (angle + 2.0 * std::numbers::pi * turns), 1e-3)
              << seed;
        }
      }
      if (truth.type == JointType::prismatic) {
        EXPECT_NEAR(high - low, truth.travel, 0.05 * truth.travel);
      }
    }
  }
}

TEST(SimulatedRecording, NoiseIsAsAskedAndTheSeedDecides) {
  const model::Scene scene = source_object(JointType::prismatic, true);
  RecordingOptions options = push_options(JointType::prismatic, true);
  options.duration = 0.5;
  const SimulatedRecording clean = record(scene, options);
  options.pose_noise = {1e-3, 5e-3};
  options.force_noise = 0.1;
  options.torque_noise = 0.01;
  const SimulatedRecording noisy = record(scene, options), again = record(scene, options);
  double position = 0.0, angle = 0.0, force = 0.0, moment = 0.0;
  const std::size_t rows = clean.recording.rows();
  for (std::size_t k = 0; k < rows; ++k) {
    EXPECT_EQ(noisy.recording.X_WL[1][k].p(), again.recording.X_WL[1][k].p());
    const math::Pose error = clean.recording.X_WL[1][k].inverse() * noisy.recording.X_WL[1][k];
    position += error.p().squaredNorm() / 3.0;
    angle += math::log_so3(error.q()).squaredNorm() / 3.0;
    const math::Vector6d F =
        noisy.recording.held[1].F_L[k].vector() - clean.recording.held[1].F_L[k].vector();
    moment += F.head<3>().squaredNorm() / 3.0;
    force += F.tail<3>().squaredNorm() / 3.0;
  }
  const auto rms = [&](double sum) { return std::sqrt(sum / static_cast<double>(rows)); };
  EXPECT_NEAR(rms(position), 1e-3, 1e-4);
  EXPECT_NEAR(rms(angle), 5e-3, 5e-4);
  EXPECT_NEAR(rms(force), 0.1, 0.01);
  EXPECT_NEAR(rms(moment), 0.01, 0.001);
}

TEST(SimulatedRecording, AStuckJointDoesNotMoveAndItsFrictionIsStated) {
  model::Scene scene = source_object(JointType::revolute, false);
  RecordingOptions options;
  options.grips.push_back({0, 0.05, 0.5});
  options.stuck = {0};
  options.duration = 1.0;
  const SimulatedRecording made = record(scene, options);
  EXPECT_TRUE(made.joints[0].is_stuck);
  EXPECT_FALSE(made.joints[0].is_excited);
  EXPECT_EQ(made.joints[0].type, JointType::revolute);
  EXPECT_GT(made.joints[0].friction, 0.01);
  EXPECT_GE(made.friction_torque, made.joints[0].friction);
  const math::Pose first = made.recording.X_WL[0][0].inverse() * made.recording.X_WL[1][0];
  for (std::size_t k = 0; k < made.recording.rows(); k += 100)
    EXPECT_TRUE(first.is_approx(made.recording.X_WL[0][k].inverse() * made.recording.X_WL[1][k], 1e-9));
}

TEST(SimulatedRecording, BadOptionsAreNamed) {
  const model::Scene scene = source_object(JointType::revolute, true);
  const auto message = [&](RecordingOptions options) -> std::string {
    try {
      record(scene, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({}).find("at least one hand"), std::string::npos);
  RecordingOptions options = push_options(JointType::revolute, true);
  options.pushes[0].link = 2;
  EXPECT_NE(message(options).find("pushes.link is 2; it must be between 0 and 1"), std::string::npos);
  options = push_options(JointType::revolute, true);
  options.sample_time = 0.0007;
  EXPECT_NE(message(options).find("sample_time is 0.0007"), std::string::npos);
  EXPECT_THROW(source_object(JointType::screw, true), std::invalid_argument);
  EXPECT_THROW(sample_object({.links = 1}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::topology
