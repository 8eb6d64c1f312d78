#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sample_arm.h"
#include <prehend/inertia/planning/rest_moves.h>
#include <prehend/inertia/still_poses.h>
#include <prehend/math/random.h>
#include <prehend/model/house/chain_sweep.h>

namespace prehend::inertia {
namespace {

Eigen::MatrixXd gravity_directions(const model::JointChain& chain, const Eigen::MatrixXd& poses) {
  model::ChainSweep sweep(chain, -chain.gravity_W);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(chain.size());
  Eigen::MatrixXd g(3, poses.rows());
  for (Eigen::Index k = 0; k < poses.rows(); ++k)
    g.col(k) = sweep.forward(poses.row(k).transpose(), zero, zero).a.normalized();
  return g;
}

// Without bias the torque information is a sum of (1 - g g^T): best when all axes get the same share. With an unknown
// bias the mean must vanish as well. An arm with a wrist reaches all directions, so both bounds are met.
TEST(StillPoses, GravityIsSpreadEvenly) {
  const model::JointChain chain = sample_arm();
  for (const bool has_bias : {false, true}) {
    ExcitationOptions options = short_plan();
    options.noise.has_bias = has_bias;
    const Excitation plan = plan_still_poses(chain, 6, options);
    ASSERT_EQ(plan.status, ExcitationStatus::ok) << plan.brief_report();
    ASSERT_EQ(plan.poses.rows(), 6);
    const Eigen::MatrixXd g = gravity_directions(chain, plan.poses);
    const Eigen::Matrix3d share = g * g.transpose() / 6.0;
    EXPECT_LT((share - Eigen::Matrix3d::Identity() / 3.0).norm(), has_bias ? 0.05 : 0.1);
    if (has_bias) {
      EXPECT_LT(g.rowwise().mean().norm(), 0.05);
    }
    EXPECT_TRUE(plan.plan.limits.hold());
    EXPECT_LT(plan.plan.std.com.norm(), plan.baseline.std.com.norm());
    EXPECT_LT(plan.plan.std.mass, plan.baseline.std.mass * 1.001);
  }
}

// Mass and centre of mass from stops alone, in closed form: six stops along the axes, n samples each.
TEST(StillPoses, PredictionIsTheClosedFormOnTheAxes) {
  std::vector<Motion> motions;
  const int n = 50;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      for (int i = 0; i < n; ++i) motions.push_back({.a = sign * 9.81 * Eigen::Vector3d::Unit(axis)});
    }
  }
  const WrenchNoise noise{.force = 0.1, .torque = 0.005, .has_bias = true};
  const math::SpatialInertia body = math::SpatialInertia::point_mass(0.5, Eigen::Vector3d::Zero());
  const PredictedDeviation std = predicted_still_deviation(information(motions, noise), body);
  EXPECT_NEAR(std.mass, 0.1 / (9.81 * std::sqrt(6.0 * n)), 1e-12);
  EXPECT_NEAR(std.com.x(), 0.005 / (0.5 * 9.81 * std::sqrt(4.0 * n)), 1e-12);
  EXPECT_TRUE(std::isinf(std.inertia[0]));
  EXPECT_NEAR(still_condition_number(information(motions, noise)), 1.0, 1e-9);
}

TEST(StillPoses, StandsStillWhenItSaysSo) {
  const model::JointChain chain = sample_arm();
  ExcitationOptions options = short_plan();
  options.start = Eigen::VectorXd::Constant(6, 0.2);
  options.dwell = 0.5;
  options.limits.workspace_W = Eigen::AlignedBox3d(Eigen::Vector3d(-9, -9, 0.05), Eigen::Vector3d(9, 9, 9));
  const Excitation plan = plan_still_poses(chain, 4, options);
  ASSERT_EQ(plan.status, ExcitationStatus::ok) << plan.brief_report();
  ASSERT_EQ(plan.stills.size(), 4u);
  JointState state;
  plan.motion.at(0.0, state);
  EXPECT_LT((state.q - *options.start).norm(), 1e-12);
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& [from, to] = plan.stills[k];
    EXPECT_NEAR(to - from, 0.5, 1e-12);
    for (const double t : {from, 0.5 * (from + to), to}) {
      plan.motion.at(t, state);
      EXPECT_LT(state.qd.norm() + state.qdd.norm(), 1e-9);
      EXPECT_LT((state.q - plan.poses.row(static_cast<Eigen::Index>(k)).transpose()).norm(), 1e-12);
    }
  }
  EXPECT_NEAR(plan.stills.back().second, plan.motion.duration, 1e-12);
  EXPECT_GE(plan.plan.limits.room->margin, 0.0);
  // As fast as allowed: some limit is nearly met.
  EXPECT_LT(plan.plan.limits.tool_speed.margin, 0.01 * options.limits.tool_speed);
}

TEST(StillPoses, OrderIsTheShortestOfAll) {
  math::RandomStream random(3);
  for (const int first : {-1, 2}) {
    Eigen::MatrixXd points(2, 7), durations(7, 7);
    for (double& value : points.reshaped()) value = random.uniform();
    for (int a = 0; a < 7; ++a) {
      for (int b = 0; b < 7; ++b) durations(a, b) = (points.col(a) - points.col(b)).norm();
    }
    durations(0, 1) = durations(1, 0) = std::numeric_limits<double>::infinity();
    const auto length = [&](const std::vector<int>& order) {
      double sum = 0.0;
      for (std::size_t i = 1; i < order.size(); ++i) sum += durations(order[i - 1], order[i]);
      return sum;
    };
    std::vector<int> all(7);
    std::iota(all.begin(), all.end(), 0);
    double best = std::numeric_limits<double>::infinity();
    do {
      if (first < 0 || all[0] == first) best = std::min(best, length(all));
    } while (std::next_permutation(all.begin(), all.end()));
    const std::vector<int> order = visiting_order(durations, first);
    ASSERT_EQ(order.size(), 7u);
    EXPECT_NEAR(length(order), best, 1e-12);
    if (first >= 0) {
      EXPECT_EQ(order[0], first);
    }
  }
  EXPECT_TRUE(
      visiting_order(Eigen::MatrixXd::Constant(3, 3, std::numeric_limits<double>::infinity())).empty());
  const Eigen::MatrixXd line = Eigen::VectorXd::LinSpaced(15, 0, 14).rowwise().replicate(15);
  const std::vector<int> order = visiting_order((line - line.transpose()).cwiseAbs());
  ASSERT_EQ(order.size(), 15u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(StillPoses, NamesBadInput) {
  const auto message = [](const model::JointChain& chain, int count,
                          const ExcitationOptions& options) -> std::string {
    try {
      plan_still_poses(chain, count, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  ExcitationOptions options = short_plan();
  EXPECT_EQ(message(sample_arm(), 1, options), "number of still poses is 1; it must be from 2 to 100");
  options.noise.has_bias = true;
  EXPECT_EQ(message(sample_arm(), 2, options),
            "number of still poses is 2; it must be from 3 (the bias is unknown) to 100");
  options.dwell = 0.001;
  EXPECT_EQ(message(sample_arm(), 4, options),
            "dwell is 0.001 s; it must hold at least one sample, 0.01 s, and all stops at most a million");
  // Hinges along gravity never turn it.
  options = short_plan();
  const Excitation flat = plan_still_poses(planar_arm(3), 4, options);
  EXPECT_EQ(flat.status, ExcitationStatus::infeasible);
  EXPECT_EQ(flat.problems.at(0),
            "no still poses that keep all limits were found, or gravity takes too few directions there");
}

}  // namespace
}  // namespace prehend::inertia
