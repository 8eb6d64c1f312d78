#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <prehend/articulation/fit/accelerated_steps.h>
#include <prehend/articulation/fit/frame_residual.h>
#include <prehend/articulation/fit/likelihood_engine.h>
#include <prehend/articulation/fit/noise_components.h>
#include <prehend/articulation/fit/pass_state.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/joints/local_directions.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/interrupt.h>

namespace prehend::articulation {
namespace engine {
namespace {

// Few frames that a fit of many starts with: enough for the noise to some per cent, so that two passes over all suffice.
constexpr std::size_t kCoarseFrames = 192;
// Frames from which on that pays: below, the passes over few cost as much as those over all.
constexpr std::size_t kManyFrames = 256;
// Least share of the frames that must lie within the noise; below, the noise is too small, not the frames wrong.
constexpr double kLeastShare = 0.4;
// [rad] Longest turn of a joint frame in one step: beyond half a radian the linearisation means nothing.
constexpr double kLongestTurn = 0.5;
// Frames of which starting noise is a median: it has to be right to a factor of two.
constexpr std::size_t kStartFrames = 64;
// Steps within which a fit of the right type ends; what takes longer is accelerated.
constexpr int kUsual = 6;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// What other variances make of the cost; exact without a share, with the mean distance otherwise. Outliers have determinants, too.
double cost_change(const FrameSums& sums, const JointSides& s, double p, double r) {
  if (!(sums.count > 0)) return 0.0;
  const double swing = s.share * (1 - s.share) * sums.D2 / sums.count;
  const double across = (p + swing * r) / (s.p + swing * s.r), along = p / s.p, angle = r / s.r;
  return 0.5 *
         (sums.a2 / s.r * (1 / angle - 1) + sums.along2 * (1 / along - 1) + sums.across2 * (1 / across - 1) +
          sums.frames * (3 * std::log(angle) + std::log(along) + 2 * std::log(across)));
}

// Half-normal on the distance from M's origin to the axis: rows m_x, m_y (and m_z to a centre) over the scale; m = R_MC^T p_MC.
ParameterVector prior_row(std::span<const int> directions, const Eigen::Vector3d& m, int row) {
  ParameterVector J = ParameterVector::Zero(static_cast<Eigen::Index>(directions.size()));
  for (std::size_t k = 0; k < directions.size(); ++k) {
    const int direction = directions[k];
    if (direction >= kVCx && direction <= kVCz) J[k] = direction - kVCx == row ? 1.0 : 0.0;
    if (direction >= kWCx && direction <= kWCz) J[k] = m.cross(Eigen::Vector3d::Unit(direction - kWCx))[row];
  }
  return J;
}

double median(std::vector<double>& v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

// A measured pose between the joint frames.
struct PlacedFrame {
  Eigen::Matrix3d R_Y;
  Eigen::Vector3d x;  // M's origin in the fixed joint frame [m]
  PlacedFrame(const JointSides& s, const Motion& X)
      : R_Y(s.R_PF * (X.R * s.R_MC)), x(s.R_PF * (X.p - s.p_FP)) {}
  // The state nearest in the joint's own way.
  State state(const JointKind& kind, const JointSides& s) const {
    return kind.state(Motion{R_Y, x + R_Y * s.m}, s.pitch);
  }
};

// Levenberg and Marquardt's damping, as a share of the curvature's diagonal: it falls to nothing within four steps. Where full steps fail for a second time (along the
// bent valley of an axis far away, whose place in F and in M must move together), it falls in smaller ones and is taken up where it was.
class Damping {
 public:
  double value() const { return value_; }
  bool is_none() const { return value_ == 0; }
  // `counts`: the failure was that of a full step whose model should have been right.
  void step_failed(bool counts) {
    if (is_none() && counts) ++full_steps_failed_;
    value_ = is_bent() && is_none() ? last_ : std::max(10 * value_, is_bent() ? 0.0 : kFirst);
  }
  void step_succeeded() {
    if (!is_none()) last_ = value_;
    value_ = value_ > (is_bent() ? kLeastOfBent : kLeast) ? 0.1 * value_ : 0.0;
  }

 private:
  static constexpr double kFirst = 1e-2, kLeast = 1e-4, kLeastOfBent = 1e-7;
  bool is_bent() const { return full_steps_failed_ > 1; }
  double value_{0}, last_{kFirst};
  int full_steps_failed_{0};
};

class Engine {
 public:
  Engine(const JointKind& kind, const Frames& frames, const Joint& start, const LikelihoodSettings& settings)
      : kind_(kind),
        d_(kind.freedoms()),
        n_(kind.parameters()),
        directions_(kind.directions()),
        state_{.frames = frames,
               .settings = settings,
               .joint = start,
               .p = settings.noise.position * settings.noise.position,
               .r = settings.noise.angle * settings.noise.angle} {
    // Squared distance of 6 - d Gaussian components: mean k, deviation sqrt(2 k); beyond 4 deviations plus a tail one in
    // ten thousand.
    const double k = 6 - d_;
    state_.near = k + 5.0 * std::sqrt(2.0 * k) + 8.0;
    state_.far = 3.0 * state_.near;
    floor_noise();
  }

  LikelihoodResult run();

 private:
  // What an iteration keeps from one pass to the next.
  struct Progress {
    Joint best;
    double best_p, best_r;
    double best_cost{kInfinite}, slack{1.0}, last_size{0.0};
    Damping damping{};
    GeometricSteps p_steps{}, r_steps{};
    AcceleratedSteps joint_steps{};
    bool is_smooth{false};  // where the last step was made
    bool may_accelerate{true};
    void take_back(PassState& state) {
      state.joint = best;
      state.p = best_p, state.r = best_r;
      forget_steps();
    }
    void forget_steps() {
      p_steps = r_steps = {};
      joint_steps.forget();
    }
  };
  struct Step {
    ParameterVector joint;
    double size{0.0};  // squared, in standard deviations
    double p, r;       // variances after it
    double noise_change{0.0};
  };

  JointSides sides() const { return {state_.joint, state_.frames.fixed_share, state_.p, state_.r}; }
  double considered() const {
    return static_cast<double>((state_.frames.X.size() + state_.stride - 1) / state_.stride);
  }
  void pass() {
    kind_.pass(state_);
    if (n_ > 0) add_prior(sides());
  }
  void add_prior(const JointSides& s);
  void iterate(LikelihoodResult& result, double tolerance);
  void keep_or_take_back(Progress& progress);
  std::optional<Step> next_step(Progress& progress) const;
  bool is_last(const Step& step, const Progress& progress, double tolerance) const;
  bool is_smooth(const Step& step) const;
  bool all_frames_count() const { return state_.sums.count > state_.sums.frames - 1e-9; }
  void finish_terms(LikelihoodResult& result);
  void floor_noise();
  void limit(ParameterVector& step) const;
  void apply(const ParameterVector& step);
  void start_at(std::size_t i);
  void wind();
  void start_noise();
  void finish(LikelihoodResult& result);

  const JointKind& kind_;
  const int d_, n_;
  const std::span<const int> directions_;
  PassState state_;
  double p_floor_{0}, r_floor_{0}, p_most_{0}, r_most_{0};  // variances [m^2, rad^2]
};

LikelihoodResult Engine::run() {
  LikelihoodResult result;
  const LikelihoodSettings& settings = state_.settings;
  const std::size_t count = state_.frames.X.size();
  state_.weights.assign(count, 1.0);
  state_.q.assign(count * static_cast<std::size_t>(d_), kUnknown);
  if (state_.several_sizes()) state_.factors.assign(count, {1.0, 1.0});
  start_at(0);
  if (kind_.winds()) wind();
  if (!settings.noise_is_known) start_noise();
  if (state_.several_sizes()) pass();  // each pass weighs frames for the next
  if (settings.max_iterations > 0) {
    // Many frames: come near on a few of them first.
    if (count >= kManyFrames) {
      state_.stride = std::max<std::size_t>(2, count / kCoarseFrames);
      iterate(result, 2.0);
      state_.stride = 1;
    }
    result.converged = false;
    if (settings.wants_terms) result.terms.resize(count);
    iterate(result, settings.tolerance);
  }
  if (!result.converged) finish_terms(result), pass();
  finish(result);
  return result;
}

void Engine::add_prior(const JointSides& s) {
  const double scale = state_.settings.radius_scale;
  if (!std::isfinite(scale)) return;
  for (int row = 0; row < kind_.radius_directions(); ++row) {
    const ParameterVector J = prior_row(directions_, s.m, row) / scale;
    const double e = s.m[row] / scale;
    state_.sums.H.noalias() += J.lazyProduct(J.transpose());
    state_.sums.g += J * e;
    state_.sums.cost += 0.5 * e * e;
  }
}

// Ends with sums (and terms) of the joint unless it has not converged.
void Engine::iterate(LikelihoodResult& result, double tolerance) {
  const LikelihoodSettings& settings = state_.settings;
  const bool coarse = state_.stride > 1;
  const double enough = tolerance * tolerance * std::max(1, n_);
  Progress progress{.best = state_.joint, .best_p = state_.p, .best_r = state_.r};
  for (int i = 0; i < settings.max_iterations; ++i) {
    math::check_interrupt();
    ++result.iterations;
    // The first of several passes is hardly ever the last.
    state_.terms = i > 0 && !coarse && settings.wants_terms ? &result.terms : nullptr;
    pass();
    if (settings.robust && !settings.noise_is_known && state_.sums.count < kLeastShare * considered()) {
      // Less noise than most frames have: they are no outliers.
      state_.p = std::min(16 * state_.p, p_most_), state_.r = std::min(16 * state_.r, r_most_);
      progress.best_cost = kInfinite;
      progress.forget_steps();
      continue;
    }
    keep_or_take_back(progress);
    std::optional<Step> step = next_step(progress);
    if (!step) return;
    if (coarse && progress.damping.is_none() && step->size < enough) {
      // What few frames ask for within their own noise is no improvement: closed forms of all frames know better.
      step->joint.setZero();
      result.converged = step->noise_change < 0.1;
    } else if (is_last(*step, progress, tolerance)) {
      // Sums and terms are those of a joint within a tenth of a standard deviation.
      result.converged = true;
      finish_terms(result);
      if (step->size >= enough) apply(step->joint);
      state_.p = step->p, state_.r = step->r;
      return;
    }
    progress.last_size = progress.damping.is_none() ? step->size : 0.0;
    if (n_ > 0) {
      progress.is_smooth = !coarse && i >= kUsual && is_smooth(*step);
      if (progress.damping.is_none() && progress.is_smooth && progress.may_accelerate)
        step->joint = progress.joint_steps.next(step->joint, step->size, state_.sums.H);
      else
        progress.joint_steps.forget();
      limit(step->joint);
      progress.joint_steps.set_taken(step->joint);
      apply(step->joint);
    }
    const double change = cost_change(state_.sums, sides(), step->p, step->r);
    progress.best_cost = state_.sums.cost + change;
    progress.slack =
        1.0 + (state_.several_sizes() ? 1.0 : 0.05) * std::abs(change);  // a guess with several sizes
    state_.p = step->p, state_.r = step->r;
    if (result.converged) return;
  }
}

// The variances move, too, and not along the cost: it is compared with what they alone make of it.
void Engine::keep_or_take_back(Progress& progress) {
  if (progress.joint_steps.is_slow() && !all_frames_count()) {
    // A long step that leaves frames out may have left the minimum's surroundings: in short ones from here on.
    progress.may_accelerate = false;
    progress.take_back(state_);
    pass();
  }
  if (!(state_.sums.cost <= progress.best_cost + progress.slack) && progress.damping.value() < 1e6) {
    progress.damping.step_failed(progress.is_smooth);
    progress.take_back(state_);
    pass();
  } else {
    progress.best_cost = state_.sums.cost;
    progress.best = state_.joint;
    progress.best_p = state_.p, progress.best_r = state_.r;
    progress.damping.step_succeeded();
  }
}

std::optional<Engine::Step> Engine::next_step(Progress& progress) const {
  const FrameSums& sums = state_.sums;
  Step step{.joint = ParameterVector::Zero(n_), .p = state_.p, .r = state_.r};
  if (n_ > 0) {
    ParameterMatrix H = sums.H;
    H.diagonal() *= 1.0 + progress.damping.value() + 1e-12;
    H.diagonal().array() += 1e-300;
    step.joint = math::symmetric_solve(Eigen::MatrixXd(H), Eigen::VectorXd(-sums.g));
    if (!step.joint.allFinite()) return std::nullopt;
    step.size = std::abs(step.joint.dot(sums.H * step.joint));
  }
  if (state_.settings.noise_is_known) return step;
  sums.noise.step(step.p, step.r);
  step.p = std::clamp(step.p, p_floor_, p_most_), step.r = std::clamp(step.r, r_floor_, r_most_);
  step.noise_change = std::max(std::abs(std::log(step.p / state_.p)) * (step.p > 1.01 * p_floor_),
                               std::abs(std::log(step.r / state_.r)) * (step.r > 1.01 * r_floor_));
  if (step.size < n_) {  // the joint is near: what is left is the variances' own way
    progress.p_steps.lengthen(state_.p, step.p);
    progress.r_steps.lengthen(state_.r, step.r);
  }
  return step;
}

bool Engine::is_last(const Step& step, const Progress& progress, double tolerance) const {
  const double enough = tolerance * tolerance * std::max(1, n_);
  const bool settled = step.noise_change < (state_.stride > 1 ? 0.1 : 2 * tolerance);
  // What a further step would be: steps shrink as they did, and a change of the noise shifts the joint as much as it is.
  const double left =
      std::max(progress.last_size > 0 ? step.size * step.size / progress.last_size : step.size,
               step.noise_change * step.noise_change * n_);
  return progress.damping.is_none() && settled &&
         (step.size < enough || (step.size < 0.01 * n_ && left < enough));
}

// Whether the cost is that of Gaussian frames with noise that has settled: what steps did so far then tells what they will do. Where frames are being left out or taken
// in, another step may end in another minimum.
bool Engine::is_smooth(const Step& step) const {
  constexpr double kSettled = 0.02;  // of the logarithm of a variance
  return all_frames_count() && step.noise_change < kSettled;
}

// Terms of the last pass, which may have gone without.
void Engine::finish_terms(LikelihoodResult& result) {
  if (state_.terms || !state_.settings.wants_terms) return;
  result.terms.resize(state_.frames.X.size());
  state_.terms = &result.terms;
  if (result.converged) pass();
}

// What poses are not known better than, whatever residuals say: a millionth of what is seen, and of a radian. Far above rounding, of files with
// seven digits, too, and far below any tracker (0.01 mm). Below, types would be told apart by rounding.
void Engine::floor_noise() {
  constexpr double kOfLength = 1e-6, kAngle = 1e-6;  // [-, rad]
  p_floor_ = std::pow(std::max(kOfLength * state_.frames.length, state_.frames.least_position), 2);
  r_floor_ = std::pow(std::max(kAngle, state_.frames.least_angle), 2);
  // Nor is noise more than all there is to see: ten times the size, half a turn.
  p_most_ = std::max(std::pow(10 * state_.frames.length, 2), p_floor_);
  r_most_ = math::kPi * math::kPi;
  state_.p = std::max(state_.p, p_floor_);
  state_.r = std::max(state_.r, r_floor_);
}

// Steps stay where the linearisation means something.
void Engine::limit(ParameterVector& step) const {
  double largest = 0;
  for (int k = 0; k < n_; ++k) {
    const int direction = directions_[k];
    const bool turns = direction <= kWPz || (direction >= kWCx && direction <= kWCz);
    if (turns) largest = std::max(largest, std::abs(step[k]) / kLongestTurn);
  }
  if (largest > 1) step /= largest;
}

void Engine::apply(const ParameterVector& step) {
  Joint& joint = state_.joint;
  math::Vector6d dP = math::Vector6d::Zero(), dC = math::Vector6d::Zero();
  for (int k = 0; k < n_; ++k) {
    const int direction = directions_[k];
    if (direction == kPitch)
      joint.pitch += step[k];
    else if (direction < 6)
      dP[direction] += step[k];
    else
      dC[direction - 6] += step[k];
  }
  // Turn and shift apart: the same to first order as exp, and a long lever stays put.
  joint.X_FJ = math::Pose((joint.X_FJ.q() * math::exp_so3(dP.head<3>())).normalized(),
                          joint.X_FJ.p() + joint.X_FJ.q() * dP.tail<3>());
  joint.X_MJ = math::Pose((joint.X_MJ.q() * math::exp_so3(dC.head<3>())).normalized(),
                          joint.X_MJ.p() + joint.X_MJ.q() * dC.tail<3>());
  kind_.settle(joint);
}

// The state's zero: where frame i stands. States known so far are moved along.
void Engine::start_at(std::size_t i) {
  if (!kind_.starts_at_first()) return;
  const std::size_t d = static_cast<std::size_t>(d_);
  const auto known = [&](std::size_t k) {
    return Eigen::Map<Eigen::VectorXd>(state_.q.data() + k * d, static_cast<Eigen::Index>(d));
  };
  const JointSides s = sides();
  const State zero =
      std::isnan(state_.q[i * d]) ? PlacedFrame(s, state_.frames.X[i]).state(kind_, s) : State(known(i));
  const double pitch = state_.joint.pitch;
  const Motion E0 = kind_.motion(zero, pitch);
  state_.joint.X_FJ = state_.joint.X_FJ * math::Pose(E0.R, E0.p);
  if (d < 3) {  // one axis: states add, and what is not known stays so
    for (std::size_t j = 0; j < d; ++j) {
      const double shift = zero[static_cast<Eigen::Index>(j)];
      for (std::size_t k = j; k < state_.q.size(); k += d) state_.q[k] -= shift;
    }
    return;
  }
  for (std::size_t k = 0; k < state_.frames.X.size(); ++k) {
    if (std::isnan(state_.q[k * d])) continue;
    const Motion E = kind_.motion(State(known(k)), pitch);
    known(k) = kind_.state({E0.R.transpose() * E.R, E0.R.transpose() * (E.p - E0.p)}, pitch);
  }
}

// Which turn of a thread a frame is in: from the shift where a turn is well above what shifts miss the nearest turn by, else by continuity
// in the order of the frames, which a flipped marker interrupts.
void Engine::wind() {
  constexpr double kWellAbove = 10.0;  // standard deviations between neighbouring turns: none is mistaken
  constexpr double kMedianOfNormal = 0.6745;  // absolute value, in standard deviations
  const std::vector<Motion>& X = state_.frames.X;
  const JointSides s = sides();
  const double pitch = state_.joint.pitch, thread = 2 * math::kPi * std::abs(pitch);
  const std::size_t stride = std::max<std::size_t>(1, X.size() / kStartFrames);
  double last = 0;
  std::vector<double> misses;
  std::vector<double> turns(X.size());  // of the shift beyond the angle's
  for (std::size_t i = 0; i < X.size(); ++i) {
    const PlacedFrame frame(s, X[i]);
    const double angle = std::atan2(frame.R_Y(1, 0) - frame.R_Y(0, 1), frame.R_Y(0, 0) + frame.R_Y(1, 1));
    last = angle + 2 * math::kPi * std::round((last - angle) / (2 * math::kPi));
    state_.q[i] = last;
    const double beyond = frame.x.z() + s.m.z() - pitch * last;
    turns[i] = thread > 0 ? (pitch > 0 ? beyond : -beyond) / thread : 0.0;
    if (i % stride == 0) misses.push_back(thread * std::abs(turns[i] - std::round(turns[i])));
  }
  // Known noise of positions is not all: a turning fixed part swings the moving one.
  double noise = median(misses) / kMedianOfNormal;
  if (state_.settings.noise_is_known) noise = std::max(noise, state_.settings.noise.position);
  if (thread < kWellAbove * noise || !(thread > 0)) return;
  for (std::size_t i = 0; i < X.size(); ++i) state_.q[i] += 2 * math::kPi * std::round(turns[i]);
}

// Medians of squared residuals of the start, which half of the frames may spoil.
void Engine::start_noise() {
  const PoseNoise& start = state_.settings.noise;
  const JointSides s = sides();
  std::vector<double> a2, c2;
  const std::size_t stride = std::max<std::size_t>(1, state_.frames.X.size() / kStartFrames);
  for (std::size_t i = 0; i < state_.frames.X.size(); i += stride) {
    const PlacedFrame frame(s, state_.frames.X[i]);
    State q(d_);
    for (int k = 0; k < d_; ++k)
      q[k] = state_.q[i * static_cast<std::size_t>(d_) + static_cast<std::size_t>(k)];
    if (d_ > 0 && std::isnan(q[0])) q = frame.state(kind_, s);
    const Motion E = kind_.motion(q, s.pitch);
    a2.push_back(rotation_vector<double>(E.R.transpose() * frame.R_Y).squaredNorm());
    c2.push_back((E.R.transpose() * (frame.x - E.p) + s.m).squaredNorm());
  }
  constexpr double kMedian[4] = {1.0, 0.455, 1.386, 2.366};  // of chi-squared of that many freedoms
  const int turning = std::max(0, 3 - kind_.turns()), shifting = std::max(0, 3 - kind_.shifts());
  state_.p = shifting > 0 ? median(c2) / kMedian[shifting] : start.position * start.position;
  state_.r = turning > 0 ? median(a2) / kMedian[turning] : start.angle * start.angle;
  floor_noise();
}

// From the sums of the last pass.
void Engine::finish(LikelihoodResult& result) {
  if (kind_.starts_at_first()) {
    const auto counts =
        std::find_if(state_.weights.begin(), state_.weights.end(), [](double w) { return w >= 0.5; });
    const auto first = static_cast<std::size_t>(counts - state_.weights.begin());
    if (first < state_.weights.size()) {
      start_at(first);
      if (first > 0) pass();  // the frame on F turned along: its covariance, too
      if (state_.terms)
        for (std::size_t i = 0; i < state_.terms->size(); ++i)
          for (int k = 0; k < d_; ++k)
            (*state_.terms)[i].q[k] =
                state_.q[i * static_cast<std::size_t>(d_) + static_cast<std::size_t>(k)];
    }
  }
  const FrameSums& sums = state_.sums;
  result.joint = state_.joint;
  result.noise = {std::sqrt(state_.p), std::sqrt(state_.r)};
  const double count = sums.count, freedoms = count * (6 - d_);
  result.noise_factor = state_.settings.noise_is_known || freedoms <= n_ ? 1.0 : freedoms / (freedoms - n_);
  result.weights = std::move(state_.weights);
  result.rms_angle = count > 0 ? std::sqrt(sums.a2 / (3 * count)) : 0.0;
  result.rms_position = count > 0 ? std::sqrt(sums.c2 / (3 * count)) : 0.0;
  result.cost = sums.cost + sums.apart;
  result.angle_freedoms = count > 0 ? 3 - sums.taken_a / count : 0.0;
  result.shift_freedoms = count > 0 ? 3 - sums.taken_c / count : 0.0;
  double excess = 1.0;
  if (state_.several_sizes())
    for (const SizesInformation& information : state_.information)
      excess = std::max(excess, information.excess());
  if (n_ > 0) result.covariance = inverse_curvature(sums.H) * (result.noise_factor * excess);
}

}  // namespace

ParameterMatrix inverse_curvature(const ParameterMatrix& H) {
  constexpr double kSingular = 1e-13;  // of the scaled matrix: a thousand times rounding
  const Eigen::Index n = H.rows();
  ParameterVector scale(n);
  for (Eigen::Index k = 0; k < n; ++k) scale[k] = H(k, k) > 0 ? 1.0 / std::sqrt(H(k, k)) : 0.0;
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(Eigen::MatrixXd(scale.asDiagonal() * H * scale.asDiagonal()));
  // Column by column: for ten parameters a product of blocks costs more than it saves.
  ParameterMatrix covariance(n, n);
  for (Eigen::Index k = 0; k < n; ++k)
    covariance.col(k) = ldlt.solve(Eigen::VectorXd(Eigen::VectorXd::Unit(n, k)));
  if (!covariance.allFinite() || ldlt.vectorD().minCoeff() < kSingular)
    return ParameterMatrix::Constant(n, n, kInfinite);
  return scale.asDiagonal() * covariance * scale.asDiagonal();
}

ParameterMatrix prior_curvature(const JointKind& kind, const Joint& joint,
                                const LikelihoodSettings& settings) {
  ParameterMatrix H = ParameterMatrix::Zero(kind.parameters(), kind.parameters());
  if (!std::isfinite(settings.radius_scale)) return H;
  const Eigen::Vector3d m = joint.X_MJ.q().conjugate() * joint.X_MJ.p();
  for (int row = 0; row < kind.radius_directions(); ++row) {
    const ParameterVector J = prior_row(kind.directions(), m, row) / settings.radius_scale;
    H.noalias() += J.lazyProduct(J.transpose());
  }
  return H;
}

}  // namespace engine

LikelihoodResult refine(const JointKind& kind, const Frames& frames, const Joint& start,
                        const LikelihoodSettings& settings) {
  if (!frames.pose_weights.empty()) return refine_with_covariances(kind, frames, start, settings);
  return engine::Engine(kind, frames, start, settings).run();
}

}  // namespace prehend::articulation
