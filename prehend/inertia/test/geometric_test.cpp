#include <cmath>
#include <stdexcept>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sample_maker.h"
#include <prehend/inertia/methods/divergence_newton.h>
#include <prehend/inertia/methods/geometric.h>
#include <prehend/inertia/methods/least_squares.h>

namespace prehend::inertia {
namespace {

struct Case {
  NormalEquations sums;
  math::SpatialInertia body, prior;
};

Case noisy_case(std::uint64_t seed = 1, double size = 0.2) {
  Case made;
  made.body = test::some_body(0.7, size);
  made.prior = math::SpatialInertia::solid_box(0.8, size * Eigen::Vector3d(0.5, 0.9, 0.3));
  made.prior.com = size * Eigen::Vector3d(0.0, 0.5, 0.0);
  Samples samples = test::make_samples(made.body, 150, 0.5, seed);
  test::add_noise(samples, {.a = 0.1, .w = 0.0, .al = 1.0, .force = 0.33, .torque = 0.0067}, seed);
  made.sums.add(samples.samples);
  return made;
}

TEST(Geometric, NoNeighbourIsBetter) {
  for (const double size : {2e-3, 0.2, 20.0}) {
    const Case made = noisy_case(3, size);
    const Estimate found = geometric(made.sums, made.prior);
    ASSERT_EQ(found.status, Status::ok) << size;
    EXPECT_LT(found.iterations, 30);
    EXPECT_TRUE(found.consistency.is_consistent());
    const math::Vector10d phi = found.inertia_S.parameters();
    const double best = geometric_objective(made.sums, made.prior, phi);
    ASSERT_TRUE(std::isfinite(best));
    // Neighbours in all directions that keep it a body, (1 + eS) J (1 + eS)^T: both sides rise alike where the slope is zero.
    math::RandomStream random(9);
    const Eigen::Matrix4d J = found.inertia_S.pseudo_inertia();
    for (int trial = 0; trial < 20; ++trial) {
      Eigen::Matrix4d S;
      for (double& entry : S.reshaped()) entry = 1e-3 * random.normal();
      const auto rise = [&](double sign) {
        const Eigen::Matrix4d F = Eigen::Matrix4d::Identity() + sign * S;
        const math::Vector10d other =
            math::SpatialInertia::from_pseudo_inertia(F * J * F.transpose()).parameters();
        return geometric_objective(made.sums, made.prior, other) - best;
      };
      const double above = rise(1.0), below = rise(-1.0);
      EXPECT_GE(above, -1e-12 * best) << trial;
      EXPECT_GE(below, -1e-12 * best) << trial;
      EXPECT_LT(std::abs(above - below), 0.05 * (above + below) + 1e-11 * best) << trial;
    }
  }
}

TEST(Geometric, TheWeightLeadsFromLeastSquaresToThePrior) {
  const Case made = noisy_case();
  const Estimate prior_only = geometric(made.sums, made.prior, {.alpha = 1e9});
  EXPECT_LT((prior_only.inertia_S.parameters() - made.prior.parameters()).norm(),
            1e-6 * made.prior.parameters().norm());

  NormalEquations clean;  // a body inside the cone: nothing keeps the data from deciding
  clean.add(test::make_samples(made.body, 150, 2.0, 1).samples);
  const Estimate data_only = geometric(clean, made.prior, {.alpha = 1e-14});
  ASSERT_EQ(data_only.status, Status::ok);
  EXPECT_LT((data_only.inertia_S.I_com - made.body.I_com).norm(), 1e-6 * made.body.I_com.norm());
}

TEST(Geometric, AlwaysReturnsABody) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Case made = noisy_case(seed);
    for (const double alpha : {1e-10, 1e-7, 1e-5}) {
      const Estimate found = geometric(made.sums, made.prior, {.alpha = alpha});
      ASSERT_EQ(found.status, Status::ok) << seed << " " << alpha;
      EXPECT_TRUE(found.consistency.is_consistent()) << seed << " " << alpha;
    }
  }
}

TEST(Geometric, DoesNotDependOnTheFrame) {
  // The divergence is invariant; forces and torques mix when the origin moves, so only turns leave the rows' sum alone.
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.4, 0.5, -0.6, 0.2).normalized();
  Samples samples = test::make_samples(test::some_body(), 100, 1.0, 5);
  test::add_noise(samples, {.a = 0.1, .w = 0.0, .al = 1.0, .force = 0.33, .torque = 0.0067}, 6);
  Samples turned = samples;
  for (Sample& sample : turned.samples) {
    sample.motion = {turn * sample.motion.a, turn * sample.motion.w, turn * sample.motion.al};
    sample.wrench.head<3>() = (turn * sample.wrench.head<3>()).eval();
    sample.wrench.tail<3>() = (turn * sample.wrench.tail<3>()).eval();
  }
  const math::SpatialInertia prior = noisy_case().prior;
  const math::Pose X = math::Pose::rotation(turn);
  NormalEquations here, there;
  here.add(samples.samples);
  there.add(turned.samples);
  // trace(A^T A) depends a little on the axes (products of inertia count twice), so the weight is made equal by hand.
  const double ratio =
      here.factor().leftCols<10>().squaredNorm() / there.factor().leftCols<10>().squaredNorm();
  const math::SpatialInertia a = geometric(here, prior).inertia_S.expressed_in(X);
  const math::SpatialInertia b = geometric(there, prior.expressed_in(X), {.alpha = 1e-5 * ratio}).inertia_S;
  EXPECT_LT((a.parameters() - b.parameters()).norm(), 1e-8 * a.parameters().norm());
}

TEST(Geometric, StillDataKeepTheInertiaOfThePrior) {
  const math::SpatialInertia body = test::some_body();
  NormalEquations sums;
  sums.add(test::make_samples(body, 30, 0.0, 1).samples);
  const Estimate found = geometric(sums, noisy_case().prior);
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_NEAR(found.inertia_S.mass, body.mass, 1e-3);
  EXPECT_EQ(found.rank, 4);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(found.notes[0],
            "the data do not determine I_xx, I_xy, I_xz, I_yy, I_yz, I_zz: those come from the prior");
}

// Bodies drawn from the prior that the objective implies, exp(-objective / 2 s^2) with s the noise of the rows, and measured
// with that noise: errors scatter as the posterior says. Narrow, so that the divergence is its quadratic part.
TEST(Geometric, CovarianceIsThePosterior) {
  const math::SpatialInertia prior = test::some_body();
  const Eigen::Matrix4d L = prior.pseudo_inertia().llt().matrixL();
  const Samples motions = test::make_samples(prior, 40, 3.0, 7);
  NormalEquations rows;
  rows.add(motions.samples);
  const double noise = 1e-3, spread = 0.03;  // [N, N m]; of the whitened body's entries
  const GeometricOptions options{.alpha = 2.0 * std::pow(noise / spread, 2) /
                                          rows.factor().leftCols<10>().squaredNorm()};
  constexpr int kRuns = 1500;
  math::Matrix10d scatter = math::Matrix10d::Zero(), reported = math::Matrix10d::Zero();
  for (int run = 0; run < kRuns; ++run) {
    math::RandomStream random(11, static_cast<std::uint64_t>(run));
    math::Vector10d drawn;
    for (double& entry : drawn) entry = spread * random.normal();
    const Eigen::Matrix4d Y = Eigen::Matrix4d::Identity() + symmetric_of(drawn);
    const math::SpatialInertia body = math::SpatialInertia::from_pseudo_inertia(L * Y * L.transpose());
    Samples samples = motions;
    for (Sample& sample : samples.samples) sample.wrench = wrench_of(body, sample.motion);
    test::add_noise(samples, {.a = 0, .w = 0, .al = 0, .force = noise, .torque = noise},
                    static_cast<std::uint64_t>(run));
    NormalEquations sums;
    sums.add(samples.samples);
    const Estimate found = geometric(sums, prior, options);
    const math::Vector10d error = found.inertia_S.parameters() - body.parameters();
    scatter += error * error.transpose() / kRuns;
    reported += found.covariance / kRuns;
  }
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(reported(k, k) / scatter(k, k), 1.0, 0.15) << parameter_name(k);
}

TEST(Geometric, MakesItsPriorFromShapeOrBox) {
  Shape shape;
  shape.box.extend(Eigen::Vector3d(0, 0, 0));
  shape.box.extend(Eigen::Vector3d(0.1, 0.2, 0.3));
  const math::Pose X_SO = math::Pose::translation({1, 2, 3});
  math::SpatialInertia prior = homogeneous_prior(shape, X_SO, 2.0);
  EXPECT_LT((prior.com - Eigen::Vector3d(1.05, 2.1, 3.15)).norm(), 1e-14);
  EXPECT_LT((prior.I_com - math::SpatialInertia::solid_box(2.0, {0.1, 0.2, 0.3}).I_com).norm(), 1e-14);
  shape.of_unit_mass = math::SpatialInertia::solid_sphere(1.0, 0.5);
  prior = homogeneous_prior(shape, X_SO, 2.0);
  EXPECT_NEAR(prior.I_com(0, 0), 0.4 * 2.0 * 0.25, 1e-14);
  EXPECT_THROW(homogeneous_prior(shape, X_SO, -1.0), std::invalid_argument);
  EXPECT_THROW(homogeneous_prior(Shape{}, X_SO, 1.0), std::invalid_argument);
}

TEST(Geometric, SaysWhatIsWrong) {
  const Case made = noisy_case();
  EXPECT_THROW(geometric(made.sums, math::SpatialInertia::point_mass(1.0, {0, 0, 1})), std::invalid_argument);
  EXPECT_THROW(geometric(made.sums, made.prior, {.alpha = 0.0}), std::invalid_argument);
  EXPECT_EQ(geometric(NormalEquations{}, made.prior).problems.at(0), "there are no samples");
  NormalEquations upside_down;  // gravity of the wrong sign
  Samples samples = test::make_samples(made.body, 20, 0.1, 1);
  for (Sample& sample : samples.samples) sample.wrench *= -1.0;
  upside_down.add(samples.samples);
  Shape shape;
  shape.of_unit_mass = made.prior;
  const Estimate found = geometric(upside_down, shape, math::Pose());
  EXPECT_EQ(found.status, Status::failed);
  EXPECT_EQ(found.problems.at(0), "least squares finds a mass of -0.7 kg, which no prior body can have");
  EXPECT_TRUE(std::isinf(geometric_objective(made.sums, made.prior, -made.body.parameters())));
}

}  // namespace
}  // namespace prehend::inertia
