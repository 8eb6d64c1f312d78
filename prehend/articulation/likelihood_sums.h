// Sums over frames that the likelihood of a joint needs: curvature, gradient, noise statistics. Not part of the public interface.
#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <prehend/articulation/frame_residual.h>
#include <prehend/articulation/noise_components.h>

namespace prehend::articulation::engine {

// What a frame's fitted state takes of each component of its residual.
struct Leverage {
  double a{0}, along{0}, across{0};
};

template <class Type>
Leverage leverage_of(const FrameResidual<Type>& frame, double share) {
  constexpr int d = Type::kFreedoms;
  Leverage t;
  if constexpr (d > 0 && d < 6) {
    const auto G = (frame.inverse * frame.S.transpose()).eval();
    for (int k = 0; k < 3; ++k) t.a += frame.S.row(k).dot(G.col(k));
    t.across = d - t.a;
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
template <int n>
struct Sums {
  Eigen::Matrix<double, n, n> H = Eigen::Matrix<double, n, n>::Zero();
  Eigen::Matrix<double, n, 1> g = Eigen::Matrix<double, n, 1>::Zero();
  NoiseComponents noise;
  double cost{0}, count{0};
  double a2{0}, c2{0};           // squared residuals [rad^2, m^2]
  double along2{0}, across2{0};  // whitened, along and across the line between the origins
  double D2{0};                  // [m^2] squared distance of the origins

  template <class Frame>
  void add_noise(const Frame& frame, const Leverage& t, double w, const JointSides& s) {
    const double fa = frame.angle_factor * frame.angle_factor, fc = frame.shift_factor * frame.shift_factor;
    const Eigen::Vector3d ea = frame.residual.template head<3>(), ec = frame.residual.template tail<3>();
    const double squared_a = ea.squaredNorm() * s.r, squared_c = ec.squaredNorm();
    count += w;
    noise.add_rotation(w, squared_a, fa * (3 - t.a), s.r);
    a2 += w * squared_a;
    if (s.share > 0) {
      const double along = frame.unit_D.dot(ec), v = fc / (frame.across * frame.across);
      const double squared_across = squared_c - along * along;
      noise.add_along(w, along * along * s.p, fc * (1 - t.along), s.p);
      noise.add_across(w, squared_across * v, fc * (2 - t.across), v, s.share * (1 - s.share) * frame.D2);
      c2 += w * (along * along * s.p + squared_across * v);
      along2 += w * along * along;
      across2 += w * squared_across;
      D2 += w * frame.D2;
    } else {
      noise.add_along(w, squared_c * s.p, fc * (3 - t.across), s.p);
      c2 += w * squared_c * s.p;
      across2 += w * squared_c;
    }
  }

  // What other variances make of the cost; exact without a share, with the mean distance otherwise.
  double cost_change(const JointSides& s, double p, double r) const {
    if (!(count > 0)) return 0.0;
    const double swing = s.share * (1 - s.share) * D2 / count;
    const double across = (p + swing * r) / (s.p + swing * s.r), along = p / s.p, angle = r / s.r;
    return 0.5 * (a2 / s.r * (1 / angle - 1) + along2 * (1 / along - 1) + across2 * (1 / across - 1) +
                  count * (3 * std::log(angle) + std::log(along) + 2 * std::log(across)));
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
