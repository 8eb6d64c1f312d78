#include <cmath>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <prehend/articulation/pose_smoother.h>
#include <prehend/math/random.h>

namespace prehend::articulation {
namespace {

using math::Matrix6d;
using math::Vector6d;

Matrix6d noise(double angle, double position) {
  Vector6d v;
  v << angle, angle, angle, position, position, position;
  return Vector6d(v.array().square()).asDiagonal();
}

// Without rotation everything is linear: the same answer must come from one dense least-squares problem over all positions
// and velocities, written down without a filter.
TEST(PoseSmoother, EqualsTheBatchSolutionForTranslations) {
  SmootherOptions options;
  options.gate = 1e6;
  math::RandomStream random(1);
  std::vector<PoseSample> samples;
  std::vector<double> t = {0, 0.1, 0.25, 0.3, 0.7, 0.75, 1.4};
  for (const double time : t) {
    const double s = random.uniform(0.01, 0.1);
    samples.push_back(
        {time, math::Pose::translation({std::sin(time) + s * random.normal(), 0, 0}), noise(0.01, s)});
  }
  const std::vector<PoseSample> smooth = smooth_poses(samples, options);

  const Eigen::Index n = static_cast<Eigen::Index>(t.size());
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(2 * n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const PoseSample& sample = samples[static_cast<std::size_t>(k)];
    information(2 * k, 2 * k) += 1 / sample.covariance(3, 3);
    right(2 * k) += sample.X.p().x() / sample.covariance(3, 3);
    if (k == 0) {
      information(1, 1) += 1 / (options.first_linear * options.first_linear);
      continue;
    }
    const double dt = sample.t - samples[static_cast<std::size_t>(k - 1)].t,
                 q = options.linear * options.linear;
    Eigen::Matrix2d Q;
    Q << q * dt * dt * dt / 3, q * dt * dt / 2, q * dt * dt / 2, q * dt;
    Eigen::Matrix<double, 2, 4> A;  // x_k - F x_{k-1}
    A << -1, -dt, 1, 0, 0, -1, 0, 1;
    information.block<4, 4>(2 * k - 2, 2 * k - 2) += A.transpose() * Q.inverse() * A;
  }
  const Eigen::MatrixXd covariance = information.inverse();
  const Eigen::VectorXd x = covariance * right;
  for (Eigen::Index k = 0; k < n; ++k) {
    EXPECT_NEAR(smooth[static_cast<std::size_t>(k)].X.p().x(), x(2 * k), 1e-9);
    EXPECT_NEAR(smooth[static_cast<std::size_t>(k)].covariance(3, 3), covariance(2 * k, 2 * k), 1e-9);
  }
}

TEST(PoseSmoother, TurningPartsGetBetterAndKnowHowGood) {
  Vector6d twist;
  twist << 0.8, -0.5, 1.2, 0.2, 0.1, -0.3;
  math::RandomStream random(2);
  double raw = 0, better = 0, consistency = 0;
  int count = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<PoseSample> samples;
    std::vector<math::Pose> truth;
    for (int k = 0; k < 40; ++k) {
      truth.push_back(math::exp_se3(k / 30.0 * twist));
      Vector6d e;
      for (int i = 0; i < 6; ++i) e[i] = (i < 3 ? 0.05 : 0.01) * random.normal();
      samples.push_back({k / 30.0, truth.back() * math::exp_se3(e), noise(0.05, 0.01)});
    }
    const std::vector<PoseSample> smooth = smooth_poses(samples);
    for (std::size_t k = 0; k < smooth.size(); ++k) {
      const Vector6d a = math::log_se3(truth[k].inverse() * samples[k].X),
                     b = math::log_se3(truth[k].inverse() * smooth[k].X);
      raw += a.squaredNorm();
      better += b.squaredNorm();
      consistency += b.dot(smooth[k].covariance.ldlt().solve(b));
      ++count;
    }
  }
  EXPECT_LT(std::sqrt(better / raw), 0.5);
  // Six for a perfect model; below it, since this twist does not wander.
  EXPECT_LT(consistency / count, 6.5);
  EXPECT_GT(consistency / count, 2.0);
}

TEST(PoseSmoother, AFlipIsNotFollowed) {
  std::vector<PoseSample> samples;
  for (int k = 0; k < 30; ++k) samples.push_back({k / 30.0, math::Pose(), noise(0.01, 0.001)});
  Vector6d flip;
  flip << 1.0, 0, 0, 0, 0, 0;
  samples[15].X = math::exp_se3(flip);
  const std::vector<PoseSample> smooth = smooth_poses(samples);
  EXPECT_LT(math::log_se3(smooth[15].X).norm(), 0.02);
}

TEST(PoseSmoother, BadInputIsNamed) {
  std::vector<PoseSample> samples(2);
  EXPECT_THROW(smooth_poses(samples), std::invalid_argument);
  SmootherOptions options;
  options.linear = 0;
  EXPECT_THROW(smooth_poses({}, options), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::articulation
