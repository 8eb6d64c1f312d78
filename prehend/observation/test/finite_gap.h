// The distance along the normal of two curved bodies after a finite motion, from the bodies themselves: for tests.
//
// Bodies are those of the contact format: faces n.x + 1/2 x'mx = 0, edges x = t l + 1/2 kp l^2, in a frame at the point of contact. Nothing is
// expanded: displacements come from the series of the matrix exponential less the identity in long double, so that they are good to some 1e-19 of the
// angle; faces are met by Newton's method, least distances by Newton's method on differences.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>

#include <Eigen/Dense>

namespace prehend::observation::test {

using Real = long double;
using Vec3 = Eigen::Matrix<Real, 3, 1>;
using Vec2 = Eigen::Matrix<Real, 2, 1>;
using Mat3 = Eigen::Matrix<Real, 3, 3>;
using Mat4 = Eigen::Matrix<Real, 4, 4>;

// Sweeps take their seed from PREHEND_SEED where it is set: figures are judged on seeds that nothing was chosen on.
inline std::uint64_t sweep_seed(std::uint64_t usual) {
  const char* const given = std::getenv("PREHEND_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : usual;
}

struct Body {
  enum Kind { vertex, edge, face } kind{vertex};
  Vec3 t{Vec3::Zero()}, kp{Vec3::Zero()};  // edge
  Mat3 m{Mat3::Zero()};                    // face
};

// x -> exp(theta S + theta^2/2 S') x, less x: nothing is lost where the angle is small.
inline Mat4 finite_displacement(const Eigen::Matrix<double, 12, 1>& s, Real theta) {
  const auto generator = [](const Eigen::Matrix<double, 6, 1>& a) {
    Mat4 g = Mat4::Zero();
    g << 0, -a[2], a[1], a[3], a[2], 0, -a[0], a[4], -a[1], a[0], 0, a[5], 0, 0, 0, 0;
    return g;
  };
  const Mat4 a = theta * generator(s.head<6>()) + theta * theta / 2 * generator(s.tail<6>());
  Mat4 sum = Mat4::Zero(), term = Mat4::Identity();
  for (int k = 1; k < 24; ++k) {
    term = term * a / static_cast<Real>(k);
    sum += term;
  }
  return sum;
}

class FinitePair {
 public:
  FinitePair(Body moving, Body fixed, const Vec3& normal, const Vec3& contact)
      : a_(std::move(moving)), b_(std::move(fixed)), n_(normal.normalized()), xc_(contact) {
    e1_ = n_.unitOrthogonal();
    e2_ = n_.cross(e1_);
    // Doubles leave tangents 1e-16 off the plane, which small angles would see.
    for (Body* body : {&a_, &b_}) body->t -= n_ * n_.dot(body->t);
  }

  void move(const Mat4& displacement) {
    D_ = displacement.topLeftCorner<3, 3>();
    shift_ = D_ * xc_ + displacement.topRightCorner<3, 1>();
  }

  // Speed of the point of contact along the normal.
  Real rate(const Eigen::Matrix<double, 12, 1>& s) const {
    const Vec3 w = s.head<3>().cast<Real>(), v = s.segment<3>(3).cast<Real>();
    return n_.dot(w.cross(xc_) + v);
  }

  // Of the moving edge's point l, or of the vertex, from the point of contact; and where that is on the body itself.
  Vec3 on_moving(Real l) const { return a_.t * l + a_.kp * (l * l / 2); }
  Vec3 moving_point(Real l) const { return on_moving(l) + D_ * on_moving(l) + shift_; }
  Vec3 body_point(const Vec3& x) const { return x - shift_ + D_.transpose() * (x - shift_); }
  Vec3 fixed_point(Real L) const { return b_.t * L + b_.kp * (L * L / 2); }
  Vec2 place(const Vec3& x) const { return {e1_.dot(x), e2_.dot(x)}; }
  Real height(const Vec3& x) const { return n_.dot(x); }
  Vec3 at(const Vec2& q, Real z) const { return e1_ * q.x() + e2_ * q.y() + n_ * z; }

  // Height of the moving face above a place of the tangent plane.
  Real moving_face(const Vec2& q) const {
    Real z = 0;
    for (int k = 0; k < 30; ++k) {
      const Vec3 y = body_point(at(q, z)), slope = -n_ + a_.m * y, gradient = slope + D_ * slope;
      const Real step = (-n_.dot(y) + y.dot(a_.m * y) / 2) / gradient.dot(n_);
      z -= step;
      if (std::abs(step) <= 1e-20L * (q.norm() + shift_.norm())) break;
    }
    return z;
  }
  Real fixed_face(const Vec2& q) const {
    const Vec3 x = e1_ * q.x() + e2_ * q.y();
    return -x.dot(b_.m * x) / 2;  // m has no part along n
  }

  // Of the least (or, for crossing edges, the only) place; features without ends.
  Real gap(Real reach) const {
    if (a_.kind == Body::vertex && b_.kind == Body::face)
      return height(moving_point(0)) - fixed_face(place(moving_point(0)));
    if (a_.kind == Body::face && b_.kind == Body::vertex) return moving_face(Vec2::Zero());
    if (a_.kind == Body::edge && b_.kind == Body::edge) {
      Real l, L;
      return crossing(l, L);
    }
    if (a_.kind == Body::face && b_.kind == Body::face)
      return least([&](const Vec2& q) { return moving_face(q) - fixed_face(q); }, reach);
    return least([&](const Vec2& q) { return on_edge(q.x()) + q.y() * q.y(); }, reach);
  }

  Real on_edge(Real l) const {
    if (a_.kind == Body::edge) return height(moving_point(l)) - fixed_face(place(moving_point(l)));
    return moving_face(place(fixed_point(l))) - height(fixed_point(l));
  }

  // Where two edges cross, seen along the normal.
  Real crossing(Real& l, Real& L) const {
    l = L = 0;
    for (int k = 0; k < 40; ++k) {
      const Vec2 miss = place(moving_point(l)) - place(fixed_point(L));
      const Vec3 along = a_.t + a_.kp * l;
      Eigen::Matrix<Real, 2, 2> J;
      J << place(along + D_ * along), -place(b_.t + b_.kp * L);
      const Vec2 step = J.inverse() * miss;
      l -= step[0];
      L -= step[1];
    }
    return height(moving_point(l)) - height(fixed_point(L));
  }

 private:
  static Real least(const std::function<Real(const Vec2&)>& f, Real reach) {
    Vec2 q = Vec2::Zero();
    const Real d = reach * 1e-2L;
    for (int k = 0; k < 6; ++k) {
      const Vec2 x(d, 0), y(0, d);
      const Real f0 = f(q), fx = f(q + x), bx = f(q - x), fy = f(q + y), by = f(q - y);
      Vec2 slope((fx - bx) / (2 * d), (fy - by) / (2 * d));
      Eigen::Matrix<Real, 2, 2> bend;
      bend(0, 0) = (fx - 2 * f0 + bx) / (d * d);
      bend(1, 1) = (fy - 2 * f0 + by) / (d * d);
      bend(0, 1) = bend(1, 0) = (f(q + x + y) - f(q + x - y) - f(q - x + y) + f(q - x - y)) / (4 * d * d);
      q -= bend.inverse() * slope;
    }
    return f(q);
  }

  Body a_, b_;
  Vec3 n_, xc_, e1_, e2_;
  Mat3 D_{Mat3::Zero()};      // rotation less identity
  Vec3 shift_{Vec3::Zero()};  // of the point of contact
};

}  // namespace prehend::observation::test
