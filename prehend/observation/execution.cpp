#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>

#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/progress.h>
#include <prehend/math/so3.h>
#include <prehend/observation/execution.h>
#include <prehend/observation/execution/compliant_hand.h>
#include <prehend/observation/execution/force_feedback.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

// All of these were set on demonstrations of seeds 1 to 206 (execution_tool) with errors up to 4 mm and 0.05 rad.

// Of what the wrench is off, taken away in one period: settles in a tenth of a second at 100 Hz, far from where a contact stiffer than the hand would swing.
constexpr double kFeedbackShare = 0.1;
// [N m/rad] Against turns, where moments are not measured: far above any hand's.
constexpr double kRigid = 1e9;
// [s] What is compared to see a sudden rise: the mean over the last readings with that over earlier ones.
constexpr double kRecent = 0.04, kEarlier = 0.4, kGap = 0.1;
// [s] A force that falls for less is a jolt.
constexpr double kFallen = 0.06;
// [of the wanted force] Below, a kept contact is lost; at the beginning of a step it must have been found again.
constexpr double kLost = 0.3, kFound = 0.6;
// [s] How long a step waits for its contacts to be pressed, and the last one for forces to settle.
constexpr double kSettle = 1.0;
// [pushes] Against the motion: a contact; where none is to be, the way is blocked. Friction of two walls at the pressing force stays below.
constexpr double kContactRise = 1.0, kBlockedRise = 4.0;
// [per metre of way] Contacts that a step makes can stop it where they close faster.
constexpr double kCloses = 0.05;
// [of the planned speeds] Of critical steps and those before them.
constexpr double kCriticalPace = 0.25;
// [rad, or of a quarter of the body's size] A blocked step is tried again after the step before has gone back, or on, by multiples of this: what a
// clearance of one percent forgives.
constexpr double kNudge = 0.006;
// [m] and [rad] Places of a search: the k-th at this times the root of k, so that they are evenly dense; about half of what a loose fit of a few centimetres forgives.
constexpr double kSpiralStep = 8e-4, kGoldenAngle = 2.39996322972865332;

// A turn about the body's middle, and a shift of it, in the axes of the world.
math::Pose moved(const math::Pose& X_WM, const Vector3d& middle_M, const math::Vector6d& motion) {
  const Eigen::Quaterniond q = (math::exp_so3(motion.head<3>()) * X_WM.q()).normalized();
  return math::Pose(q, X_WM * middle_M + motion.tail<3>() - q * middle_M);
}

// From one planned pose to another, as such a motion.
math::Vector6d motion_between(const math::Pose& from, const math::Pose& to, const Vector3d& middle_M) {
  math::Vector6d motion;
  motion << math::log_so3(to.q() * from.q().conjugate()), to * middle_M - from * middle_M;
  return motion;
}

// Means of the latest readings and of those before.
class Readings {
 public:
  explicit Readings(double period_s) : period_(period_s) {}
  void add(double value) {
    values_.push_back(value);
    if (values_.size() > count(kEarlier + kGap + kRecent)) values_.pop_front();
  }
  bool is_full() const { return values_.size() >= count(kGap + 2.0 * kRecent); }
  double recent() const {
    return mean(values_.size() - std::min(values_.size(), count(kRecent)), values_.size());
  }
  double rise() const {
    if (!is_full()) return 0.0;
    return recent() - mean(0, values_.size() - count(kGap + kRecent));
  }

 private:
  std::size_t count(double seconds) const { return static_cast<std::size_t>(std::lround(seconds / period_)); }
  double mean(std::size_t begin, std::size_t end) const {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) sum += values_[i];
    return end > begin ? sum / static_cast<double>(end - begin) : 0.0;
  }

  double period_;
  std::deque<double> values_;
};

HandSettings settings_of(const ExecutionOptions& options) {
  return {options.stiffness_Npm, options.clearance_m, options.friction,    options.force_noise_N,
          options.control_hz,    options.seed,        options.errors.X_WF, options.errors.X_HM};
}

class Executor {
 public:
  Executor(const BodyPair& pair, const ExecutionOptions& options, Execution& result)
      : options_(options),
        result_(result),
        middle_M_(middle_of(pair)),
        lever_(lever_of(pair)),
        feels_(options.feedback != Feedback::none),
        // A hand that is rigid against turns in the feedback's eyes is not turned by it.
        stiffness_{options.stiffness_Npm,
                   options.feedback == Feedback::wrench ? options.stiffness_Npm * lever_ * lever_ : kRigid},
        hand_(pair, settings_of(options), middle_M_, result.plan.states.front().X_FM) {
    for (const AssemblyStep& step : result.plan.steps) paths_.emplace_back(pair, step, middle_M_, lever_);
    tries_.assign(paths_.size(), 0);
    begins_.assign(paths_.size(), 0.0);
    nudged_.assign(paths_.size(), 0.0);
  }

  void run() {
    math::Progress progress("sub-skills", paths_.size());
    std::size_t i = 0;
    while (i < paths_.size()) {
      progress.advance();
      const StepEnd end = take(i);
      const bool can_retry = i > 0 || result_.plan.steps[i].kept.empty();
      if (end == StepEnd::blocked && result_.repeated < options_.retries && can_retry) {
        try_again(i);
        continue;
      }
      if (end == StepEnd::blocked) {
        const AssemblyStep& step = result_.plan.steps[i];
        result_.reason = "the step from state " + std::to_string(step.from) + " to state " +
                         std::to_string(step.to) + " is blocked";
        break;
      }
      ++i;
    }
    if (i == paths_.size()) hold(paths_.back(), result_.plan.steps.size() - 1);
  }

 private:
  static Vector3d middle_of(const BodyPair& pair) {
    const geometry::Aabb box = geometry::bounding_box(pair.moving().vertices());
    return 0.5 * (box.lower + box.upper);
  }
  double period() const { return 1.0 / options_.control_hz; }

  // One period: the planned motion, and what the forces say.
  void tick(const ContactWrenches& kept, const math::Vector6d& planned, std::size_t step) {
    math::Vector6d motion = planned;
    if (feels_) {
      math::Vector6d correction =
          feedback_step(kept, hand_.reading().vector(), options_.push_N, stiffness_, kFeedbackShare);
      // As fast as planned motions at most: after a contact was lost the body comes back gently.
      const double speed = std::max(correction.tail<3>().norm() / options_.speed_mps,
                                    correction.head<3>().norm() / options_.turn_radps) /
                           period();
      if (speed > 1.0) correction /= speed;
      motion += correction;
    }
    hand_.set_command(moved(hand_.command(), middle_M_, motion));
    hand_.advance();
    const double force = hand_.reading().force.norm();
    result_.peak_N = std::max(result_.peak_N, force);
    result_.samples.push_back({hand_.time(), static_cast<int>(step), hand_.X_WM(), hand_.reading().force,
                               hand_.reading().force.dot(kept.mean_normal)});
  }

  // [N] Along the mean normal of the kept contacts: measured, and wanted.
  double pressed(const ContactWrenches& kept) const { return hand_.reading().force.dot(kept.mean_normal); }
  double wanted(const ContactWrenches& kept) const {
    return wanted_wrench(kept, options_.push_N).tail<3>().dot(kept.mean_normal);
  }

  void hold(const AssemblyPath& path, std::size_t step) {
    if (!feels_) return;
    for (double t = 0.0; t < kSettle; t += period()) tick(path.at_end(), math::Vector6d::Zero(), step);
  }

  // Waits until the contacts that the step keeps are pressed.
  void press(const AssemblyPath& path, std::size_t step) {
    const ContactWrenches& kept = path.kept_at(0.0);
    if (!feels_ || kept.columns.cols() == 0 || wanted(kept) < kLost * options_.push_N) return;
    double found = 0.0;
    for (double t = 0.0; t < 3.0 * kSettle && found < 0.1; t += period()) {
      tick(kept, math::Vector6d::Zero(), step);
      found = pressed(kept) > kFound * wanted(kept) ? found + period() : 0.0;
    }
  }

  // [m] of way in one period, at the planned speeds.
  double stride(const AssemblyPath& path, double way) const {
    const double turns = std::min(1.0, path.turn_share_at(way));
    const math::Vector6d direction = path.direction_at(way);
    const double slowness =
        std::max(direction.tail<3>().norm() / options_.speed_mps, turns / (lever_ * options_.turn_radps));
    return slowness > 0.0 ? period() / slowness : path.length();
  }
  // Steps that a robot's errors would spoil are done slowly: what is felt is felt a tenth of a second late.
  double pace(std::size_t i) const {
    const std::vector<AssemblyStep>& steps = result_.plan.steps;
    const bool is_critical =
        steps[i].skills.critical || (i + 1 < steps.size() && steps[i + 1].skills.critical);
    return feels_ && is_critical ? kCriticalPace : 1.0;
  }

  // Whether contacts that the step makes stop its motion.
  bool can_stop(const AssemblyPath& path) const {
    const Matrix6Xd& made = path.made().columns;
    if (made.cols() == 0) return false;
    return (-(made.transpose() * path.direction_at(path.length()))).maxCoeff() > kCloses;
  }

  StepEnd take(std::size_t i) {
    const AssemblyPath& path = paths_[i];
    const AssemblyStep& step = result_.plan.steps[i];
    ExecutedStep done{static_cast<int>(i), step.from,    step.to, StepEnd::reached,
                      hand_.time(),        hand_.time(), 0.0,     0.0};
    const double peak_before = result_.peak_N;
    result_.peak_N = 0.0;
    press(path, i);
    const double search = options_.search_m + lever_ * options_.search_rad;
    const bool stops = feels_ && step.gains && can_stop(path);
    const double last = stops || (feels_ && step.gains) ? path.length() + search : path.length();
    way_ = begins_[i];
    done.end = follow(path, i, stops, last, search);
    done.t1_s = hand_.time();
    done.advance = path.length() > 0.0 ? way_ / path.length() : 1.0;
    done.peak_N = result_.peak_N;
    result_.peak_N = std::max(result_.peak_N, peak_before);
    result_.steps.push_back(done);
    return done.end;
  }

  // Along the path until one of the ends.
  StepEnd follow(const AssemblyPath& path, std::size_t i, bool stops, double last, double search) {
    const bool slides = feels_ && result_.plan.steps[i].gains && !stops;
    Readings against(period());
    double fallen = 0.0;
    while (way_ < last) {
      const double next = std::min(last, way_ + pace(i) * stride(path, way_));
      // Steps that pass a rim end at their planned end where no force can tell.
      const ContactWrenches& kept = path.kept_at(way_);
      const bool tells = slides && wanted(kept) > kLost * options_.push_N;
      if (slides && !tells && way_ >= path.length()) return StepEnd::reached;
      tick(kept, motion_between(path.at(way_), path.at(next), middle_M_), i);
      way_ = next;
      if (!feels_) continue;
      const math::Vector6d direction = path.direction_at(way_);
      const double length =
          std::max(1e-9, std::max(direction.tail<3>().norm(), lever_ * direction.head<3>().norm()));
      against.add(-hand_.reading().vector().dot(direction) / length);
      if (stops && against.rise() > kContactRise * options_.push_N)
        return way_ > path.length() - search ? StepEnd::contact : StepEnd::blocked;
      if (!stops && against.rise() > kBlockedRise * options_.push_N) return StepEnd::blocked;
      fallen = tells && pressed(kept) < kLost * wanted(kept) ? fallen + period() : 0.0;
      if (fallen > kFallen && way_ > path.length() - search) return StepEnd::passed;
    }
    return stops ? StepEnd::lost : StepEnd::reached;
  }

  // Back out of the blocked step, which is then begun again from elsewhere.
  void try_again(std::size_t i) {
    ++result_.repeated;
    ++tries_[i];
    const AssemblyPath& path = paths_[i];
    begins_[i] = std::max(begins_[i], way_ - options_.search_m - lever_ * options_.search_rad);
    while (way_ > begins_[i]) {
      const double next = std::max(begins_[i], way_ - stride(path, way_));
      tick({}, motion_between(path.at(way_), path.at(next), middle_M_), i);
      way_ = next;
    }
    if (result_.plan.steps[i].kept.empty())
      search_beside(i);
    else
      nudge_before(i);
  }

  // Nothing guides a body that is free into an opening: places on a spiral around the planned one.
  void search_beside(std::size_t i) {
    const Vector3d along = paths_[i].direction_at(paths_[i].length()).tail<3>().normalized();
    const Vector3d u = along.unitOrthogonal(), v = along.cross(u);
    const double radius = kSpiralStep * std::sqrt(tries_[i]), angle = kGoldenAngle * tries_[i];
    const Vector3d wanted = radius * (std::cos(angle) * u + std::sin(angle) * v);
    math::Vector6d motion = math::Vector6d::Zero();
    const int parts = 1 + static_cast<int>((wanted - beside_).norm() / (options_.speed_mps * period()));
    motion.tail<3>() = (wanted - beside_) / parts;
    for (int part = 0; part < parts; ++part) tick({}, motion, i);
    beside_ = wanted;
  }

  // The step before goes back first, since forces are seen to fall after they fell, then on: -1, 1, -2, 2 ... from where it had ended.
  void nudge_before(std::size_t i) {
    const AssemblyPath& before = paths_[i - 1];
    const int k = tries_[i];
    const double wanted = lever_ * kNudge * (k % 2 == 1 ? -(k + 1) / 2 : k / 2);
    const double end = before.length(), change = wanted - nudged_[i];
    const int parts = 1 + static_cast<int>(std::abs(change) / stride(before, end));
    for (int part = 1; part <= parts; ++part) {
      const math::Pose from = before.at(end + nudged_[i] + change * (part - 1) / parts);
      const math::Pose to = before.at(end + nudged_[i] + change * part / parts);
      tick({}, motion_between(from, to, middle_M_), i);
    }
    nudged_[i] = wanted;
    press(before, i - 1);
  }

  const ExecutionOptions& options_;
  Execution& result_;
  Vector3d middle_M_;
  double lever_;  // [m]
  bool feels_;
  HandStiffness stiffness_;
  CompliantHand hand_;
  std::vector<AssemblyPath> paths_;
  double way_{0.0};                    // [m] made on the present path
  Vector3d beside_{Vector3d::Zero()};  // [m] of the planned place: where a search has led
  std::vector<int> tries_;             // by step
  std::vector<double> begins_;         // [m] by step: where on its path it is begun
  std::vector<double> nudged_;         // [m] by step: how far the one before has been taken beyond its end

 public:
  math::Pose X_FM() const { return hand_.X_FM(); }
  double time() const { return hand_.time(); }
};

// [of the smaller body's size] Contacts of the last state must be there to this.
constexpr double kThere = 0.01;
// [of the smaller body's size] A free body touches nothing within this.
constexpr double kFree = 1e-3;

// The least tolerance at which all contacts touch, to a twentieth.
double end_gap(const BodyPair& pair, const PrincipalContacts& contacts, const math::Pose& X_FM) {
  const auto all_touch = [&](double tolerance) {
    return std::all_of(contacts.begin(), contacts.end(), [&](const PrincipalContact& contact) {
      return pair.touches(contact, X_FM, tolerance);
    });
  };
  double gap = 1e-3 * kThere * pair.size();
  while (gap < pair.size() && !all_touch(gap)) gap *= 1.05;
  return gap;
}

// By the true pose of the moving body, which the robot does not know.
void judge_end(const BodyPair& pair, const math::Pose& X_FM, Execution& result) {
  const PrincipalContacts& wanted = result.plan.states.back().contacts;
  bool is_there = false;
  std::string why;
  if (wanted.empty()) {
    is_there = result.reason.empty() && pair.contacts_at(X_FM, kFree * pair.size()).empty();
    why = "the bodies still touch";
  } else {
    result.end_gap_m = end_gap(pair, wanted, X_FM);
    // What went through a wall touches it from the wrong side.
    is_there = result.end_gap_m <= kThere * pair.size() && !pair.overlaps(X_FM, kThere * pair.size());
    char text[80];
    std::snprintf(text, sizeof text, "the last state's contacts are %.2f mm apart", 1e3 * result.end_gap_m);
    why = text;
  }
  result.status = is_there ? ExecutionStatus::ok : ExecutionStatus::failed;
  if (is_there)
    result.reason.clear();
  else if (result.reason.empty())
    result.reason = why;
}

}  // namespace

const char* to_string(ExecutionStatus status) { return enum_text(status); }
const char* to_string(StepEnd end) { return enum_text(end); }
const char* to_string(Feedback feedback) { return enum_text(feedback); }

void ExecutionOptions::validate() const {
  const math::OptionCheck check("ExecutionOptions");
  check.above("push", push_N, 0.0, "N");
  check.above("speed_mps", speed_mps, 0.0, "m/s");
  check.above("turn_radps", turn_radps, 0.0, "rad/s");
  check.above("stiffness", stiffness_Npm, 0.0, "N/m");
  check.at_least("clearance", clearance_m, 0.0, "m");
  check.at_least("friction", friction, 0.0);
  check.at_least("force_noise", force_noise_N, 0.0, "N");
  check.between("control_hz", control_hz, 10.0, 1000.0, "Hz");
  check.at_least("retries", retries, 0);
  check.at_least("search_m", search_m, 0.0, "m");
  check.at_least("search_rad", search_rad, 0.0, "rad");
}

std::vector<RelationPose> assembly_states(const Watched& watched) {
  std::vector<RelationPose> states;
  for (const WatchedState& state : watched.states) {
    const int frame = (state.first_frame + state.last_frame) / 2;
    const bool is_seen =
        !state.inferred && state.first_frame >= 0 && frame < static_cast<int>(watched.frames.size());
    const bool is_corrected =
        is_seen && watched.frames[static_cast<std::size_t>(frame)].status == CorrectionStatus::ok;
    states.push_back(
        {state.features(), is_corrected ? watched.frames[static_cast<std::size_t>(frame)].X_FM : state.X_FM});
  }
  // A free body at the beginning: from where it was first seen.
  if (!states.empty() && states[0].contacts.empty() && !watched.frames.empty())
    states[0].X_FM = watched.frames[0].X_FM;
  return states;
}

Execution execute(const BodyPair& pair, const std::vector<RelationPose>& states,
                  const ExecutionOptions& options) {
  options.validate();
  const geometry::Aabb box = geometry::bounding_box(pair.moving().vertices());
  math::OptionCheck("ExecutionOptions")
      .between("clearance", options.clearance_m, 0.0, 0.1 * (box.upper - box.lower).minCoeff(), "m");
  Execution result;
  result.errors = options.errors;
  result.plan = assembly_plan(pair, states);
  if (result.plan.status != PlanStatus::ok) {
    result.status = ExecutionStatus::no_plan;
    result.reason = result.plan.reason;
    return result;
  }
  try {
    Executor executor(pair, options, result);
    executor.run();
    result.duration_s = executor.time();
    judge_end(pair, executor.X_FM(), result);
  } catch (const simulate::SimulationError& error) {
    result.status = ExecutionStatus::undetermined;
    result.reason = error.what();
  }
  return result;
}

ExecutionErrors random_errors(const ErrorBounds& fixed, const ErrorBounds& grasp, std::uint64_t seed) {
  math::RandomStream random(seed, 2);
  const auto draw = [&](const ErrorBounds& bounds) {
    const double shift = random.uniform(0.0, bounds.position_m);
    const Vector3d way = random.unit_vector();
    const double turn = random.uniform(0.0, bounds.angle_rad);
    const Vector3d axis = random.unit_vector();
    return math::Pose(math::exp_so3(turn * axis), shift * way);
  };
  ExecutionErrors errors;
  errors.X_WF = draw(fixed);
  errors.X_HM = draw(grasp);
  return errors;
}

void TrialOptions::validate() const {
  const math::OptionCheck check("TrialOptions");
  check.at_least("trials", count, 1);
  for (const auto& [name, bounds] : {std::pair{"pose_error", fixed}, {"grasp_error", grasp}}) {
    check.at_least(name, bounds.position_m, 0.0, "m");
    check.between(name, bounds.angle_rad, 0.0, math::kPi, "rad");
  }
}

ExecutionTrials execute_trials(const BodyPair& pair, const std::vector<RelationPose>& states,
                               const ExecutionOptions& options, const TrialOptions& trials) {
  trials.validate();
  ExecutionTrials result;
  math::Progress progress("trials", static_cast<std::size_t>(trials.count));
  for (int k = 0; k < trials.count; ++k) {
    progress.advance();
    ExecutionOptions these = options;
    these.seed += static_cast<std::uint64_t>(k);
    const ExecutionErrors drawn = random_errors(trials.fixed, trials.grasp, these.seed);
    these.errors.X_WF = options.errors.X_WF * drawn.X_WF;
    these.errors.X_HM = options.errors.X_HM * drawn.X_HM;
    Execution done = execute(pair, states, these);
    result.arrived += done.status == ExecutionStatus::ok;
    result.trials.push_back(
        {done.status, done.reason, done.errors, done.end_gap_m, done.duration_s, done.peak_N, done.repeated});
    if (k == 0) result.first = std::move(done);
    if (result.first.samples.empty()) break;  // not even begun, for a reason that the other trials share
  }
  const int count = static_cast<int>(result.trials.size());
  if (result.first.samples.empty())
    result.status = result.first.status;
  else
    result.status = result.arrived == count ? ExecutionStatus::ok : ExecutionStatus::failed;
  if (result.status == ExecutionStatus::ok) return result;
  const auto failed = std::find_if(result.trials.begin(), result.trials.end(), [](const TrialSummary& trial) {
    return trial.status != ExecutionStatus::ok;
  });
  result.reason = failed->reason;
  if (count > 1)
    result.reason = std::to_string(count - result.arrived) + " of " + std::to_string(count) +
                    " trials did not arrive; trial " + std::to_string(failed - result.trials.begin()) + ": " +
                    failed->reason;
  return result;
}

ExecutionTrials execute_trials(const BodyPair& pair, const Watched& watched, const ExecutionOptions& options,
                               const TrialOptions& trials) {
  ExecutionTrials result = execute_trials(pair, assembly_states(watched), options, trials);
  if (watched.status != WatchStatus::doubtful) return result;
  std::string states;
  for (std::size_t i = 0; i < watched.states.size(); ++i)
    if (!watched.states[i].doubt.empty()) states += (states.empty() ? " " : ", ") + std::to_string(i);
  result.notes.push_back("the demonstration is doubtful" + (states.empty() ? "" : " in the states" + states) +
                         ": what was executed may not be what was done (see `watch`)");
  return result;
}

}  // namespace prehend::observation
