// Maximum likelihood of one type of joint: Gauss-Newton over the two joint frames, states eliminated frame by frame.
//
// Residuals and derivatives are those of frame_residual.h; the gradient is exact, so the end point is a minimum of the stated likelihood,
// however the curvature is approximated. Curvature comes from at most kCurvatureFrames frames spread over all of them: it has to be
// right to some per cent only. States are kept from pass to pass, so that one short step suffices for each. Rows of
// far-out frames get a weight that falls from 1 to 0 between two bounds of the squared distance; Gaussian frames practically never
// reach the first.
//
// Cost: a pass over n frames is linear in n; a few on 64 frames first where there are many, then two or three on all.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <prehend/articulation/frame_residual.h>
#include <prehend/articulation/joint_kind.h>
#include <prehend/articulation/likelihood_sums.h>

namespace prehend::articulation::engine {

inline constexpr std::size_t kCurvatureFrames = 128;
// Few frames that a fit of many starts with: enough for the noise to some per cent, so that two passes over all suffice.
inline constexpr std::size_t kCoarseFrames = 192;

template <class Type>
class Engine {
 public:
  static constexpr int d = Type::kFreedoms;
  static constexpr int n = Type::kParameters;
  using Frame = FrameResidual<Type>;
  using VectorQ = typename Frame::VectorQ;
  using VectorN = typename Frame::VectorN;
  using MatrixN = Eigen::Matrix<double, n, n>;

  Engine(const Frames& frames, const Joint& start, const LikelihoodSettings& settings)
      : frames_(frames), settings_(settings), joint_(start) {
    p_ = settings.noise.position * settings.noise.position;
    r_ = settings.noise.angle * settings.noise.angle;
    // Squared distance of 6 - d Gaussian components: mean k, deviation sqrt(2 k); beyond 4 deviations plus a tail one in
    // ten thousand.
    const double k = 6 - d;
    near_ = k + 5.0 * std::sqrt(2.0 * k) + 8.0;
    far_ = 3.0 * near_;
    floor_noise();
  }

  LikelihoodResult run() {
    LikelihoodResult result;
    const std::size_t count = frames_.X.size();
    weights_.assign(count, 1.0);
    if constexpr (d > 0) q_.assign(count, VectorQ::Constant(kUnknown));
    if (heavy()) factors_.assign(count, {1.0, 1.0});
    start_at(0);
    if constexpr (requires { Type::kWinds; }) wind();
    if (!settings_.noise_is_known) start_noise();
    if (settings_.max_iterations > 0) {
      // Many frames: come near on a few of them first.
      if (count >= 256) {
        stride_ = std::max<std::size_t>(2, count / kCoarseFrames);
        iterate(result, 2.0);
        stride_ = 1;
      }
      result.converged = false;
      if (settings_.wants_terms) result.terms.resize(count);
      iterate(result, settings_.tolerance);
    }
    if (!result.converged) finish_terms(result), pass();
    finish(result);
    return result;
  }

 private:
  bool heavy() const { return std::isfinite(settings_.tail_freedoms); }
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  // Ends with sums (and terms) of joint_ unless it has not converged.
  void iterate(LikelihoodResult& result, double tolerance) {
    double damping = 0.0, best_cost = std::numeric_limits<double>::infinity();
    Joint best = joint_;
    double best_p = p_, best_r = r_, slack = 1.0, last_size = 0.0;
    GeometricSteps p_steps, r_steps;
    for (int i = 0; i < settings_.max_iterations; ++i) {
      ++result.iterations;
      // The first of several passes is hardly ever the last.
      terms_ = i > 0 && stride_ == 1 && settings_.wants_terms ? &result.terms : nullptr;
      pass();
      // The variances move, too, and not along the cost: it is compared with what they alone make of it.
      if (!(sums_.cost <= best_cost + slack) && damping < 1e6) {
        damping = std::max(10 * damping, 1e-2);
        joint_ = best;
        p_ = best_p, r_ = best_r;
        pass();
      } else {
        best_cost = sums_.cost;
        best = joint_;
        best_p = p_, best_r = r_;
        damping = damping > 1e-4 ? 0.1 * damping : 0.0;
      }
      VectorN step = VectorN::Zero();
      double size = 0.0, p = p_, r = r_, noise_change = 0.0;
      if constexpr (n > 0) {
        MatrixN H = sums_.H;
        H.diagonal() *= 1.0 + damping + 1e-12;
        H.diagonal().array() += 1e-300;
        step = H.ldlt().solve(-sums_.g);
        if (!step.allFinite()) return;
        size = std::abs(step.dot(sums_.H * step));
      }
      if (!settings_.noise_is_known) {
        sums_.noise.step(p, r);
        p = std::max(p, p_floor_), r = std::max(r, r_floor_);
        noise_change = std::max(std::abs(std::log(p / p_)) * (p > 1.01 * p_floor_),
                                std::abs(std::log(r / r_)) * (r > 1.01 * r_floor_));
        p_steps.lengthen(p_, p);
        r_steps.lengthen(r_, r);
      }
      const bool coarse = stride_ > 1;
      const double enough = tolerance * tolerance * std::max(1, n);
      const bool settled = noise_change < (coarse ? 0.1 : 2 * tolerance);
      // What a further step would be: steps shrink as they did, and a change of the noise shifts the joint as much as it is.
      const double left =
          std::max(last_size > 0 ? size * size / last_size : size, noise_change * noise_change * n);
      if (coarse && damping == 0 && size < enough) {
        // What few frames ask for within their own noise is no improvement: closed forms of all frames know better.
        step.setZero();
        result.converged = settled;
      } else if (damping == 0 && settled && (size < enough || (size < 0.01 * n && left < enough))) {
        // Sums and terms are those of a joint within a tenth of a standard deviation.
        result.converged = true;
        finish_terms(result);
        if (size >= enough) apply(step);
        p_ = p, r_ = r;
        return;
      }
      last_size = damping == 0 ? size : 0.0;
      if constexpr (n > 0) {
        limit(step);
        apply(step);
      }
      const double change = sums_.cost_change(sides(), p, r);
      best_cost = sums_.cost + change;
      slack = 1.0 + (heavy() ? 1.0 : 0.05) * std::abs(change);  // a guess with heavy tails
      p_ = p, r_ = r;
      if (result.converged) return;
    }
  }

  // Terms of the last pass, which may have gone without.
  void finish_terms(LikelihoodResult& result) {
    if (terms_ || !settings_.wants_terms) return;
    result.terms.resize(frames_.X.size());
    terms_ = &result.terms;
    if (result.converged) pass();
  }

  void floor_noise() {
    p_floor_ = std::pow(1e-10 * frames_.length, 2);
    r_floor_ = 1e-20;
    p_ = std::max(p_, p_floor_);
    r_ = std::max(r_, r_floor_);
  }

  // Steps stay where the linearisation means something.
  void limit(VectorN& step) const {
    double largest = 0;
    for (int k = 0; k < n; ++k) {
      const int direction = Type::kDirections[k];
      const bool turns = direction <= kWPz || (direction >= kWCx && direction <= kWCz);
      if (turns) largest = std::max(largest, std::abs(step[k]) / 0.5);
    }
    if (largest > 1) step /= largest;
  }

  void apply(const VectorN& step) {
    math::Vector6d dP = math::Vector6d::Zero(), dC = math::Vector6d::Zero();
    for (int k = 0; k < n; ++k) {
      const int direction = Type::kDirections[k];
      if (direction == kPitch)
        joint_.pitch += step[k];
      else if (direction < 6)
        dP[direction] += step[k];
      else
        dC[direction - 6] += step[k];
    }
    // Turn and shift apart: the same to first order as exp, and a long lever stays put.
    joint_.X_FJ = math::Pose((joint_.X_FJ.q() * math::exp_so3(dP.head<3>())).normalized(),
                             joint_.X_FJ.p() + joint_.X_FJ.q() * dP.tail<3>());
    joint_.X_MJ = math::Pose((joint_.X_MJ.q() * math::exp_so3(dC.head<3>())).normalized(),
                             joint_.X_MJ.p() + joint_.X_MJ.q() * dC.tail<3>());
    Type::settle(joint_);
  }

  JointSides sides() const { return {joint_, frames_.fixed_share, p_, r_}; }

  // The state's zero: where frame i stands. States known so far are moved along.
  void start_at(std::size_t i) {
    if constexpr (Type::kStartsAtFirst) {
      const JointSides s = sides();
      Frame frame;
      frame.place(s, frames_.X[i]);
      if (std::isnan(q_[i][0]))
        frame.start_state(s);
      else
        frame.q = q_[i];
      Motion E0;
      Type::motion(frame.q, joint_.pitch, E0);
      joint_.X_FJ = joint_.X_FJ * math::Pose(E0.R, E0.p);
      const auto moved = [&](const VectorQ& q) -> VectorQ {
        if constexpr (d < 3) return q - frame.q;  // one axis: states add
        Motion E;
        Type::motion(q, joint_.pitch, E);
        VectorQ back = Type::state({E0.R.transpose() * E.R, E0.R.transpose() * (E.p - E0.p)}, joint_.pitch);
        return back;
      };
      for (VectorQ& q : q_)
        if (!std::isnan(q[0])) q = moved(q);
    }
  }

  // Which turn of a thread a frame is in: from the shift where a turn is well above the noise of positions, else by continuity in
  // the order of the frames.
  void wind() {
    const JointSides s = sides();
    Frame frame;
    const double thread = 2 * M_PI * std::abs(joint_.pitch);
    double last = 0;
    std::vector<double> misses;
    for (std::size_t i = 0; i < frames_.X.size(); ++i) {
      frame.place(s, frames_.X[i]);
      const double angle = std::atan2(frame.R_Y(1, 0) - frame.R_Y(0, 1), frame.R_Y(0, 0) + frame.R_Y(1, 1));
      last = angle + 2 * M_PI * std::round((last - angle) / (2 * M_PI));
      q_[i][0] = last;
      if (i % 8 == 0 || frames_.X.size() < 64)
        misses.push_back(std::abs(frame.x.z() + s.m.z() - joint_.pitch * last));
    }
    std::nth_element(misses.begin(), misses.begin() + misses.size() / 2, misses.end());
    // Known noise of positions is not all: a turning fixed part swings the moving one.
    double noise = misses[misses.size() / 2] / 0.6745;
    if (settings_.noise_is_known) noise = std::max(noise, settings_.noise.position);
    if (thread < 10 * noise) return;
    for (std::size_t i = 0; i < frames_.X.size(); ++i) {
      frame.place(s, frames_.X[i]);
      const double turns = (frame.x.z() + s.m.z() - joint_.pitch * q_[i][0]) / thread;
      q_[i][0] += 2 * M_PI * std::round(joint_.pitch > 0 ? turns : -turns);
    }
  }

  void start_noise() {
    // Medians of squared residuals of the start, which half of the frames may spoil.
    const JointSides s = sides();
    std::vector<double> a2, c2;
    const std::size_t stride = std::max<std::size_t>(1, frames_.X.size() / 64);
    Frame frame;
    for (std::size_t i = 0; i < frames_.X.size(); i += stride) {
      at<double>(s, &i, frame);
      frame.evaluate(s);
      a2.push_back(frame.a.squaredNorm());
      c2.push_back(frame.c0.squaredNorm());
    }
    const auto median = [](std::vector<double>& v) {
      std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
      return v[v.size() / 2];
    };
    constexpr double kMedian[4] = {1.0, 0.455, 1.386, 2.366};  // of chi-squared
    constexpr int turning = std::max(0, 3 - Type::kTurns), shifting = std::max(0, 3 - Type::kShifts);
    p_ = shifting > 0 ? median(c2) / kMedian[shifting] : settings_.noise.position * settings_.noise.position;
    r_ = turning > 0 ? median(a2) / kMedian[turning] : settings_.noise.angle * settings_.noise.angle;
    floor_noise();
  }

  // Frames i placed, with the states known so far.
  template <class T>
  void at(const JointSidesOf<T>& s, const std::size_t* i, FrameResidual<Type, T>& frame) {
    MotionOf<T> X;
    for (int k = 0; k < 9; ++k) X.R(k) = gathered<T>([&](int which) { return frames_.X[i[which]].R(k); });
    for (int k = 0; k < 3; ++k) X.p[k] = gathered<T>([&](int which) { return frames_.X[i[which]].p[k]; });
    if constexpr (kWidth<T> == 1) {
      if (heavy()) frame.angle_factor = factors_[*i][0], frame.shift_factor = factors_[*i][1];
    }
    frame.place(s, X);
    if constexpr (d > 0) {
      for (int k = 0; k < d; ++k) frame.q[k] = gathered<T>([&](int which) { return q_[i[which]][k]; });
      bool known = true;
      for (int which = 0; which < kWidth<T>; ++which) known = known && !std::isnan(lane(frame.q[0], which));
      if constexpr (kWidth<T> == 1 || !requires { Type::kWinds; }) {  // a thread's states are known
        if (!known) frame.start_state(s);
      }
    }
  }

  // One pass over the frames: normal equations, noise statistics, weights; terms where asked for.
  void pass() {
    if constexpr (requires { Type::kSeveralAtOnce; }) {
      if (!heavy())
        return instructions() == 2 ? pass_widest() : instructions() == 1 ? pass_wide() : pass_over<Lanes>();
    }
    pass_over<double>();
  }
#if defined(__x86_64__)
  // What the processor has: 1 for instructions on four numbers, 2 where these have twice the registers.
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
  static int instructions() { return 0; }
  void pass_wide() { pass_over<Lanes>(); }
  void pass_widest() { pass_over<Lanes>(); }
#endif

  template <class T>
  void pass_over() {
    constexpr std::size_t width = kWidth<T>;
    const JointSidesOf<T> s(joint_, frames_.fixed_share, p_, r_);
    Sums<n, T> sums;
    Eigen::Matrix<T, 13, 1> g = Eigen::Matrix<T, 13, 1>::Zero();
    const double share = s.share, log_p = std::log(p_), log_r = std::log(r_);
    FrameResidual<Type, T> frame;
    typename FrameResidual<Type, T>::MatrixJ J;
    const std::size_t count = (frames_.X.size() + stride_ - 1) / stride_;
    const std::size_t sparse = std::max<std::size_t>(1, count / kCurvatureFrames);
    T curvature_weight(0.0);
    std::size_t until_curvature = 0;
    for (std::size_t first = 0; first < count; first += width) {
      std::size_t i[width];
      for (std::size_t k = 0; k < width; ++k) i[k] = stride_ * std::min(first + k, count - 1);
      // Lanes beyond the last frame repeat it and do not count.
      const auto counts = [&](int k) { return first + static_cast<std::size_t>(k) < count; };
      const T present = gathered<T>([&](int k) { return counts(k) ? 1.0 : 0.0; });
      T w = present * gathered<T>([&](int k) { return frames_.weights[i[k]]; });
      at(s, i, frame);
      frame.eliminate(s);
      const Leverage<T> t = leverage_of(frame, share);
      T squared = frame.residual.squaredNorm();
      if constexpr (width == 1) {
        if (heavy()) squared = weigh_tails(frame, t, factors_[*i]);
      }
      T loss = squared;
      if (settings_.robust && !all_below(squared, near_)) {
        w *= gathered<T>([&](int k) { return weight_of(lane(squared, k), near_, far_); });
        loss = gathered<T>([&](int k) { return loss_of(lane(squared, k), near_, far_); });
      }
      T log_determinant(3 * log_r + (share > 0 ? log_p : 3 * log_p));
      if (share > 0) {
        using std::log;
        log_determinant -= 4.0 * log(frame.across / frame.shift_factor);
      }
      sums.cost += 0.5 * present * (loss + log_determinant);
      for (int k = 0; k < kWidth<T> && counts(k); ++k) {
        weights_[i[k]] = lane(w, k);
        for (int j = 0; j < d; ++j) q_[i[k]][j] = lane(frame.q[j], k);
        if (terms_) fill(frame, k, squared, log_determinant, (*terms_)[i[k]]);
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
    sums_ = Sums<n>(sums);
    if constexpr (n > 0) {
      sums_.H = MatrixN(sums_.H.template selfadjointView<Eigen::Lower>());
      const double curved = sum(curvature_weight);
      if (curved > 0) sums_.H *= sums_.count / curved;
      for (int k = 0; k < n; ++k) sums_.g[k] = sum(g[Type::kDirections[k]]);
      add_prior(sides());
    }
  }

  template <class T>
  void fill(const FrameResidual<Type, T>& frame, int which, const T& squared, const T& log_determinant,
            FrameTerms& term) const {
    for (int k = 0; k < 6; ++k) term.residual[k] = lane(frame.residual[k], which);
    term.squared = lane(squared, which);
    term.log_determinant = lane(log_determinant, which);
    term.q.resize(d);
    if constexpr (d > 0) {
      for (int k = 0; k < d; ++k) term.q[k] = lane(frame.q[k], which);
      term.state_covariance.resize(d, d);
      for (int k = 0; k < d * d; ++k)
        term.state_covariance(k / d, k % d) = lane(frame.inverse(k / d, k % d), which);
    }
  }

  // Heavy tails: the precision of this frame's orientation and position, for the next pass, and its loss now. Student's distribution.
  double weigh_tails(const Frame& frame, const Leverage<double>& t, std::array<double, 2>& factors) const {
    const double nu = settings_.tail_freedoms;
    const double freedoms[2] = {3 - t.a, 3 - t.along - t.across};
    const double squared[2] = {
        frame.residual.template head<3>().squaredNorm() / (frame.angle_factor * frame.angle_factor),
        frame.residual.template tail<3>().squaredNorm() / (frame.shift_factor * frame.shift_factor)};
    double loss = 0;
    for (int k = 0; k < 2; ++k) {
      factors[k] = std::sqrt((nu + freedoms[k]) / (nu + squared[k]));
      loss += (nu + freedoms[k]) * std::log1p(squared[k] / nu);
    }
    return loss;
  }

  // Half-normal on the distance from M's origin to the axis: rows m_x / scale, m_y / scale (and z to a centre); m = R_MC^T p_MC.
  void add_prior(const JointSides& s) {
    if (!(Type::kHasRadius && std::isfinite(settings_.radius_scale))) return;
    for (int row = 0; row < (Type::kTurns > 1 ? 3 : 2); ++row) {
      VectorN J = VectorN::Zero();
      for (int k = 0; k < n; ++k) {
        const int direction = Type::kDirections[k];
        if (direction >= kVCx && direction <= kVCz) J[k] = direction - kVCx == row ? 1.0 : 0.0;
        if (direction >= kWCx && direction <= kWCz)
          J[k] = s.m.cross(Eigen::Vector3d::Unit(direction - kWCx))[row];
      }
      J /= settings_.radius_scale;
      const double e = s.m[row] / settings_.radius_scale;
      sums_.H += J * J.transpose();
      sums_.g += J * e;
      sums_.cost += 0.5 * e * e;
    }
  }

  // From the sums of the last pass.
  void finish(LikelihoodResult& result) {
    if constexpr (Type::kStartsAtFirst) {
      const auto counts = std::find_if(weights_.begin(), weights_.end(), [](double w) { return w >= 0.5; });
      const auto first = static_cast<std::size_t>(counts - weights_.begin());
      if (first < weights_.size()) {
        start_at(first);
        if (first > 0) pass();  // the frame on F turned along: its covariance, too
        if (terms_)
          for (std::size_t i = 0; i < q_.size(); ++i)
            for (int k = 0; k < d; ++k) (*terms_)[i].q[k] = q_[i][k];
      }
    }
    result.joint = joint_;
    result.noise = {std::sqrt(p_), std::sqrt(r_)};
    const double count = sums_.count, freedoms = count * (6 - d);
    result.noise_factor = settings_.noise_is_known || freedoms <= n ? 1.0 : freedoms / (freedoms - n);
    result.weights = std::move(weights_);
    result.rms_angle = count > 0 ? std::sqrt(sums_.a2 / (3 * count)) : 0.0;
    result.rms_position = count > 0 ? std::sqrt(sums_.c2 / (3 * count)) : 0.0;
    result.cost = sums_.cost;
    if constexpr (n > 0) {
      result.covariance = inverse_curvature<n>(sums_.H) * result.noise_factor;
    }
  }

  const Frames& frames_;
  const LikelihoodSettings& settings_;
  Joint joint_;
  double p_{1}, r_{1}, p_floor_{0}, r_floor_{0};  // variances [m^2, rad^2]
  double near_, far_;
  std::size_t stride_{1};
  std::vector<double> weights_;
  std::vector<std::array<double, 2>>
      factors_;             // of heavy tails: roots of each frame's precision, angle and position
  std::vector<VectorQ> q_;  // as known so far; not a number: not yet
  std::vector<FrameTerms>* terms_{nullptr};
  Sums<n> sums_;
};

}  // namespace prehend::articulation::engine
