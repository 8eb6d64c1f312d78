// One pass over all frames of a joint: residuals, gradient, curvature, noise statistics, weights. Not part of the public interface.
//
// Frames are taken four at a time (lanes.h), by the widest instructions that the processor has; one by one where it has none for four numbers,
// for noise of several sizes, and for types whose formulas branch. Curvature comes from at most kCurvatureFrames frames spread over all of them: it has to be right to some per cent
// only. States are kept from pass to pass, so that one short step suffices for each. Rows of far-out frames get a weight that falls from
// 1 to 0 between two bounds of the squared distance; Gaussian frames practically never reach the first.
//
// Cost: 0.03 us per frame for a hinge on a processor of 2024.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/frame_residual.h>
#include <prehend/articulation/fit/lane_sums.h>
#include <prehend/articulation/fit/lanes.h>
#include <prehend/articulation/fit/noise_sizes.h>
#include <prehend/articulation/fit/pass_state.h>

namespace prehend::articulation::engine {

inline constexpr std::size_t kCurvatureFrames = 128;

template <class Type>
class FramePass {
 public:
  static constexpr int d = Type::kFreedoms;
  static constexpr int n = Type::kParameters;
  using Frame = FrameResidual<Type>;

  explicit FramePass(PassState& state) : state_(state) {}

  // Normal equations, noise statistics, weights; terms where asked for.
  void run() {
    if constexpr (requires { Type::kSeveralAtOnce; }) {
      if (!state_.several_sizes() && instructions() > 0)
        return instructions() == 2 ? pass_widest() : pass_wide();
    }
    pass_over<double>();
  }

 private:
  // Frames i placed, with the states known so far.
  template <class T>
  void at(const JointSidesOf<T>& s, const Motion* measured, const double* q, const std::size_t* i,
          FrameResidual<Type, T>& frame) const {
    MotionOf<T> X;
    for (int k = 0; k < 9; ++k) X.R(k) = gathered<T>([&](int which) { return measured[i[which]].R(k); });
    for (int k = 0; k < 3; ++k) X.p[k] = gathered<T>([&](int which) { return measured[i[which]].p[k]; });
    if constexpr (kWidth<T> == 1) {
      if (state_.several_sizes())
        frame.angle_factor = state_.factors[*i][0], frame.shift_factor = state_.factors[*i][1];
    }
    frame.place(s, X);
    if constexpr (d > 0) {
      for (int k = 0; k < d; ++k) frame.q[k] = gathered<T>([&](int which) { return q[i[which] * d + k]; });
      bool known = true;
      for (int which = 0; which < kWidth<T>; ++which) known = known && !std::isnan(lane(frame.q[0], which));
      if constexpr (kWidth<T> == 1 || !requires { Type::kWinds; }) {  // a thread's states are known
        if (!known) frame.start_state(s);
      }
    }
  }

#if defined(__x86_64__)
  // What the processor has: 0 for none on four numbers (none is compiled for those), 1 for instructions on four numbers, 2 where these have twice the registers.
  static int instructions() {
    static const int found = !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) ? 0
                             : !(__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
                                 ? 1
                                 : 2;
    return found;
  }
  __attribute__((target("avx2,fma"), flatten)) void pass_wide() { pass_over<Lanes>(); }
  __attribute__((target("avx2,fma,avx512f,avx512vl,avx512dq"), flatten)) void pass_widest() {
    pass_over<Lanes>();
  }
#else
  static int instructions() { return 1; }
  void pass_wide() { pass_over<Lanes>(); }
  void pass_widest() { pass_over<Lanes>(); }
#endif

  template <class T>
  void pass_over() {
    constexpr std::size_t width = kWidth<T>;
    // What the loop reads and writes, at hand: it stores numbers, which might be the state's own for all that the compiler knows.
    const Motion* const measured = state_.frames.X.data();
    const double* const start_weights = state_.frames.weights.data();
    double* const weights = state_.weights.data();
    double* const q = state_.q.data();
    std::vector<FrameTerms>* const terms = state_.terms;
    const std::size_t stride = state_.stride;
    const double near = state_.near, far = state_.far;
    const bool robust = state_.settings.robust;
    state_.information = {};
    const JointSidesOf<T> s(state_.joint, state_.frames.fixed_share, state_.p, state_.r);
    LaneSums<n, T> sums;
    Eigen::Matrix<T, 13, 1> g = Eigen::Matrix<T, 13, 1>::Zero();
    const double anywhere =
        6 * std::log(state_.frames.length) + 6;  // within a radian and the size of what is seen
    const double share = s.share, log_p = std::log(state_.p), log_r = std::log(state_.r);
    FrameResidual<Type, T> frame;
    typename FrameResidual<Type, T>::MatrixJ J;
    const std::size_t count = (state_.frames.X.size() + stride - 1) / stride;
    const std::size_t sparse = std::max<std::size_t>(1, count / kCurvatureFrames);
    T curvature_weight(0.0);
    std::size_t until_curvature = 0;
    for (std::size_t first = 0; first < count; first += width) {
      std::size_t i[width];
      for (std::size_t k = 0; k < width; ++k) i[k] = stride * std::min(first + k, count - 1);
      // Lanes beyond the last frame repeat it and do not count.
      const auto counts = [&](int k) { return first + static_cast<std::size_t>(k) < count; };
      const T present = gathered<T>([&](int k) { return counts(k) ? 1.0 : 0.0; });
      T w = present * gathered<T>([&](int k) { return start_weights[i[k]]; });
      at(s, measured, q, i, frame);
      frame.eliminate(s);
      const Leverage<T> t = leverage_of(frame, share);
      T squared = frame.residual.squaredNorm();
      if constexpr (width == 1) {
        if (state_.several_sizes()) squared = weigh_sizes(frame, t, state_.factors[*i]);
      }
      T log_determinant(3 * log_r + (share > 0 ? log_p : 3 * log_p));
      if (share > 0) {
        using std::log;
        log_determinant -= 4.0 * log(frame.across / frame.shift_factor);
      }
      T loss = squared;
      if (robust && !all_below(squared, near)) {
        const T in = gathered<T>([&](int k) { return weight_of(lane(squared, k), near, far); });
        loss = gathered<T>([&](int k) { return loss_of(lane(squared, k), near, far); });
        sums.apart += 0.5 * present * ((T(1.0) - in) * (anywhere - log_determinant) + in * squared - loss);
        w *= in;
      }
      sums.cost += 0.5 * present * (loss + log_determinant);
      sums.frames += present;
      for (int k = 0; k < kWidth<T> && counts(k); ++k) {
        weights[i[k]] = lane(w, k);
        for (int j = 0; j < d; ++j) q[i[k] * d + j] = lane(frame.q[j], k);
        if (terms) fill(frame, k, squared, log_determinant, (*terms)[i[k]]);
      }
      const bool curved = until_curvature == 0;
      until_curvature = curved ? sparse - 1 : until_curvature - 1;
      sums.add_noise(frame, t, w, s);
      if constexpr (n > 0) {
        frame.add_gradient(s, w, g);
        if (curved) {
          frame.jacobian(s, J);
          if constexpr (d > 0 && d < 6) J -= frame.S * (frame.inverse * (frame.S.transpose() * J)).eval();
          for (int column = 0; column < n; ++column) {
            const Eigen::Matrix<T, 6, 1> weighted = w * J.col(column);
            for (int row = column; row < n; ++row) sums.H(row, column) += weighted.dot(J.col(row));
          }
          curvature_weight += w;
        }
      }
    }
    state_.sums = sums.total();
    const double curved = sum(curvature_weight);
    if (curved > 0) state_.sums.H *= state_.sums.count / curved;
    state_.sums.g.resize(n);
    for (int k = 0; k < n; ++k) state_.sums.g[k] = sum(g[Type::kDirections[k]]);
  }

  // In units of the noise, whatever this frame's own size.
  template <class T>
  void fill(const FrameResidual<Type, T>& frame, int which, const T& squared, const T& log_determinant,
            FrameTerms& term) const {
    for (int k = 0; k < 6; ++k)
      term.residual[k] = lane(frame.residual[k] / (k < 3 ? frame.angle_factor : frame.shift_factor), which);
    term.squared = state_.several_sizes() ? term.residual.squaredNorm() : lane(squared, which);
    term.log_determinant = lane(log_determinant, which);
    term.q.resize(d);
    if constexpr (d > 0) {
      for (int k = 0; k < d; ++k) term.q[k] = lane(frame.q[k], which);
      term.state_covariance.resize(d, d);
      for (int k = 0; k < d * d; ++k)
        term.state_covariance(k / d, k % d) = lane(frame.inverse(k / d, k % d), which);
    }
  }

  // Several sizes of noise: the precision of this frame's orientation and position, for the next pass, and its loss now.
  double weigh_sizes(const Frame& frame, const Leverage<double>& t, std::array<double, 2>& factors) {
    const double freedoms[2] = {3 - t.a, 3 - t.along - t.across};
    const double squared[2] = {
        frame.residual.template head<3>().squaredNorm() / (frame.angle_factor * frame.angle_factor),
        frame.residual.template tail<3>().squaredNorm() / (frame.shift_factor * frame.shift_factor)};
    double loss = 0;
    for (int k = 0; k < 2; ++k) {
      const NoiseSizes::At at = (*state_.settings.sizes)[k].at(squared[k], freedoms[k]);
      factors[k] = std::sqrt(at.precision);
      loss += at.loss;
      state_.information[k].add(squared[k], freedoms[k], at);
    }
    return loss;
  }

  PassState& state_;
};

}  // namespace prehend::articulation::engine
