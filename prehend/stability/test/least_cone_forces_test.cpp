#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "graph_scenes.h"
#include <prehend/math/quadratic_program.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

model::Scene slope(double angle, double mu) {
  graph_scenes::SceneBuilder builder(mu);
  builder.frame = math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitY())));
  builder.add_floor();
  builder.add("box", {1, 1, 1}, {0, 0, 0.5}, 1.0);
  return builder.scene;
}

void expect_equilibrium(const ContactSystem& system, const ForceDistribution& resting) {
  std::vector<math::Vector6d> sum;
  for (NodeIndex i(0); i < system.bodies.size(); ++i) sum.push_back(system.gravity_wrench(i));
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const SystemContact& c = system.contacts[k];
    const math::Vector6d w = system.force_wrench(resting.forces_W[k], c.p_W);
    if (c.b.is_valid()) sum[c.b] += w;
    if (c.a.is_valid()) sum[c.a] -= w;
    const double f_n = resting.forces_W[k].dot(c.n_W());
    EXPECT_LE((resting.forces_W[k] - f_n * c.n_W()).norm(), c.mu * f_n + 1e-7 * system.weight);
  }
  for (const math::Vector6d& rest : sum) EXPECT_LT(rest.norm(), 1e-6 * system.weight * system.length);
}

double squared(const ForceDistribution& resting) {
  double sum = 0.0;
  for (const Vector3d& f : resting.forces_W) sum += f.squaredNorm();
  return sum;
}

// The same program with pyramids: inside the cones it cannot be cheaper, around them not dearer.
double pyramid_objective(const ContactSystem& system, int sides, bool inside) {
  const int n = 3 * static_cast<int>(system.contacts.size());
  math::QuadraticProgram program;
  program.H = 2.0 * Eigen::MatrixXd::Identity(n, n);
  program.g = Eigen::VectorXd::Zero(n);
  program.A = Eigen::MatrixXd::Zero(system.unknowns(), n);
  program.b = Eigen::VectorXd::Zero(system.unknowns());
  program.C = Eigen::MatrixXd::Zero(sides * n / 3, n);
  program.upper = Eigen::VectorXd::Zero(sides * n / 3);
  program.lower = Eigen::VectorXd::Constant(sides * n / 3, -std::numeric_limits<double>::infinity());
  for (NodeIndex i(0); i < system.bodies.size(); ++i)
    program.b.segment<6>(6 * i.value()) = -system.gravity_wrench(i);
  for (int k = 0; k < n / 3; ++k) {
    const SystemContact& c = system.contacts[static_cast<std::size_t>(k)];
    for (int j = 0; j < 3; ++j) {
      const math::Vector6d w = system.force_wrench(c.R_WC.col(j), c.p_W);
      if (c.b.is_valid()) program.A.col(3 * k + j).segment<6>(6 * c.b.value()) += w;
      if (c.a.is_valid()) program.A.col(3 * k + j).segment<6>(6 * c.a.value()) -= w;
    }
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      program.C.row(sides * k + i).segment<3>(3 * k) << std::cos(angle), std::sin(angle),
          -c.mu * (inside ? std::cos(std::numbers::pi / sides) : 1.0);
    }
  }
  return math::solve_quadratic_program(program).objective;
}

TEST(LeastConeForces, ACubeSharesItsWeight) {
  const model::Scene scene = graph_scenes::cubes(1, 0.5);
  const ContactSystem system = build_contact_system(scene);
  const ForceDistribution resting = least_cone_forces(system);
  ASSERT_EQ(resting.status, DistributionStatus::balanced);
  for (const Vector3d& f : resting.forces_W) EXPECT_LT((f - Vector3d(0, 0, 9.81 / 4)).norm(), 1e-9);
}

TEST(LeastConeForces, TheStackAndTheTableBalance) {
  for (const model::Scene& scene : {graph_scenes::cubes(3, 0.4), graph_scenes::table(0.4)}) {
    ContactSystemOptions options;
    options.points = ContactPoints::sampled;
    const ContactSystem system = build_contact_system(scene, options);
    const ForceDistribution resting = least_cone_forces(system);
    ASSERT_EQ(resting.status, DistributionStatus::balanced);
    expect_equilibrium(system, resting);
  }
}

TEST(LeastConeForces, OnASteepSlopeTheConesMatter) {
  const model::Scene scene = slope(0.45, 0.55);  // tan 0.45 = 0.483; the upper edge is nearly unloaded
  const ContactSystem system = build_contact_system(scene);
  const ForceDistribution resting = least_cone_forces(system);
  ASSERT_EQ(resting.status, DistributionStatus::balanced);
  expect_equilibrium(system, resting);
  const double best = squared(resting);
  EXPECT_GE(best, pyramid_objective(system, 48, false) * (1 - 1e-6));
  EXPECT_LE(best, pyramid_objective(system, 48, true) * (1 + 1e-6));
}

// A bar in a V: each face would like to carry straight up, at 45 degrees to its normal, but friction does not allow it.
TEST(LeastConeForces, InAGrooveTheForcesLeanAsFarAsTheyMay) {
  graph_scenes::SceneBuilder builder(0.4);
  builder.frame =
      math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(0.25 * std::numbers::pi, Vector3d::UnitX())));
  builder.add("bar", {2, 1, 1}, {0, 0, 0}, 1.0);
  builder.add("right", {4, 1, 3}, {0, -1, 0}, 0.0);
  builder.add("left", {4, 1, 1}, {0, 0, -1}, 0.0);
  const ContactSystem system = build_contact_system(builder.scene);
  const ForceDistribution resting = least_cone_forces(system);
  ASSERT_EQ(resting.status, DistributionStatus::balanced);
  expect_equilibrium(system, resting);
  // By hand: every force lies on its cone's edge, and the two faces carry alike: N (1 + mu) / sqrt 2 each face, up.
  const double normal = 9.81 / (std::numbers::sqrt2 * 1.4);
  EXPECT_NEAR(squared(resting), 2 * 4 * std::pow(normal / 4, 2) * (1 + 0.16), 1e-5);
}

TEST(LeastConeForces, SaysWhenNothingHolds) {
  EXPECT_EQ(least_cone_forces(build_contact_system(slope(0.45, 0.4))).status, DistributionStatus::unstable);
  EXPECT_EQ(least_cone_forces(build_contact_system(slope(0.9, 2.0))).status,
            DistributionStatus::unstable);  // tips
}

}  // namespace
}  // namespace prehend::stability
