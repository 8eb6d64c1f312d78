// Sums over frames that the likelihood of a joint needs: curvature, gradient, noise statistics. Not part of the public interface.
#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <prehend/articulation/fit/frame_residual.h>
#include <prehend/articulation/fit/noise_components.h>

namespace prehend::articulation::engine {

// What a frame's fitted state takes of each component of its residual.
template <class T>
struct Leverage {
  T a{0.0}, along{0.0}, across{0.0};
};

template <class Type, class T>
Leverage<T> leverage_of(const FrameResidual<Type, T>& frame, double share) {
  constexpr int d = Type::kFreedoms;
  Leverage<T> t;
  if constexpr (d > 0 && d < 6) {
    const auto G = (frame.inverse * frame.S.transpose()).eval();
    for (int k = 0; k < 3; ++k) t.a += frame.S.row(k).dot(G.col(k));
    t.across = T(d) - t.a;
    if (share > 0) {
      t.along = (frame.unit_D.transpose() * frame.S.template bottomRows<3>())
                    .dot(G.template rightCols<3>() * frame.unit_D);
      t.across -= t.along;
    }
  } else if constexpr (d == 6) {
    t = {3.0, share > 0 ? 1.0 : 0.0, share > 0 ? 2.0 : 3.0};
  }
  return t;
}

// A joint's curvature, gradient and noise statistics, summed over frames.
template <int n, class T = double>
struct Sums {
  Eigen::Matrix<T, n, n> H = Eigen::Matrix<T, n, n>::Zero();
  Eigen::Matrix<T, n, 1> g = Eigen::Matrix<T, n, 1>::Zero();
  NoiseComponents<T> noise;
  T cost{0.0}, count{0.0}, frames{0.0};
  T apart{
      0.0};  // what the cost changes by where frames outside the noise count as lying anywhere, whatever the noise
  T a2{0.0}, c2{0.0};            // squared residuals [rad^2, m^2]
  T along2{0.0}, across2{0.0};   // whitened, along and across the line between the origins
  T D2{0.0};                     // [m^2] squared distance of the origins
  T taken_a{0.0}, taken_c{0.0};  // what states take of the three components of rotation and displacement

  // Lanes added up.
  Sums() = default;
  template <class U>
  explicit Sums(const Sums<n, U>& other) {
    for (int k = 0; k < n * n; ++k) H(k) = sum(other.H(k));
    for (int k = 0; k < n; ++k) g[k] = sum(other.g[k]);
    noise = {sum(other.noise.gp), sum(other.noise.gr), sum(other.noise.ipp), sum(other.noise.ipr),
             sum(other.noise.irr)};
    cost = sum(other.cost), apart = sum(other.apart), count = sum(other.count), frames = sum(other.frames),
    a2 = sum(other.a2), c2 = sum(other.c2);
    along2 = sum(other.along2), across2 = sum(other.across2), D2 = sum(other.D2);
    taken_a = sum(other.taken_a), taken_c = sum(other.taken_c);
  }

  template <class Frame>
  void add_noise(const Frame& frame, const Leverage<T>& t, const T& w, const JointSidesOf<T>& s) {
    const T fa = frame.angle_factor * frame.angle_factor, fc = frame.shift_factor * frame.shift_factor;
    const Vector3<T> ea = frame.residual.template head<3>(), ec = frame.residual.template tail<3>();
    const T i_r = s.angle * s.angle, i_p = s.along * s.along;
    const T squared_a = ea.squaredNorm() * s.r, squared_c = ec.squaredNorm();
    count += w;
    taken_a += w * t.a;
    taken_c += w * (t.along + t.across);
    noise.add_rotation(w, squared_a, fa * (3.0 - t.a), i_r);
    a2 += w * squared_a;
    if (s.share > 0) {
      const T along = frame.unit_D.dot(ec), v = fc / (frame.across * frame.across);
      const T squared_across = squared_c - along * along;
      noise.add_along(w, along * along * s.p, fc * (1.0 - t.along), i_p);
      noise.add_across(w, squared_across * v, fc * (2.0 - t.across), 1.0 / v,
                       s.share * (1 - s.share) * frame.D2);
      c2 += w * (along * along * s.p + squared_across * v);
      along2 += w * along * along;
      across2 += w * squared_across;
      D2 += w * frame.D2;
    } else {
      noise.add_along(w, squared_c * s.p, fc * (3.0 - t.across), i_p);
      c2 += w * squared_c * s.p;
      across2 += w * squared_c;
    }
  }

  // What other variances make of the cost; exact without a share, with the mean distance otherwise. Outliers have determinants, too.
  double cost_change(const JointSides& s, double p, double r) const {
    if (!(count > 0)) return 0.0;
    const double swing = s.share * (1 - s.share) * D2 / count;
    const double across = (p + swing * r) / (s.p + swing * s.r), along = p / s.p, angle = r / s.r;
    return 0.5 * (a2 / s.r * (1 / angle - 1) + along2 * (1 / along - 1) + across2 * (1 / across - 1) +
                  frames * (3 * std::log(angle) + std::log(along) + 2 * std::log(across)));
  }
};

// Infinite where it is singular; scaled to a unit diagonal first, so that metres and radians do not decide what counts as that.
template <int n>
Eigen::Matrix<double, n, n> inverse_curvature(const Eigen::Matrix<double, n, n>& H) {
  using Matrix = Eigen::Matrix<double, n, n>;
  Eigen::Matrix<double, n, 1> scale;
  for (int k = 0; k < n; ++k) scale[k] = H(k, k) > 0 ? 1.0 / std::sqrt(H(k, k)) : 0.0;
  const Eigen::LDLT<Matrix> ldlt(Matrix(scale.asDiagonal() * H * scale.asDiagonal()));
  const Matrix covariance = ldlt.solve(Matrix::Identity());
  if (!covariance.allFinite() || ldlt.vectorD().minCoeff() < 1e-13)
    return Matrix::Constant(std::numeric_limits<double>::infinity());
  return scale.asDiagonal() * covariance * scale.asDiagonal();
}

}  // namespace prehend::articulation::engine
