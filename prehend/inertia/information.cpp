#include <cmath>

#include <prehend/inertia/information.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/math/house/infinity.h>
#include <prehend/math/house/option_check.h>

namespace prehend::inertia {
namespace {

using math::kInfinity;

// Rounding of sums of squares: what is smaller, relative to a unit diagonal, is no information.
constexpr double kSmallestShare = 1e-13;

// Inverse; infinite where rank is lost.
Eigen::MatrixXd covariance_of(const Eigen::MatrixXd& information) {
  const Eigen::VectorXd diagonal = information.diagonal();
  const Eigen::MatrixXd none = Eigen::MatrixXd::Constant(diagonal.size(), diagonal.size(), kInfinity);
  if (!(diagonal.minCoeff() > 0.0) || !diagonal.allFinite()) return none;
  const ScaledSymmetric scaled(information);
  return scaled.values()[0] > kSmallestShare ? scaled.inverse(kSmallestShare) : none;
}

double condition_of(const Eigen::MatrixXd& information) {
  if (!(information.diagonal().minCoeff() > 0.0)) return kInfinity;
  const Eigen::VectorXd values = ScaledSymmetric(information).values();
  return values[0] > kSmallestShare ? std::sqrt(values[values.size() - 1] / values[0]) : kInfinity;
}

// com = (m c) / m: first order in the covariance of [m, m c].
void set_com(const Eigen::Matrix4d& covariance, const math::SpatialInertia& expected_S,
             PredictedDeviation& deviation) {
  Eigen::Matrix<double, 3, 4> J;
  J << -expected_S.com, Eigen::Matrix3d::Identity();
  J /= expected_S.mass;
  deviation.com_covariance = J * covariance * J.transpose();
  deviation.com = deviation.com_covariance.diagonal().cwiseSqrt();
  if (!covariance.allFinite()) deviation.com.setConstant(kInfinity);
}

}  // namespace

void WrenchNoise::validate() const {
  const math::OptionCheck check("WrenchNoise");
  check.above("force", force, 0.0, "N");
  check.above("torque", torque, 0.0, "N m");
}

math::Matrix10d information(std::span<const Motion> motions, const WrenchNoise& noise) {
  noise.validate();
  math::Vector6d scale;
  scale << Eigen::Vector3d::Constant(1.0 / noise.torque), Eigen::Vector3d::Constant(1.0 / noise.force);
  Regressor mean = Regressor::Zero();
  if (noise.has_bias) {
    for (const Motion& motion : motions) mean += wrench_regressor(motion);
    if (!motions.empty()) mean /= static_cast<double>(motions.size());
  }
  math::Matrix10d sum = math::Matrix10d::Zero();
  for (const Motion& motion : motions) {
    const Regressor rows = scale.asDiagonal() * (wrench_regressor(motion) - mean);
    sum.noalias() += rows.transpose() * rows;
  }
  return sum;
}

double condition_number(const math::Matrix10d& information) { return condition_of(information); }
double still_condition_number(const math::Matrix10d& information) {
  return condition_of(information.topLeftCorner<4, 4>());
}

PredictedDeviation predicted_deviation(const math::Matrix10d& information,
                                       const math::SpatialInertia& expected_S) {
  const math::Matrix10d covariance = covariance_of(information);
  PredictedDeviation deviation;
  deviation.mass = std::sqrt(covariance(0, 0));
  set_com(covariance.topLeftCorner<4, 4>(), expected_S, deviation);
  deviation.inertia = covariance.diagonal().tail<6>().cwiseSqrt();
  return deviation;
}

PredictedDeviation predicted_still_deviation(const math::Matrix10d& information,
                                             const math::SpatialInertia& expected_S) {
  const Eigen::Matrix4d covariance = covariance_of(information.topLeftCorner<4, 4>());
  PredictedDeviation deviation;
  deviation.mass = std::sqrt(covariance(0, 0));
  set_com(covariance, expected_S, deviation);
  deviation.inertia.setConstant(kInfinity);
  return deviation;
}

}  // namespace prehend::inertia
