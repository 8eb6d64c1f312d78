// Small functions of residuals for inner loops: rotation vectors of small turns, their derivatives, robust weights. Not part of the
// public interface.
#pragma once

#include <cmath>

#include <Eigen/Core>

#include <prehend/articulation/joint_kind.h>
#include <prehend/math/so3.h>

namespace prehend::articulation::engine {

inline Motion motion_of(const math::Pose& X) { return {X.R(), X.p()}; }

// Rotation vector of a rotation matrix; small angles, which residuals are, need neither trigonometry nor a branch on signs.
inline Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& R) {
  const Eigen::Vector3d s(0.5 * (R(2, 1) - R(1, 2)), 0.5 * (R(0, 2) - R(2, 0)), 0.5 * (R(1, 0) - R(0, 1)));
  const double s2 = s.squaredNorm(), c = 0.5 * (R(0, 0) + R(1, 1) + R(2, 2) - 1.0);
  if (c > 0.9) {  // asin(x)/x up to x = 0.44: relative error below 1e-8
    return s * (1.0 + s2 * (1.0 / 6 +
                            s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * (105.0 / 3456 +
                                                                      s2 * (945.0 / 42240 + s2 * 0.0174))))));
  }
  if (c > -0.99) {
    const double sine = std::sqrt(s2);
    return s * (std::atan2(sine, c) / sine);
  }
  return math::log_so3(R);
}

// exp(u), its left Jacobian and the logarithm's Jacobians applied to vectors, for the turn u = share a along a rotation vector a.
struct Turning {
  Eigen::Vector3d a, u;
  double sinc, cosc, cubic, inverse;  // coefficients of the series at u, and of the logarithm's Jacobian at a

  Turning(const Eigen::Vector3d& vector, double share) : a(vector), u(share * vector) {
    const double t = u.squaredNorm(), t_a = a.squaredNorm();
    if (t_a < 0.25) {  // series: next terms below 1e-8
      sinc = 1 - t / 6 * (1 - t / 20 * (1 - t / 42));
      cosc = 0.5 - t / 24 * (1 - t / 30 * (1 - t / 56));
      cubic = 1.0 / 6 - t / 120 * (1 - t / 42 * (1 - t / 72));
      inverse = 1.0 / 12 + t_a / 720 * (1 + t_a / 42 * (1 + t_a / 40));
    } else {
      sinc = math::detail::sinc_term(t);
      cosc = math::detail::cosc_term(t);
      cubic = math::detail::cubic_term(t);
      inverse = math::detail::inverse_term(t_a);
    }
  }
  Eigen::Vector3d exp(const Eigen::Vector3d& y) const {
    const Eigen::Vector3d x = u.cross(y);
    return y + sinc * x + cosc * u.cross(x);
  }
  Eigen::Vector3d exp_transposed(const Eigen::Vector3d& y) const {
    const Eigen::Vector3d x = u.cross(y);
    return y - sinc * x + cosc * u.cross(x);
  }
  // J_l(u)^T y.
  Eigen::Vector3d left_transposed(const Eigen::Vector3d& y) const {
    const Eigen::Vector3d x = u.cross(y);
    return y - cosc * x + cubic * u.cross(x);
  }
  // J_r(a)^-T y and J_l(a)^-T y.
  Eigen::Vector3d inverse_right_transposed(const Eigen::Vector3d& y) const {
    const Eigen::Vector3d x = a.cross(y);
    return y - 0.5 * x + inverse * a.cross(x);
  }
  Eigen::Vector3d inverse_left_transposed(const Eigen::Vector3d& y) const {
    const Eigen::Vector3d x = a.cross(y);
    return y + 0.5 * x + inverse * a.cross(x);
  }
};

// 1 up to `near`, 0 beyond `far`, smooth between.
inline double weight_of(double squared, double near, double far) {
  if (squared <= near) return 1.0;
  if (squared >= far) return 0.0;
  const double x = (far - squared) / (far - near);
  return x * x * (3 - 2 * x);
}

// The loss whose derivative is weight_of: what a far-out frame costs.
inline double loss_of(double squared, double near, double far) {
  if (squared <= near) return squared;
  const double x = squared >= far ? 0.0 : (far - squared) / (far - near);
  return near + (far - near) * (0.5 - x * x * x * (1 - 0.5 * x));
}

}  // namespace prehend::articulation::engine
