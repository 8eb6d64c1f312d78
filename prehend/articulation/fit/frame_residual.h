// Whitened residuals of one frame's relative pose under a joint, and their derivatives. Not part of the
// public interface.
//
// P is the joint frame on the fixed part F, C that on the moving part M, E(q) the model of C in P. The
// measured orientation R_Y = R_PF R_FM R_MC exceeds the model's by A = R_E^T R_Y, a = log A. Noise: F and M
// turn about their own origins, M is displaced; s is F's share of the angular variance r, p the position
// variance. With F's expected turn s a undone, M's origin is displaced from the model's by (C's axes)
//   c = R_E^T (x - p_E) + m + (exp((1 - s) a) - A) D    (see FrameResidual).
// To first order a and c are independent, with covariances
//   r 1    and    p 1 + s (1 - s) r (|D|^2 1 - D D^T).
#pragma once

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <prehend/articulation/fit/residual_functions.h>
#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/joints/local_directions.h>

namespace prehend::articulation::engine {

// What is the same for all frames.
template <class T>
struct JointSidesOf {
  Matrix3<T> R_PF, R_MC;
  Vector3<T> p_FP, m;  // [m]
  T pitch, p, r;
  T angle, along;  // inverse standard deviations
  double share;

  JointSidesOf(const Joint& joint, double fixed_share, double position_variance, double angle_variance)
      : R_PF(joint.X_FJ.R().transpose().template cast<T>()),
        R_MC(joint.X_MJ.R().template cast<T>()),
        p_FP(joint.X_FJ.p().template cast<T>()),
        m((joint.X_MJ.R().transpose() * joint.X_MJ.p()).template cast<T>()),
        pitch(joint.pitch),
        p(position_variance),
        r(angle_variance),
        angle(1.0 / std::sqrt(angle_variance)),
        along(1.0 / std::sqrt(position_variance)),
        share(fixed_share) {}
};
using JointSides = JointSidesOf<double>;

// T: double for one frame, Lanes for several.
//   x = R_PF (p_FM - p_FP),  m = R_MC^T p_MC,  D = R_MC^T R_FM^T p_FM  (from F's origin to M's, in C's axes).
// In M's axes D is data and not model, so the covariance of c is constant during a fit.
template <class Type, class T = double>
struct FrameResidual {
  using Sides = JointSidesOf<T>;
  static constexpr int d = Type::kFreedoms;
  static constexpr int n = Type::kParameters;
  using VectorQ = Eigen::Matrix<T, d, 1>;
  using MatrixQ = Eigen::Matrix<T, d, d>;
  using MatrixS = Eigen::Matrix<T, 6, d>;
  using VectorN = Eigen::Matrix<T, n, 1>;
  using MatrixJ = Eigen::Matrix<T, 6, n>;

  Matrix3<T> R_Y, A;
  MotionOf<T> E;
  Vector3<T> x, a, c0, c, D, unit_D;  // unit_D zero without a share
  T D2{0.0}, across{0.0}, along{0.0}, angle{0.0};
  VectorQ q, state_gradient;               // of half the squared distance, negative
  MatrixS S;                               // whitened
  MatrixQ inverse;                         // (S^T S)^-1
  Eigen::Matrix<T, 6, 1> residual;         // whitened; after `eliminate` without what the state explains
  T angle_factor{1.0}, shift_factor{1.0};  // of this frame's own precision, square roots

  void place(const Sides& s, const MotionOf<T>& X) {
    R_Y.noalias() = s.R_PF * (X.R * s.R_MC);
    x.noalias() = s.R_PF * (X.p - s.p_FP);
    angle = s.angle * angle_factor;
    along = across = s.along * shift_factor;
    if (s.share > 0) {
      D.noalias() = s.R_MC.transpose() * (X.R.transpose() * X.p);
      D2 = D.squaredNorm();
      using std::sqrt;
      unit_D = D * (1.0 / sqrt(D2 + 1e-300));  // zero at the origin
      across = shift_factor / sqrt(s.p + s.share * (1 - s.share) * s.r * D2);
    }
  }
  // The state nearest in the joint's own way.
  void start_state(const Sides& s) { q = Type::state(MotionOf<T>{R_Y, x + R_Y * s.m}, s.pitch); }

  Vector3<T> whitened(const Vector3<T>& v, double share) const {
    if (share == 0) return along * v;
    return across * v + ((along - across) * unit_D.dot(v)) * unit_D;
  }

  // E's turn applied, forth and back; most types turn about z or not at all.
  Vector3<T> forth(const Vector3<T>& v) const {
    if constexpr (Type::kTurns == 0) return v;
    if constexpr (about_z()) {
      const T cosine = E.R(0, 0), sine = E.R(1, 0);
      return {cosine * v.x() - sine * v.y(), sine * v.x() + cosine * v.y(), v.z()};
    }
    return E.R * v;
  }
  Vector3<T> back(const Vector3<T>& v) const {
    if constexpr (Type::kTurns == 0) return v;
    if constexpr (about_z()) {
      const T cosine = E.R(0, 0), sine = E.R(1, 0);
      return {cosine * v.x() + sine * v.y(), cosine * v.y() - sine * v.x(), v.z()};
    }
    return E.R.transpose() * v;
  }
  static constexpr bool about_z() { return Type::kTurns == 1; }

  // Residual and state derivatives at q.
  void evaluate(const Sides& s) {
    Type::motion(q, s.pitch, E);
    if constexpr (Type::kTurns == 0)
      A = R_Y;
    else if constexpr (about_z())
      for (int k = 0; k < 3; ++k) A.col(k) = back(R_Y.col(k));
    else
      A.noalias() = E.R.transpose() * R_Y;
    a = rotation_vector(A);
    c0 = back(x - E.p) + s.m;
    c = c0;
    if (s.share > 0) c += Turning<T>(a, 1 - s.share).exp(D) - A * D;
    residual.template head<3>() = angle * a;
    residual.template tail<3>() = whitened(c, s.share);
    if constexpr (d > 0) {
      MatrixS twist;
      Type::jacobian(q, s.pitch, twist);
      Vector3<T> l = s.m;
      if (s.share > 0) l += T(s.share) * D;
      for (int k = 0; k < d; ++k) {
        const Vector3<T> w = twist.col(k).template head<3>();
        S.col(k).template head<3>() = angle * w;
        S.col(k).template tail<3>() = whitened(twist.col(k).template tail<3>() + l.cross(w), s.share);
      }
      if (s.share == 0) {
        state_gradient.noalias() = S.transpose() * residual;
      } else {
        const Vector3<T> la = angle * residual.template head<3>(),
                         lc = whitened(residual.template tail<3>(), s.share);
        const Turning<T> turning(a, 1 - s.share);
        const Vector3<T> kappa = kappa_of(turning, lc, s.share);
        const Vector3<T> g = la + (c0 - s.m - A * D).cross(lc) + turning.inverse_left_transposed(kappa);
        for (int k = 0; k < d; ++k)
          state_gradient[k] =
              twist.col(k).template head<3>().dot(g) + twist.col(k).template tail<3>().dot(lc);
      }
      if constexpr (d == 1) {
        inverse(0, 0) = 1.0 / S.squaredNorm();
      } else if constexpr (d == 6) {
        // States that shift turn nothing: S is block triangular.
        const Matrix3<T> turns = S.template topLeftCorner<3, 3>().inverse(),
                         shifts = S.template bottomRightCorner<3, 3>().inverse();
        MatrixS back = MatrixS::Zero();
        back.template topLeftCorner<3, 3>() = turns;
        back.template bottomLeftCorner<3, 3>() =
            -(shifts * (S.template bottomLeftCorner<3, 3>() * turns).eval());
        back.template bottomRightCorner<3, 3>() = shifts;
        inverse.noalias() = back * back.transpose();
      } else {
        inverse = MatrixQ(S.transpose() * S).inverse();
      }
    }
  }

  // The most likely state, from q on; what a last, short step would change is taken out of the residual to first order.
  void eliminate(const Sides& s) {
    if constexpr (d > 0 && d < 6) {
      constexpr int kMost = 4;
      constexpr double kShort = 0.04;  // a fifth of a standard deviation, squared
      for (int i = 0; i < kMost; ++i) {
        evaluate(s);
        VectorQ step = inverse * state_gradient;
        for (int k = 0; k < d; ++k) step[k] = finite_or_zero(step[k]);
        const T size = step.dot(state_gradient);
        q += step;
        if (all_below(size, kShort) || i + 1 == kMost) {
          residual.noalias() -= S * step;
          return;
        }
      }
    } else {
      evaluate(s);
      if constexpr (d == 6) residual.setZero();
    }
  }

  static Vector3<T> direction(int k) { return Vector3<T>::Unit(k); }

  // Adds w times the derivative of half the squared distance with respect to the twelve turns and shifts (and the pitch):
  // P and C turn and shift in their own axes. Exact in a and c.
  void add_gradient(const Sides& s, const T& w, Eigen::Matrix<T, 13, 1>& g) const {
    const Vector3<T> la = (w * angle) * residual.template head<3>();
    const Vector3<T> lc = w * whitened(residual.template tail<3>(), s.share);
    const Vector3<T> yc = forth(lc);
    Vector3<T> turn = la;
    if (s.share == 0) {
      g.template segment<3>(kWPx) -= forth(la) + x.cross(yc);
      g.template segment<3>(kWCx) += la + lc.cross(s.m);
    } else {
      const Turning<T> turning(a, 1 - s.share);
      const Vector3<T> At = A.transpose() * lc;
      turn += turning.inverse_right_transposed(kappa_of(turning, lc, s.share)) - D.cross(At);
      g.template segment<3>(kWPx) -= R_Y * turn + x.cross(yc);
      g.template segment<3>(kWCx) +=
          turn + lc.cross(s.m) + (turning.exp_transposed(lc) - At).cross(D) + c.cross(lc);
    }
    g.template segment<3>(kVPx) -= yc;
    g.template segment<3>(kVCx) += lc;
    if constexpr (d == 1) g[kPitch] -= q[0] * lc.z();
  }

  // Rows of the whitened residual's derivative, for the curvature. Omits terms of the size of the residuals, as
  // Gauss-Newton may.
  void jacobian(const Sides& s, MatrixJ& J) const {
    for (int k = 0; k < n; ++k) {
      const int which = Type::kDirections[k];
      Vector3<T> w = Vector3<T>::Zero(), v = Vector3<T>::Zero();
      if (which < 3) {  // turn of P
        w = -R_Y.row(which).transpose();
        v = back(x.cross(direction(which)));
      } else if (which < 6) {
        v = -E.R.row(which - 3).transpose();
      } else if (which < 9) {
        w[which - 6] = 1.0;
        v = s.m.cross(w);
      } else if (which < 12) {
        v[which - 9] = 1.0;
      } else {  // E shifts by q along its z
        if constexpr (d > 0) v[2] = -q[0];
      }
      if (s.share > 0) v += T(s.share) * D.cross(w);
      J.col(k).template head<3>() = angle * w;
      J.col(k).template tail<3>() = whitened(v, s.share);
    }
  }

 private:
  // Derivative of exp((1 - s) a) D by a, times lc.
  Vector3<T> kappa_of(const Turning<T>& turning, const Vector3<T>& lc, double share) const {
    return T(1 - share) * turning.left_transposed(turning.exp(D).cross(lc));
  }
};

}  // namespace prehend::articulation::engine
