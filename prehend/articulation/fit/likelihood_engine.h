// Maximum likelihood of one type of joint: Gauss-Newton over the two joint frames, states eliminated frame by frame.
//
// Residuals and derivatives are those of frame_residual.h; the gradient is exact, so the end point is a minimum of the stated likelihood,
// however the curvature is approximated. Sums over frames come from frame_pass.h.
//
// Cost: a pass over n frames is linear in n; a few on 200 frames first where there are many, then two or three on all.
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

#include <prehend/articulation/fit/frame_pass.h>
#include <prehend/articulation/fit/likelihood_sums.h>
#include <prehend/articulation/joints/joint_kind.h>

namespace prehend::articulation::engine {

// Few frames that a fit of many starts with: enough for the noise to some per cent, so that two passes over all suffice.
inline constexpr std::size_t kCoarseFrames = 192;

template <class Type>
class Engine : private FramePass<Type> {
 public:
  using Pass = FramePass<Type>;
  using Pass::d, Pass::n;
  using typename Pass::Frame, typename Pass::VectorQ, typename Pass::VectorN, typename Pass::MatrixN;

  Engine(const Frames& frames, const Joint& start, const LikelihoodSettings& settings)
      : Pass(frames, start, settings) {
    floor_noise();
  }

  LikelihoodResult run() {
    LikelihoodResult result;
    const std::size_t count = frames_.X.size();
    weights_.assign(count, 1.0);
    if constexpr (d > 0) q_.assign(count, VectorQ::Constant(kUnknown));
    if (several_sizes()) factors_.assign(count, {1.0, 1.0});
    start_at(0);
    if constexpr (requires { Type::kWinds; }) wind();
    if (!settings_.noise_is_known) start_noise();
    if (several_sizes()) pass();  // each pass weighs frames for the next
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
  using Pass::frames_, Pass::settings_, Pass::joint_, Pass::p_, Pass::r_, Pass::stride_, Pass::weights_,
      Pass::factors_, Pass::q_, Pass::terms_, Pass::sums_;
  using Pass::several_sizes, Pass::pass, Pass::sides, Pass::information_;

  static constexpr double kLeastShare = 0.4;  // of the frames, within the noise
  double considered() const { return static_cast<double>((frames_.X.size() + stride_ - 1) / stride_); }

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
      if (settings_.robust && !settings_.noise_is_known && sums_.count < kLeastShare * considered()) {
        // Less noise than most frames have: they are no outliers.
        p_ *= 16, r_ *= 16;
        best_cost = std::numeric_limits<double>::infinity();
        p_steps = r_steps = {};
        continue;
      }
      // The variances move, too, and not along the cost: it is compared with what they alone make of it.
      if (!(sums_.cost <= best_cost + slack) && damping < 1e6) {
        damping = std::max(10 * damping, 1e-2);
        joint_ = best;
        p_ = best_p, r_ = best_r;
        p_steps = r_steps = {};
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
        if (size < n) {  // the joint is near: what is left is the variances' own way
          p_steps.lengthen(p_, p);
          r_steps.lengthen(r_, r);
        }
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
      slack = 1.0 + (several_sizes() ? 1.0 : 0.05) * std::abs(change);  // a guess with several sizes
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

  // Which turn of a thread a frame is in: from the shift where a turn is well above what shifts miss the nearest turn by, else by continuity
  // in the order of the frames, which a flipped marker interrupts.
  void wind() {
    const JointSides s = sides();
    Frame frame;
    const double thread = 2 * M_PI * std::abs(joint_.pitch);
    const std::size_t stride = std::max<std::size_t>(1, frames_.X.size() / 64);
    double last = 0;
    std::vector<double> misses;
    std::vector<double> turns(frames_.X.size());  // of the shift beyond the angle's
    for (std::size_t i = 0; i < frames_.X.size(); ++i) {
      frame.place(s, frames_.X[i]);
      const double angle = std::atan2(frame.R_Y(1, 0) - frame.R_Y(0, 1), frame.R_Y(0, 0) + frame.R_Y(1, 1));
      last = angle + 2 * M_PI * std::round((last - angle) / (2 * M_PI));
      q_[i][0] = last;
      const double beyond = frame.x.z() + s.m.z() - joint_.pitch * last;
      turns[i] = thread > 0 ? (joint_.pitch > 0 ? beyond : -beyond) / thread : 0.0;
      if (i % stride == 0) misses.push_back(thread * std::abs(turns[i] - std::round(turns[i])));
    }
    std::nth_element(misses.begin(), misses.begin() + misses.size() / 2, misses.end());
    // Known noise of positions is not all: a turning fixed part swings the moving one.
    double noise = misses[misses.size() / 2] / 0.6745;
    if (settings_.noise_is_known) noise = std::max(noise, settings_.noise.position);
    if (thread < 10 * noise || !(thread > 0)) return;
    for (std::size_t i = 0; i < frames_.X.size(); ++i) q_[i][0] += 2 * M_PI * std::round(turns[i]);
  }

  void start_noise() {
    // Medians of squared residuals of the start, which half of the frames may spoil.
    const JointSides s = sides();
    std::vector<double> a2, c2;
    const std::size_t stride = std::max<std::size_t>(1, frames_.X.size() / 64);
    Frame frame;
    for (std::size_t i = 0; i < frames_.X.size(); i += stride) {
      this->template at<double>(s, &i, frame);
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
    result.cost = sums_.cost + sums_.apart;
    result.angle_freedoms = count > 0 ? 3 - sums_.taken_a / count : 0.0;
    result.shift_freedoms = count > 0 ? 3 - sums_.taken_c / count : 0.0;
    double excess = 1.0;
    if (several_sizes())
      for (const SizesInformation& information : information_)
        excess = std::max(excess, information.excess());
    if constexpr (n > 0) {
      result.covariance = inverse_curvature<n>(sums_.H) * (result.noise_factor * excess);
    }
  }

  double p_floor_{0}, r_floor_{0};  // variances [m^2, rad^2]
};

}  // namespace prehend::articulation::engine
