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
        stride_ = count / 64;
        iterate(result, 0.5);
        stride_ = 1;
      }
      result.converged = false;
      if (settings_.wants_terms) result.terms.resize(count);
      terms_ = settings_.wants_terms ? &result.terms : nullptr;
      iterate(result, settings_.tolerance);
    } else if (settings_.wants_terms) {
      result.terms.resize(count);
      terms_ = &result.terms;
    }
    if (!result.converged) pass();
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
    double best_p = p_, best_r = r_, slack = 1.0;
    for (int i = 0; i < settings_.max_iterations; ++i) {
      ++result.iterations;
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
      }
      const bool coarse = stride_ > 1;
      if (damping == 0 && size < tolerance * tolerance * std::max(1, n) &&
          noise_change < (coarse ? 0.3 : 1e-2)) {
        result.converged = true;
        if (!coarse) return;
      }
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
    const std::size_t stride = std::max<std::size_t>(1, frames_.X.size() / 128);
    Frame frame;
    for (std::size_t i = 0; i < frames_.X.size(); i += stride) {
      at(s, i, frame);
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

  // Frame i placed, with the state known so far.
  void at(const JointSides& s, std::size_t i, Frame& frame) {
    if (heavy()) frame.angle_factor = factors_[i][0], frame.shift_factor = factors_[i][1];
    frame.place(s, frames_.X[i]);
    if constexpr (d > 0) {
      if (std::isnan(q_[i][0]))
        frame.start_state(s);
      else
        frame.q = q_[i];
    }
  }

  // One pass over the frames: normal equations, noise statistics, weights; terms where asked for.
  void pass() {
    const JointSides s = sides();
    sums_ = {};
    sums_.H.setZero();
    Eigen::Matrix<double, 13, 1> g = Eigen::Matrix<double, 13, 1>::Zero();
    const double share = s.share, log_p = std::log(p_), log_r = std::log(r_);
    Frame frame;
    typename Frame::MatrixJ J;
    const std::size_t count = frames_.X.size() / stride_;
    const std::size_t sparse = std::max<std::size_t>(1, count / kCurvatureFrames);
    double curvature_weight = 0;
    std::size_t until_curvature = 0;
    for (std::size_t i = 0; i < frames_.X.size(); i += stride_) {
      at(s, i, frame);
      frame.eliminate(s);
      if constexpr (d > 0) q_[i] = frame.q;
      double squared = frame.residual.squaredNorm(), loss = squared;
      const Leverage t = leverage_of(frame, share);
      if (heavy()) loss = squared = weigh_tails(frame, t, factors_[i]);
      const double w = frames_.weights[i] * (settings_.robust ? weight_of(squared, near_, far_) : 1.0);
      weights_[i] = w;
      const double log_determinant =
          3 * log_r + (share > 0 ? log_p - 4 * std::log(frame.across / frame.shift_factor) : 3 * log_p);
      sums_.cost += 0.5 * ((settings_.robust ? loss_of(loss, near_, far_) : loss) + log_determinant);
      if (terms_) fill(frame, squared, log_determinant, (*terms_)[i]);
      const bool curved = until_curvature == 0;
      until_curvature = curved ? sparse - 1 : until_curvature - 1;
      if (w == 0) continue;
      sums_.add_noise(frame, t, w, s);
      if constexpr (n > 0) {
        frame.add_gradient(s, w, g);
        if (curved) {
          frame.jacobian(s, J);
          if constexpr (d > 0 && d < 6) J -= frame.S * (frame.inverse * (frame.S.transpose() * J)).eval();
          sums_.H.template selfadjointView<Eigen::Lower>().rankUpdate(J.transpose(), w);
          curvature_weight += w;
        }
      }
    }
    if constexpr (n > 0) {
      sums_.H = MatrixN(sums_.H.template selfadjointView<Eigen::Lower>());
      if (curvature_weight > 0) sums_.H *= sums_.count / curvature_weight;
      for (int k = 0; k < n; ++k) sums_.g[k] = g[Type::kDirections[k]];
      add_prior(s);
    }
  }

  void fill(const Frame& frame, double squared, double log_determinant, FrameTerms& term) const {
    term.residual = frame.residual;
    term.squared = squared;
    term.log_determinant = log_determinant;
    term.q = frame.q;
    if constexpr (d > 0) {
      term.state_covariance.resize(d, d);
      for (int k = 0; k < d * d; ++k) term.state_covariance(k / d, k % d) = frame.inverse(k / d, k % d);
    }
  }

  // Heavy tails: the precision of this frame's orientation and position, for the next pass, and its loss now. Student's distribution.
  double weigh_tails(const Frame& frame, const Leverage& t, std::array<double, 2>& factors) const {
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
          for (std::size_t i = 0; i < q_.size(); ++i) (*terms_)[i].q = q_[i];
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
