#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Cholesky>

#include <prehend/articulation/fit/pose_covariances.h>

namespace prehend::articulation {

math::Matrix6d relative_covariance(const math::Matrix6d& fixed, const math::Matrix6d& moving,
                                   const math::Pose& X_FM) {
  const math::Matrix6d lever = math::adjoint(X_FM.inverse());
  return moving + lever * fixed * lever.transpose();
}

std::vector<PoseWeight> pose_weights(const std::vector<math::Matrix6d>& covariances) {
  std::vector<PoseWeight> weights;
  weights.reserve(covariances.size());
  for (const math::Matrix6d& C : covariances) {
    // Metres and radians apart, so that neither decides what is singular.
    const math::Vector6d scale = C.diagonal().cwiseMax(0.0).cwiseSqrt();
    const math::Vector6d unit = scale.cwiseInverse();
    const Eigen::LLT<math::Matrix6d> llt(math::Matrix6d(unit.asDiagonal() * C * unit.asDiagonal()));
    if (!unit.allFinite() || llt.info() != Eigen::Success)
      throw std::invalid_argument("a pose's covariance is not positive definite");
    PoseWeight weight;
    weight.whitening = llt.matrixL().solve(math::Matrix6d(unit.asDiagonal()));
    weight.log_determinant =
        2 * (math::Matrix6d(llt.matrixL()).diagonal().array().log().sum() + scale.array().log().sum());
    weight.angle2 = C.diagonal().head<3>().mean();
    weight.position2 = C.diagonal().tail<3>().mean();
    weights.push_back(weight);
  }
  return weights;
}

PoseNoise typical_noise(const std::vector<PoseWeight>& weights) {
  double position2 = 0, angle2 = 0;
  for (const PoseWeight& weight : weights) {
    position2 += weight.position2;
    angle2 += weight.angle2;
  }
  const double n = std::max<double>(1.0, static_cast<double>(weights.size()));
  return {std::sqrt(position2 / n), std::sqrt(angle2 / n)};
}

PoseNoise typical_noise(const std::vector<math::Matrix6d>& covariances) {
  double position2 = 0, angle2 = 0;
  for (const math::Matrix6d& C : covariances) {
    position2 += C.diagonal().tail<3>().mean();
    angle2 += C.diagonal().head<3>().mean();
  }
  const double n = std::max<double>(1.0, static_cast<double>(covariances.size()));
  return {std::sqrt(position2 / n), std::sqrt(angle2 / n)};
}

}  // namespace prehend::articulation
