// A rigid pose X_AB: where frame B stands in frame A. Position in metres, orientation as a unit quaternion.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace prehend::math {

// p_AQ = X_AB * p_BQ maps a point's coordinates from B to A; X_AC = X_AB * X_BC composes.
class Pose {
 public:
  Pose() : q_(Eigen::Quaterniond::Identity()), p_(Eigen::Vector3d::Zero()) {}
  // The quaternion must have unit norm to 1e-6 (std::invalid_argument otherwise); the rest is rounded away.
  Pose(const Eigen::Quaterniond& q_AB, const Eigen::Vector3d& p_AB);
  // R must be a rotation to 1e-6 (std::invalid_argument otherwise); the nearest rotation is taken.
  Pose(const Eigen::Matrix3d& R_AB, const Eigen::Vector3d& p_AB);

  // Homogeneous matrix [R p; 0 1]; the last row must be 0 0 0 1 and R a rotation, both to 1e-6.
  static Pose from_matrix(const Eigen::Matrix4d& X_AB);
  static Pose identity() { return Pose(); }
  static Pose translation(const Eigen::Vector3d& p_AB) {
    return Pose(Unchecked{}, Eigen::Quaterniond::Identity(), p_AB);
  }
  static Pose rotation(const Eigen::Quaterniond& q_AB) { return Pose(q_AB, Eigen::Vector3d::Zero()); }

  const Eigen::Quaterniond& q() const { return q_; }
  const Eigen::Vector3d& p() const { return p_; }
  Eigen::Matrix3d R() const { return q_.toRotationMatrix(); }
  Eigen::Matrix4d matrix() const;

  Pose inverse() const {
    const Eigen::Quaterniond q_BA = q_.conjugate();
    return Pose(Unchecked{}, q_BA, -(q_BA * p_));
  }
  // The product is normalised, so long chains stay on the group.
  Pose operator*(const Pose& X_BC) const {
    return Pose(Unchecked{}, (q_ * X_BC.q_).normalized(), p_ + q_ * X_BC.p_);
  }
  Eigen::Vector3d operator*(const Eigen::Vector3d& p_BQ) const { return p_ + q_ * p_BQ; }

  // The same position and the same rotation to the last bit; q and -q are the same rotation.
  bool operator==(const Pose& other) const;
  bool is_approx(const Pose& other, double tolerance) const;

 private:
  struct Unchecked {};
  Pose(Unchecked, const Eigen::Quaterniond& q, const Eigen::Vector3d& p) : q_(q), p_(p) {}
  friend Pose exp_se3(const Eigen::Matrix<double, 6, 1>& V);

  Eigen::Quaterniond q_;  // orientation of B in A
  Eigen::Vector3d p_;     // [m] origin of B in A
};

}  // namespace prehend::math
