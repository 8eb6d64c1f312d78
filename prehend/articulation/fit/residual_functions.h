// Small functions of residuals for inner loops: rotation vectors of small turns, their derivatives, robust weights. Not part of the
// public interface.
#pragma once

#include <cmath>

#include <Eigen/Core>

#include <prehend/articulation/fit/frames.h>
#include <prehend/articulation/fit/lanes.h>
#include <prehend/math/so3.h>

namespace prehend::articulation::engine {

inline Motion motion_of(const math::Pose& X) { return {X.R(), X.p()}; }

template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;

// Rotation vector of a rotation matrix; small angles, which residuals are, need neither trigonometry nor a branch on signs.
template <class T>
Vector3<T> rotation_vector(const Matrix3<T>& R) {
  const Vector3<T> s(0.5 * (R(2, 1) - R(1, 2)), 0.5 * (R(0, 2) - R(2, 0)), 0.5 * (R(1, 0) - R(0, 1)));
  const T s2 = s.squaredNorm(), c = 0.5 * (R(0, 0) + R(1, 1) + R(2, 2) - 1.0);
  if (all_above(c, 0.9)) {  // asin(x)/x up to x = 0.44: relative error below 1e-8
    return s * (1.0 + s2 * (1.0 / 6 +
                            s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * (105.0 / 3456 +
                                                                      s2 * (945.0 / 42240 + s2 * 0.0174))))));
  }
  if constexpr (kWidth<T> > 1) {
    if (all_above(c, -0.99)) {
      const T sine = sqrt(s2), ratio = angle_of(sine, c) / sine;
      return s * T(typename T::V(s2.v < 1e-4 ? 1.0 + s2.v * (1.0 / 6 + s2.v * (3.0 / 40)) : ratio.v));
    }
  }
  Vector3<T> result = s;
  for (int k = 0; k < kWidth<T>; ++k) {
    const double cosine = lane(c, k), sine = std::sqrt(lane(s2, k));
    if (cosine > 0.9) {
      const double factor = sine > 0 ? std::asin(std::min(sine, 1.0)) / sine : 1.0;
      for (int i = 0; i < 3; ++i) set_lane(result[i], k, lane(s[i], k) * factor);
    } else if (cosine > -0.99) {
      const double factor = std::atan2(sine, cosine) / sine;
      for (int i = 0; i < 3; ++i) set_lane(result[i], k, lane(s[i], k) * factor);
    } else {
      Eigen::Matrix3d one;
      for (int i = 0; i < 9; ++i) one(i) = lane(R(i), k);
      const Eigen::Vector3d vector = math::log_so3(one);
      for (int i = 0; i < 3; ++i) set_lane(result[i], k, vector[i]);
    }
  }
  return result;
}

// exp of a rotation vector of any size, and its right Jacobian.
inline Matrix3<double> turned_by(const Vector3<double>& w) { return math::exp_so3(w).toRotationMatrix(); }
inline Matrix3<double> right_jacobian(const Vector3<double>& w) { return math::right_jacobian_so3(w); }
// 1 + a [w] + b [w]^2.
inline Matrix3<Lanes> series_of(const Vector3<Lanes>& w, const Lanes& a, const Lanes& b) {
  const Vector3<Lanes> aw = a * w, bw = b * w;
  Matrix3<Lanes> result = bw * w.transpose();
  const Lanes rest = 1.0 - bw.dot(w);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    result(k, k) += rest;
    result(j, i) += aw[k];
    result(i, j) -= aw[k];
  }
  return result;
}
inline Matrix3<Lanes> turned_by(const Vector3<Lanes>& w) {
  const TurnTerms terms = turn_terms(w.squaredNorm());
  return series_of(w, terms.sinc, terms.cosc);
}
inline Matrix3<Lanes> right_jacobian(const Vector3<Lanes>& w) {
  const TurnTerms terms = turn_terms(w.squaredNorm());
  return series_of(w, -terms.cosc, terms.cubic);
}

// exp(u), its left Jacobian and the logarithm's Jacobians applied to vectors, for the turn u = share a along a rotation vector a.
template <class T>
struct Turning {
  Vector3<T> a, u;
  T sinc, cosc, cubic, inverse;  // coefficients of the series at u, and of the logarithm's Jacobian at a

  Turning(const Vector3<T>& vector, const T& share) : a(vector), u(share * vector) {
    const T t = u.squaredNorm(), t_a = a.squaredNorm();
    if (all_below(t_a, 0.25)) {  // series: next terms below 1e-8
      sinc = 1.0 - t * (1.0 / 6) * (1.0 - t * (1.0 / 20) * (1.0 - t * (1.0 / 42)));
      cosc = 0.5 - t * (1.0 / 24) * (1.0 - t * (1.0 / 30) * (1.0 - t * (1.0 / 56)));
      cubic = 1.0 / 6 - t * (1.0 / 120) * (1.0 - t * (1.0 / 42) * (1.0 - t * (1.0 / 72)));
      inverse = 1.0 / 12 + t_a * (1.0 / 720) * (1.0 + t_a * (1.0 / 42) * (1.0 + t_a * (1.0 / 40)));
      return;
    }
    if constexpr (kWidth<T> > 1) {
      const TurnTerms terms = turn_terms(t);
      sinc = terms.sinc, cosc = terms.cosc, cubic = terms.cubic;
      inverse = inverse_turn_term(t_a);
    } else {
      sinc = math::detail::sinc_term(t);
      cosc = math::detail::cosc_term(t);
      cubic = math::detail::cubic_term(t);
      inverse = math::detail::inverse_term(t_a);
    }
  }
  Vector3<T> exp(const Vector3<T>& y) const {
    const Vector3<T> x = u.cross(y);
    return y + sinc * x + cosc * u.cross(x);
  }
  Vector3<T> exp_transposed(const Vector3<T>& y) const {
    const Vector3<T> x = u.cross(y);
    return y - sinc * x + cosc * u.cross(x);
  }
  // J_l(u)^T y.
  Vector3<T> left_transposed(const Vector3<T>& y) const {
    const Vector3<T> x = u.cross(y);
    return y - cosc * x + cubic * u.cross(x);
  }
  // J_r(a)^-T y and J_l(a)^-T y.
  Vector3<T> inverse_right_transposed(const Vector3<T>& y) const {
    const Vector3<T> x = a.cross(y);
    return y - T(0.5) * x + inverse * a.cross(x);
  }
  Vector3<T> inverse_left_transposed(const Vector3<T>& y) const {
    const Vector3<T> x = a.cross(y);
    return y + T(0.5) * x + inverse * a.cross(x);
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
