#include <cmath>
#include <stdexcept>
#include <string>

#include <Eigen/SVD>

#include <prehend/math/pose.h>

namespace prehend::math {
namespace {
constexpr double kTolerance = 1e-6;  // what a file with six digits leaves of a unit quaternion
}

Pose::Pose(const Eigen::Quaterniond& q_AB, const Eigen::Vector3d& p_AB) : q_(q_AB), p_(p_AB) {
  const double norm = q_AB.norm();
  if (!(std::abs(norm - 1.0) <= kTolerance)) {
    throw std::invalid_argument("Pose: quaternion has norm " + std::to_string(norm) +
                                "; it must be 1 (to 1e-6)");
  }
  if (!p_AB.allFinite()) throw std::invalid_argument("Pose: position is not finite");
  q_.coeffs() /= norm;
}

Pose::Pose(const Eigen::Matrix3d& R_AB, const Eigen::Vector3d& p_AB) : p_(p_AB) {
  const double defect = (R_AB * R_AB.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!(defect <= kTolerance) || R_AB.determinant() < 0.0) {
    throw std::invalid_argument("Pose: matrix is not a rotation (R R^T differs from identity by " +
                                std::to_string(defect) + ", determinant " +
                                std::to_string(R_AB.determinant()) + ")");
  }
  if (!p_AB.allFinite()) throw std::invalid_argument("Pose: position is not finite");
  q_ = Eigen::Quaterniond(R_AB).normalized();
}

Pose Pose::from_matrix(const Eigen::Matrix4d& X_AB) {
  const double defect = (X_AB.row(3) - Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0)).cwiseAbs().maxCoeff();
  if (!(defect <= kTolerance)) {
    throw std::invalid_argument("Pose: the last row of the 4x4 matrix differs from 0 0 0 1 by " +
                                std::to_string(defect));
  }
  return Pose(Eigen::Matrix3d(X_AB.topLeftCorner<3, 3>()), Eigen::Vector3d(X_AB.topRightCorner<3, 1>()));
}

Eigen::Matrix4d Pose::matrix() const {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topLeftCorner<3, 3>() = R();
  matrix.topRightCorner<3, 1>() = p_;
  return matrix;
}

bool Pose::operator==(const Pose& other) const {
  return p_ == other.p_ && (q_.coeffs() == other.q_.coeffs() || q_.coeffs() == -other.q_.coeffs());
}

bool Pose::is_approx(const Pose& other, double tolerance) const {
  const double rotation = 2.0 * (q_.conjugate() * other.q_).vec().norm();  // q and -q are the same rotation
  return (p_ - other.p_).norm() <= tolerance && rotation <= tolerance;
}

}  // namespace prehend::math
