#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <prehend/articulation/evidence/bend_evidence.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using Positions = std::vector<Eigen::Vector3d>;

// Along x, bent towards y by a circle of `radius` (0: not), with noise.
Positions bent(double radius, double length, double noise, int frames, math::RandomStream& random) {
  Positions p;
  for (int i = 0; i < frames; ++i) {
    const double s = length * (static_cast<double>(i) / (frames - 1) - 0.5);
    const Eigen::Vector3d e = random.normal3();
    p.push_back(noise * e + (radius > 0 ? Eigen::Vector3d(radius * std::sin(s / radius),
                                                          radius * (1 - std::cos(s / radius)), 0)
                                        : Eigen::Vector3d(s, 0, 0)));
  }
  return p;
}

double evidence(const Positions& p, const BendSettings& settings) {
  return log_circle_over_line(p, Eigen::Vector3d::UnitX(), std::vector<double>(p.size(), 1.0), {}, settings);
}

// Least sum of squared distances from a circle of this radius that bends to this side of the x axis, or from a line (infinite radius): place and
// direction by Gauss-Newton with differences.
double least_squares(const Positions& p, double radius, double side) {
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(side, Eigen::Vector3d::UnitX()).toRotationMatrix();
  const auto residuals = [&](const Eigen::Vector4d& x) {
    Eigen::VectorXd r(2 * static_cast<Eigen::Index>(p.size()));
    const Eigen::Matrix3d R = turned * math::exp_so3({0, x[0], x[1]}).toRotationMatrix();
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Eigen::Vector3d u = R.transpose() * p[i];
      const Eigen::Index k = 2 * static_cast<Eigen::Index>(i);
      r[k] = std::isfinite(radius) ? radius - std::hypot(u.x(), radius - u.y()) - x[2] : u.y() - x[2];
      r[k + 1] = u.z() - x[3];
    }
    return r;
  };
  Eigen::Vector4d x = Eigen::Vector4d::Zero();
  for (int iteration = 0; iteration < 6; ++iteration) {
    const Eigen::VectorXd r = residuals(x);
    Eigen::MatrixXd J(r.size(), 4);
    for (int k = 0; k < 4; ++k) {
      Eigen::Vector4d y = x;
      y[k] += 1e-6;
      J.col(k) = (residuals(y) - r) / 1e-6;
    }
    x -= (J.transpose() * J).ldlt().solve(J.transpose() * r);
  }
  return residuals(x).squaredNorm();
}

// The integral over radius and side, of circles and not of parabolas, on a grid.
double by_brute_force(const Positions& p, const BendSettings& settings) {
  const double line = least_squares(p, std::numeric_limits<double>::infinity(), 0);
  constexpr int kSides = 36;
  constexpr double kStep = 0.04;  // of log radius
  double sum = 0;
  for (double log_r = std::log(0.1); log_r < std::log(4.0); log_r += kStep)
    for (int side = 0; side < kSides; ++side) {
      const double r = std::exp(log_r), scaled = r / settings.radius_scale;
      const double squares = least_squares(p, r, 2 * M_PI * side / kSides);
      sum += 2 * scaled * scaled * std::exp(-scaled * scaled) * kStep / kSides *
             std::exp(-0.5 * settings.independence * (squares - line) / (settings.noise * settings.noise));
    }
  return std::log(sum);
}

TEST(BendEvidence, EqualsTheIntegralOnAGrid) {
  const BendSettings slow{0.005, 0.1, 0.5};
  for (const double radius : {0.0, 0.6, 1.0, 2.0}) {
    math::RandomStream random(1, static_cast<std::uint64_t>(10 * radius));
    const Positions p = bent(radius, 0.4, 0.002, 60, random);
    const double expected = by_brute_force(p, slow);
    EXPECT_NEAR(evidence(p, slow), expected, 0.05 + 0.03 * std::abs(expected)) << radius;
  }
  math::RandomStream random(2);
  const BendSettings white{0.003, 1.0, 0.5};
  const Positions p = bent(0.5, 0.1, 0.003, 60, random);
  EXPECT_NEAR(evidence(p, white), by_brute_force(p, white),
              0.15);  // noise along the way, which tilts with the circle
}

TEST(BendEvidence, AShortWayTellsNothing) {
  for (int number = 0; number < 50; ++number) {
    math::RandomStream random(3, number);
    EXPECT_NEAR(evidence(bent(0.5, 0.01, 0.003, 100, random), {0.003, 1.0, 0.5}), 0.0, 0.1);
  }
}

// Radii drawn from the prior: evidence of 20 to 1 against what is true is as rare as it says.
TEST(BendEvidence, OddsAreTrue) {
  const BendSettings settings{0.003, 1.0, 0.5};
  int against = 0, strong = 0;
  constexpr int kTracks = 2000;
  for (int number = 0; number < kTracks; ++number) {
    math::RandomStream random(4, number);
    const double x = 0.5 * settings.radius_scale * std::sqrt(2.0) * random.normal();
    const double y = 0.5 * settings.radius_scale * std::sqrt(2.0) * random.normal();
    const double radius = std::hypot(x, y);
    const double length = std::min(0.5 * radius, 0.25);
    const double odds = evidence(bent(radius, length, settings.noise, 40, random), settings);
    against += odds < -std::log(20.0);
    strong += odds > std::log(20.0);
  }
  EXPECT_LT(against, kTracks / 20);
  EXPECT_GT(strong, kTracks / 4);
  // And of lines.
  against = 0;
  for (int number = 0; number < kTracks; ++number) {
    math::RandomStream random(5, number);
    against += evidence(bent(0, 0.25, settings.noise, 40, random), settings) > std::log(20.0);
  }
  EXPECT_LT(against, kTracks / 20);
}

TEST(BendEvidence, AStepIsNoBendWhereItIsAHold) {
  math::RandomStream random(6);
  Positions p = bent(0, 0.45, 0.002, 100, random);
  slip(p, 70, 1, {0, 0.04, 0});
  std::vector<int> holds(100, 0);
  std::fill(holds.begin() + 70, holds.end(), 1);
  const std::vector<double> weights(100, 1.0);
  const BendSettings settings{0.005, 0.1, 0.5};
  EXPECT_GT(log_circle_over_line(p, Eigen::Vector3d::UnitX(), weights, {}, settings), 0.0);
  EXPECT_LT(log_circle_over_line(p, Eigen::Vector3d::UnitX(), weights, holds, settings), -3.0);
}

}  // namespace
}  // namespace prehend::articulation
