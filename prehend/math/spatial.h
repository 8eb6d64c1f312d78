// Twists and wrenches with their transport between points and frames.
//
// As six numbers both have the angular part first: [w; v], [moment; force]. Power is the plain product of a twist and
// a wrench taken at the same point in the same axes.
#pragma once

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>

namespace prehend::math {

// V_AP_E: velocity of a body, its point P's linear part, in the axes of E.
struct Twist {
  Eigen::Vector3d angular{Eigen::Vector3d::Zero()};  // [rad/s]
  Eigen::Vector3d linear{Eigen::Vector3d::Zero()};   // [m/s] of the point P

  static Twist from_vector(const Vector6d& V) { return {V.head<3>(), V.tail<3>()}; }
  Vector6d vector() const { return (Vector6d() << angular, linear).finished(); }
  // The same motion, given by the velocity of another point Q of the body: v_Q = v_P + w x p_PQ.
  Twist at(const Eigen::Vector3d& p_PQ) const { return {angular, linear + angular.cross(p_PQ)}; }
  Twist expressed(const Eigen::Matrix3d& R_FE) const { return {R_FE * angular, R_FE * linear}; }
};

// F_BP_E: wrench on body B, moment about the point P, in the axes of E.
struct Wrench {
  Eigen::Vector3d moment{Eigen::Vector3d::Zero()};  // [N m] about P
  Eigen::Vector3d force{Eigen::Vector3d::Zero()};   // [N]

  static Wrench from_vector(const Vector6d& F) { return {F.head<3>(), F.tail<3>()}; }
  // A force that acts at a point, taken about P; p_PQ from P to the point.
  static Wrench from_force(const Eigen::Vector3d& force, const Eigen::Vector3d& p_PQ) {
    return {p_PQ.cross(force), force};
  }
  Vector6d vector() const { return (Vector6d() << moment, force).finished(); }
  // The same wrench, moment about Q: m_Q = m_P - p_PQ x f.
  Wrench at(const Eigen::Vector3d& p_PQ) const { return {moment - p_PQ.cross(force), force}; }
  Wrench expressed(const Eigen::Matrix3d& R_FE) const { return {R_FE * moment, R_FE * force}; }
  Wrench operator+(const Wrench& other) const { return {moment + other.moment, force + other.force}; }
  Wrench operator-() const { return {-moment, -force}; }
};

// Power [W] of a wrench and a twist at the same point and in the same axes.
inline double power(const Wrench& F, const Twist& V) {
  return F.moment.dot(V.angular) + F.force.dot(V.linear);
}

// F_A = wrench_adjoint(X_AB) F_B: the wrench about B's origin in B's axes, retold about A's origin in A's axes. It is
// the inverse transpose of adjoint(X_AB), so power does not depend on the frame.
Matrix6d wrench_adjoint(const Pose& X_AB);

}  // namespace prehend::math
