#include <cmath>
#include <stdexcept>
#include <string>

#include <Eigen/Cholesky>

#include <prehend/articulation/pose_smoother.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/house/option_check.h>

namespace prehend::articulation {
namespace {

using Matrix12d = Eigen::Matrix<double, 12, 12>;
using Vector12d = Eigen::Matrix<double, 12, 1>;
using math::Matrix6d;
using math::Vector6d;

// Error state: V of X exp(V), and the change of the twist.
struct Belief {
  math::Pose X;
  Vector6d twist{Vector6d::Zero()};
  Matrix12d P{Matrix12d::Zero()};
};

Vector6d by_kind(double angular, double linear) {
  Vector6d values;
  values << angular, angular, angular, linear, linear, linear;
  return values;
}

}  // namespace

void SmootherOptions::validate() const {
  const math::OptionCheck check("SmootherOptions");
  check.above("angular", angular, 0.0, "rad/s^1.5");
  check.above("linear", linear, 0.0, "m/s^1.5");
  check.above("first_angular", first_angular, 0.0, "rad/s");
  check.above("first_linear", first_linear, 0.0, "m/s");
  check.above("gate", gate, 0.0);
}

std::vector<PoseSample> smooth_poses(std::span<const PoseSample> samples, const SmootherOptions& options) {
  options.validate();
  const std::size_t n = samples.size();
  std::vector<PoseSample> smooth(samples.begin(), samples.end());
  if (n < 2) return smooth;
  std::vector<Belief> predicted(n), filtered(n);
  std::vector<Matrix12d> F(n);  // from k-1 to k
  const Vector6d density = by_kind(options.angular, options.linear).array().square();
  for (std::size_t k = 0; k < n; ++k) {
    Belief& prior = predicted[k];
    if (k == 0) {
      filtered[0].X = samples[0].X;
      filtered[0].P.topLeftCorner<6, 6>() = samples[0].covariance;
      filtered[0].P.bottomRightCorner<6, 6>() =
          Vector6d(by_kind(options.first_angular, options.first_linear).array().square()).asDiagonal();
      continue;
    }
    const double dt = samples[k].t - samples[k - 1].t;
    if (!(dt > 0))
      throw std::invalid_argument("times must increase; sample " + std::to_string(k) + " does not");
    const Belief& last = filtered[k - 1];
    const Vector6d moved = dt * last.twist;
    prior.X = last.X * math::exp_se3(moved);
    prior.twist = last.twist;
    F[k].setIdentity();
    F[k].topLeftCorner<6, 6>() = math::adjoint(math::exp_se3(moved).inverse());
    F[k].topRightCorner<6, 6>() = dt * math::right_jacobian_se3(moved);
    Matrix12d Q = Matrix12d::Zero();
    Q.topLeftCorner<6, 6>().diagonal() = density * dt * dt * dt / 3;
    Q.topRightCorner<6, 6>().diagonal() = Q.bottomLeftCorner<6, 6>().diagonal() = density * dt * dt / 2;
    Q.bottomRightCorner<6, 6>().diagonal() = density * dt;
    prior.P = F[k] * last.P * F[k].transpose() + Q;

    const Vector6d innovation = math::log_se3(prior.X.inverse() * samples[k].X);
    Matrix6d R = samples[k].covariance;
    Matrix6d S = prior.P.topLeftCorner<6, 6>() + R;
    const double distance2 = innovation.dot(math::symmetric_solve(S, innovation));
    if (const double bound = 6 * options.gate * options.gate; distance2 > bound) {
      R *= distance2 / bound * distance2 / bound;
      S = prior.P.topLeftCorner<6, 6>() + R;
    }
    const Eigen::Matrix<double, 12, 6> gain = S.ldlt().solve(prior.P.topRows<6>()).transpose();
    const Vector12d step = gain * innovation;
    Belief& now = filtered[k];
    now.X = prior.X * math::exp_se3(step.head<6>());
    now.twist = prior.twist + step.tail<6>();
    Matrix12d keep = Matrix12d::Identity();
    keep.leftCols<6>() -= gain;
    now.P = keep * prior.P * keep.transpose() + gain * R * gain.transpose();
  }
  Belief next = filtered[n - 1];
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n) {
      const Belief& now = filtered[k];
      const Matrix12d gain = predicted[k + 1].P.ldlt().solve(F[k + 1] * now.P).transpose();
      Vector12d error;
      error << math::log_se3(predicted[k + 1].X.inverse() * next.X), next.twist - predicted[k + 1].twist;
      const Vector12d step = gain * error;
      Belief better;
      better.X = now.X * math::exp_se3(step.head<6>());
      better.twist = now.twist + step.tail<6>();
      better.P = now.P + gain * (next.P - predicted[k + 1].P) * gain.transpose();
      better.P = 0.5 * (better.P + better.P.transpose()).eval();
      next = better;
    }
    smooth[k].X = next.X;
    smooth[k].covariance = next.P.topLeftCorner<6, 6>();
  }
  return smooth;
}

}  // namespace prehend::articulation
