#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sample_arm.h"
#include <prehend/inertia/planning/excitation_search.h>
#include <prehend/math/random.h>

namespace prehend::inertia {
namespace {

TEST(ExcitationSearch, BasisRestsAtBothEndsAndStaysInTheBand) {
  const FourierBasis basis(5.0, 6);
  EXPECT_EQ(basis.size(), 10);
  Eigen::VectorXd f, fd, fdd, up, down, unused;
  for (const double t : {0.0, 5.0}) {
    basis.at(t, f, fd, fdd);
    EXPECT_LT(f.norm() + fd.norm() + fdd.norm(), 1e-12);
  }
  const double h = 1e-5;
  basis.at(1.3, f, fd, fdd);
  basis.at(1.3 + h, up, unused, unused);
  basis.at(1.3 - h, down, unused, unused);
  EXPECT_LT((fd - (up - down) / (2 * h)).norm(), 1e-8);
  EXPECT_LT((fdd - (up - 2 * f + down) / (h * h)).norm(), 1e-4);
  // No content above the sixth harmonic: a discrete transform over one period.
  constexpr int n = 64;
  for (int k = 7; k < n / 2; ++k) {
    Eigen::VectorXcd sum = Eigen::VectorXcd::Zero(basis.size());
    for (int i = 0; i < n; ++i) {
      basis.at(5.0 * i / n, f, fd, fdd);
      sum += f.cast<std::complex<double>>() * std::polar(1.0, -2.0 * std::numbers::pi * k * i / n);
    }
    EXPECT_LT(sum.norm(), 1e-12) << k;
  }
}

TEST(ExcitationSearch, RegressorGradientIsTheNumericalDerivative) {
  math::RandomStream random(5);
  const Regressor G = Regressor::NullaryExpr([&] { return random.normal(); });
  Motion motion{random.normal3(), random.normal3(), random.normal3()};
  const Motion gradient = regressor_gradient(G, motion);
  const auto value = [&] { return G.cwiseProduct(wrench_regressor(motion)).sum(); };
  for (const auto& [part, slope] :
       {std::pair(&motion.a, gradient.a), {&motion.w, gradient.w}, {&motion.al, gradient.al}}) {
    for (int i = 0; i < 3; ++i) {
      const double h = 1e-5, kept = (*part)[i];
      (*part)[i] = kept + h;
      const double up = value();
      (*part)[i] = kept - h;
      const double down = value();
      (*part)[i] = kept;
      EXPECT_NEAR(slope[i], (up - down) / (2 * h), 1e-8);
    }
  }
}

// All limits, both criteria, with and without bias: every branch of the gradient.
TEST(ExcitationSearch, CostGradientIsTheNumericalDerivative) {
  const model::JointChain chain = sample_arm();
  const FourierBasis basis(4.0, 4);
  for (const Criterion criterion : {Criterion::d_optimal, Criterion::a_optimal}) {
    for (const bool has_bias : {false, true}) {
      ExcitationOptions options = short_plan();
      options.criterion = criterion;
      options.noise.has_bias = has_bias;
      options.object.centre_S = Eigen::Vector3d(0.02, -0.03, 0.05);
      options.limits.workspace_W = Eigen::AlignedBox3d(Eigen::Vector3d(-2, -2, 0), Eigen::Vector3d(2, 2, 2));
      options.limits.keep_out_W.emplace_back(Eigen::Vector3d(-2, -2, 0), Eigen::Vector3d(-0.6, 2, 2));
      ExcitationCost cost(chain, options, basis);
      math::RandomStream random(6);
      SeriesCoefficients series{Eigen::VectorXd::Constant(6, 0.3), Eigen::MatrixXd(basis.size(), 6)};
      for (double& value : series.C.reshaped()) value = 0.02 * random.normal();
      Eigen::VectorXd x = cost.pack(series), gradient, unused;
      EXPECT_EQ(cost.unpack(x).C, series.C);
      ASSERT_TRUE(std::isfinite(cost(x, 0.5, gradient)));
      for (int i = 0; i < x.size(); ++i) {
        const double h = 1e-6, kept = x[i];
        x[i] = kept + h;
        const double up = cost(x, 0.5, unused);
        x[i] = kept - h;
        const double down = cost(x, 0.5, unused);
        x[i] = kept;
        EXPECT_NEAR(gradient[i], (up - down) / (2 * h), 1e-6 * (1.0 + std::abs(gradient[i]))) << i;
      }
    }
  }
}

TEST(ExcitationLimits, BallSpeedIsThatOfItsFastestPoint) {
  math::RandomStream random(7);
  for (int trial = 0; trial < 10; ++trial) {
    const Eigen::Vector3d v = random.normal3(), w = random.normal3();
    const double radius = random.uniform(0.1, 2.0), claimed = std::sqrt(squared_ball_speed(v, w, radius));
    double fastest = 0.0;
    for (int i = 0; i < 20000; ++i)
      fastest = std::max(fastest, (v + w.cross(radius * random.unit_vector())).norm());
    EXPECT_LE(fastest, claimed * (1.0 + 1e-12));
    EXPECT_GT(fastest, claimed * 0.995);  // the best of 20000 points lies within 2 degrees of the fastest
  }
}

// Eliminating six biases from the sixteen unknowns leaves what centring leaves.
TEST(Information, UnknownBiasCostsWhatItsEliminationCosts) {
  math::RandomStream random(8);
  std::vector<Motion> motions;
  for (int i = 0; i < 30; ++i) motions.push_back({random.normal3(), random.normal3(), random.normal3()});
  const WrenchNoise noise{.force = 0.3, .torque = 0.02, .has_bias = true};
  Eigen::Matrix<double, 16, 16> all = Eigen::Matrix<double, 16, 16>::Zero();
  for (const Motion& motion : motions) {
    Eigen::Matrix<double, 6, 16> rows;
    rows << wrench_regressor(motion), math::Matrix6d::Identity();
    rows.topRows<3>() /= noise.torque;
    rows.bottomRows<3>() /= noise.force;
    all += rows.transpose() * rows;
  }
  const Eigen::MatrixXd expected = all.inverse().topLeftCorner<10, 10>(),
                        found = information(motions, noise).inverse();
  EXPECT_LT((expected - found).norm(), 1e-10 * expected.norm());
}

}  // namespace
}  // namespace prehend::inertia
