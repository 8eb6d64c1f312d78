// Sums over frames as a pass forms them, for one frame or four at a time; added up they are FrameSums.
#pragma once

#include <Eigen/Core>

#include <prehend/articulation/fit/frame_residual.h>
#include <prehend/articulation/fit/noise_components.h>
#include <prehend/articulation/fit/pass_state.h>

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

// See FrameSums.
template <int n, class T>
struct LaneSums {
  Eigen::Matrix<T, n, n> H = Eigen::Matrix<T, n, n>::Zero();
  NoiseComponents<T> noise;
  T cost{0.0}, count{0.0}, frames{0.0};
  T apart{0.0}, a2{0.0}, c2{0.0}, along2{0.0}, across2{0.0}, D2{0.0}, taken_a{0.0}, taken_c{0.0};

  // Lanes added up; of the curvature's lower triangle both. The gradient comes from elsewhere.
  FrameSums total() const {
    FrameSums all;
    all.H.resize(n, n);
    for (int column = 0; column < n; ++column)
      for (int row = column; row < n; ++row) all.H(row, column) = all.H(column, row) = sum(H(row, column));
    all.noise = {sum(noise.gp), sum(noise.gr), sum(noise.ipp), sum(noise.ipr), sum(noise.irr)};
    all.cost = sum(cost), all.apart = sum(apart), all.count = sum(count), all.frames = sum(frames);
    all.a2 = sum(a2), all.c2 = sum(c2);
    all.along2 = sum(along2), all.across2 = sum(across2), all.D2 = sum(D2);
    all.taken_a = sum(taken_a), all.taken_c = sum(taken_c);
    return all;
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
};

}  // namespace prehend::articulation::engine
