#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/stability/limit/limit_general.h>
#include <prehend/stability/limit/limit_map.h>
#include <prehend/stability/limit/limiting_motion.h>
#include <prehend/stability/limit/motion_set.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {

using Eigen::VectorXd;

void LimitOptions::validate() const {
  const math::OptionCheck check("LimitOptions");
  check.between("accuracy", accuracy, 1e-9, 0.1);
  check.at_least("unbounded_above", unbounded_above, 1.0);
  check.at_least("threads", threads, 0);
}

const char* to_string(Stability stability) { return enum_text(stability); }

struct LimitAnalysis::Implementation {
  ContactSystem system;
  LimitOptions options;
  ScaledSystem scaled;
  Stability stability{Stability::not_computed};
  std::string note;
  std::vector<math::Vector6d> falling;
  std::vector<model::BodyIndex> falling_bodies;
  VectorXd resting;                // scaled
  std::unique_ptr<MotionSet> set;  // of prepare() alone, behind the flag
  std::once_flag is_prepared;
  std::atomic<long> programs{0}, questions{0};

  void rest();
  // Whether these forces prove that the scene rests; then they are its forces at rest.
  bool rests_by(std::span<const Eigen::Vector3d> forces_W);
  // The set of motions when more than one question comes (for a single one the general solver is done before), and it has
  // an interior; null: every load goes to the general solver.
  const MotionSet* prepare(std::size_t more_questions);
  std::vector<model::BodyIndex> bodies_of(const std::vector<int>& nodes) const;
  // lower <= R <= upper, with the vectors that prove it.
  PushAnswer bounded(double lower, double upper, const VectorXd& motion, const VectorXd& forces,
                     const VectorXd& w) const;
  // `forces` balance the weights and `multiple` times a load of that size.
  PushAnswer unbounded(double multiple, const VectorXd& forces, double size) const;
  // Whether the forces of an answer balance the load and what it needs of the weights.
  bool is_balanced(const SupportValue& value, const VectorXd& w) const;
  PushAnswer from_kernel(const SupportValue& value, const VectorXd& w);
  PushAnswer general(const VectorXd& w);
  // Of a load that cancels itself: any multiple of nothing holds.
  static PushAnswer of_nothing();
  PushAnswer refusal() const;  // of a scene that is not stable
  void solve_points(const MotionSet* motions, std::span<const PointLoad> points, std::span<PointValue> values,
                    double accuracy);
};

PushAnswer LimitAnalysis::Implementation::of_nothing() {
  PushAnswer answer;
  answer.status = AnswerStatus::ok;
  answer.unbounded = true;
  answer.mode = Mode::unbounded;
  answer.robustness = answer.lower = answer.upper = std::numeric_limits<double>::infinity();
  answer.note = "the load is zero: its parts cancel";
  return answer;
}

PushAnswer LimitAnalysis::Implementation::refusal() const {
  PushAnswer answer;
  const bool falls = stability == Stability::unstable;
  answer.status = falls ? AnswerStatus::unstable : AnswerStatus::undetermined;
  answer.mode = falls ? Mode::unstable : Mode::undetermined;
  answer.note = note;
  return answer;
}

std::vector<model::BodyIndex> LimitAnalysis::Implementation::bodies_of(const std::vector<int>& nodes) const {
  std::vector<model::BodyIndex> bodies;
  for (const int node : nodes) bodies.push_back(system.bodies[static_cast<std::size_t>(node)].body);
  return bodies;
}

void LimitAnalysis::Implementation::rest() {
  if (system.bodies.empty()) {
    stability = Stability::stable;
    note = "nothing in the scene can move";
    return;
  }
  const ScaledLimit rest = solve_resting(scaled);
  ++programs;
  if (rest.status == ScaledLimit::Status::bounded) {
    stability = Stability::stable;
    resting = rest.forces;
  } else if (rest.status == ScaledLimit::Status::unstable) {
    stability = Stability::unstable;
    falling = motion_in_metres(system, rest.motion);
    falling_bodies =
        bodies_of(classify_motion(scaled, rest.motion, VectorXd::Zero(3 * scaled.contacts())).bodies);
  } else {
    stability = Stability::undetermined;
    note = "the balance of the weights could not be decided to the solver's accuracy";
  }
}

bool LimitAnalysis::Implementation::rests_by(std::span<const Eigen::Vector3d> forces_W) {
  // [weights of all bodies] What rounding leaves in walls of some hundred bricks; the cone solver's own accuracy is no better.
  constexpr double kRests = 1e-9;
  if (!scaled.joint_rows.empty() || system.bodies.empty() || forces_W.size() != system.contacts.size())
    return false;
  VectorXd forces(3 * static_cast<Eigen::Index>(forces_W.size()));
  for (std::size_t k = 0; k < forces_W.size(); ++k) {
    const SystemContact& contact = system.contacts[k];
    const Eigen::Vector3d f = contact.R_WC.transpose() * forces_W[k] / system.weight;
    const Eigen::Vector2d along =
        contact.mu > 0.0 ? Eigen::Vector2d(f.head<2>() / contact.mu) : Eigen::Vector2d(0, 0);
    if (!(along.norm() <= f.z() + kRests)) return false;
    forces.segment<3>(3 * static_cast<Eigen::Index>(k)) << f.z(), along;
  }
  if (!((scaled.g + scaled.wrenches(forces)).lpNorm<Eigen::Infinity>() <= kRests)) return false;
  stability = Stability::stable;
  resting = std::move(forces);
  return true;
}

const MotionSet* LimitAnalysis::Implementation::prepare(std::size_t more_questions) {
  const long before = questions.fetch_add(static_cast<long>(more_questions));
  if (options.general_only || !scaled.joint_rows.empty() || before + static_cast<long>(more_questions) < 2)
    return nullptr;
  std::call_once(is_prepared, [&] {
    if (const VectorXd lifted = lifting_motion(scaled); lifted.size() > 0)
      set = MotionSet::create(scaled, lifted);
    if (set) return;
    const InnerMotion inner = find_inner_motion(scaled);
    ++programs;
    if (inner.status == InnerMotion::Status::interior) set = MotionSet::create(scaled, inner.motion);
  });
  return set.get();
}

PushAnswer LimitAnalysis::Implementation::bounded(double lower, double upper, const VectorXd& motion,
                                                  const VectorXd& forces, const VectorXd& w) const {
  PushAnswer answer;
  answer.status = AnswerStatus::ok;
  answer.lower = std::max(lower, 0.0);  // it rests: no push is held, and less is rounding
  answer.upper = std::max(upper, answer.lower);
  answer.robustness = lower > 0.0 ? 0.5 * (lower + upper) : 0.0;
  std::vector<int> loaded;
  for (int body = 0; body < scaled.bodies; ++body) {
    if (!w.segment<6>(6 * body).isZero(0.0)) loaded.push_back(body);
  }
  const LimitingMotion moving = classify_motion(scaled, motion_of_loaded(scaled, motion, loaded), forces);
  answer.mode = moving.mode;
  answer.moving = bodies_of(moving.bodies);
  if (options.keep_proofs) {
    auto proof = std::make_shared<Proof>();
    proof->multiple = lower;
    proof->forces_W = forces_in_newton(system, forces);
    proof->joint_forces = joint_forces(scaled, forces);
    proof->motion = motion_in_metres(system, motion);
    answer.proof = std::move(proof);
  }
  return answer;
}

PushAnswer LimitAnalysis::Implementation::unbounded(double multiple, const VectorXd& forces,
                                                    double size) const {
  PushAnswer answer;
  answer.status = AnswerStatus::ok;
  answer.unbounded = true;
  answer.mode = Mode::unbounded;
  answer.robustness = answer.lower = answer.upper = std::numeric_limits<double>::infinity();
  if (options.keep_proofs) {
    // Between the forces at rest and those at the far multiple: large against the weights, yet not so large that the
    // weights are lost in their rounding.
    constexpr double kFar = 2e3;
    const double share = std::min(1.0, kFar / (size * multiple));
    auto proof = std::make_shared<Proof>();
    proof->multiple = share * multiple;
    const VectorXd between = (1.0 - share) * resting + share * forces;
    proof->forces_W = forces_in_newton(system, between);
    proof->joint_forces = joint_forces(scaled, between);
    answer.proof = std::move(proof);
  }
  return answer;
}

bool LimitAnalysis::Implementation::is_balanced(const SupportValue& value, const VectorXd& w) const {
  // [loads] What rounding leaves; where motions exist that no contact feels (a can that rolls), the kernel's matrix is singular, and its
  // forces may miss a part of the load.
  constexpr double kBalanced = 1e-7;
  const VectorXd missing = w + value.high * scaled.g + scaled.wrenches(value.forces);
  return missing.lpNorm<Eigen::Infinity>() <= kBalanced * w.lpNorm<Eigen::Infinity>();
}

PushAnswer LimitAnalysis::Implementation::from_kernel(const SupportValue& value, const VectorXd& w) {
  ++programs;
  if (w.isZero(0.0)) return of_nothing();
  if (value.status != LaneStatus::failed && !is_balanced(value, w)) return general(w);
  switch (value.status) {
    case LaneStatus::converged:
      return bounded(1.0 / value.high, 1.0 / value.low, value.motion, value.forces / value.high, w);
    case LaneStatus::unbounded: {
      // w + y g + S'f = 0 with y at most a trifle. Positive: f / y balances the weights and w / y. Else the forces at
      // rest add what is missing, and any multiple is balanced.
      const double size = w.cwiseAbs().maxCoeff(), multiple = options.unbounded_above / size;
      if (value.high > 0.0) return unbounded(1.0 / value.high, value.forces / value.high, size);
      return unbounded(multiple, multiple * value.forces + (1.0 - multiple * value.high) * resting, size);
    }
    default:
      return general(w);
  }
}

PushAnswer LimitAnalysis::Implementation::general(const VectorXd& w) {
  if (w.isZero(0.0)) return of_nothing();
  math::check_interrupt();
  ++programs;
  ScaledLimit limit = solve_limit(scaled, w);
  const bool has_answer =
      limit.status == ScaledLimit::Status::bounded || limit.status == ScaledLimit::Status::unbounded;
  if (!has_answer && scaled.joint_rows.empty()) {
    // Weights that balance but for rounding, as of a can of facets that lies on a line, may be refused together with a load: what the
    // forces at rest carry is balanced to the last digit, and differs from the weights by the accuracy with which those were found.
    ScaledSystem balanced = scaled;
    balanced.g = -scaled.wrenches(resting);
    limit = solve_limit(balanced, w);
  }
  const double size = w.cwiseAbs().maxCoeff();
  switch (limit.status) {
    case ScaledLimit::Status::bounded:
      // Zero but for rounding: a motion that no weight resists, as without friction.
      if (limit.upper * size < 1e-12) return bounded(0.0, limit.upper, limit.motion, limit.forces, w);
      if (limit.lower * size > options.unbounded_above) return unbounded(limit.lower, limit.forces, size);
      return bounded(limit.lower, limit.upper, limit.motion, limit.forces, w);
    case ScaledLimit::Status::unbounded: {
      const double multiple = options.unbounded_above / size;
      return unbounded(multiple, multiple * limit.forces + resting, size);
    }
    case ScaledLimit::Status::unstable:
    case ScaledLimit::Status::failed:
      break;
  }
  // It balances the weights, as was proven before; that it does not now is a matter of rounding.
  PushAnswer answer;
  answer.status = AnswerStatus::undetermined;
  answer.note = "the cone solver did not reach its accuracy";
  return answer;
}

LimitAnalysis::LimitAnalysis(ContactSystem system, const LimitOptions& options)
    : LimitAnalysis(std::move(system), options, {}) {}
LimitAnalysis::LimitAnalysis(ContactSystem system, const LimitOptions& options,
                             std::span<const Eigen::Vector3d> resting_forces_W)
    : self_(std::make_unique<Implementation>()) {
  options.validate();
  self_->system = std::move(system);
  self_->options = options;
  self_->scaled = scale_system(self_->system);
  if (!self_->rests_by(resting_forces_W)) self_->rest();
}
LimitAnalysis::~LimitAnalysis() = default;
LimitAnalysis::LimitAnalysis(LimitAnalysis&&) noexcept = default;
LimitAnalysis& LimitAnalysis::operator=(LimitAnalysis&&) noexcept = default;

const ContactSystem& LimitAnalysis::system() const { return self_->system; }
Stability LimitAnalysis::stability() const { return self_->stability; }
const std::string& LimitAnalysis::note() const { return self_->note; }
const std::vector<math::Vector6d>& LimitAnalysis::falling() const { return self_->falling; }
std::vector<model::BodyIndex> LimitAnalysis::falling_bodies() const { return self_->falling_bodies; }
std::vector<Eigen::Vector3d> LimitAnalysis::resting_forces() const {
  if (self_->resting.size() == 0) return {};
  return forces_in_newton(self_->system, self_->resting);
}
std::vector<double> LimitAnalysis::resting_joint_forces() const {
  if (self_->resting.size() == 0) return {};
  return joint_forces(self_->scaled, self_->resting);
}
long LimitAnalysis::programs() const { return self_->programs; }

PushAnswer LimitAnalysis::ask(const Load& load) const { return ask(std::span<const Load>(&load, 1)).front(); }

std::vector<PushAnswer> LimitAnalysis::ask(std::span<const Load> loads) const {
  std::vector<PushAnswer> answers;
  if (self_->stability == Stability::stable) {
    answers.resize(loads.size());
    const MotionSet* set = self_->prepare(loads.size());
    if (!set) {
      for (std::size_t i = 0; i < loads.size(); ++i)
        answers[i] = self_->general(self_->scaled.load(loads[i]));
      return answers;
    }
    set->support(
        loads.size(), {self_->options.accuracy, self_->options.unbounded_above, self_->options.threads},
        [&](std::size_t i, Eigen::Ref<VectorXd> w) { w = self_->scaled.load(loads[i]); },
        [&](std::size_t i, const SupportValue& value) {
          answers[i] = self_->from_kernel(value, self_->scaled.load(loads[i]));
        });
    return answers;
  }
  return std::vector<PushAnswer>(loads.size(), self_->refusal());
}

void LimitAnalysis::Implementation::solve_points(const MotionSet* motions, std::span<const PointLoad> points,
                                                 std::span<PointValue> values, double accuracy) {
  const auto write = [&](std::size_t i, Eigen::Ref<VectorXd> w) {
    w.segment<3>(6 * points[i].body) = points[i].r.cross(points[i].d) / system.weight;
    w.segment<3>(6 * points[i].body + 3) = points[i].d / system.weight;
  };
  programs += static_cast<long>(points.size());
  const auto by_general = [&](std::size_t i) {
    math::check_interrupt();
    VectorXd w = VectorXd::Zero(scaled.unknowns());
    write(i, w);
    const ScaledLimit limit = solve_limit(scaled, w);
    PointValue& value = values[i];
    const bool is_zero = limit.status == ScaledLimit::Status::bounded && limit.lower < 1e-9 * system.weight;
    value.failed = limit.status == ScaledLimit::Status::failed ||
                   limit.status == ScaledLimit::Status::unstable || is_zero;
    value.unbounded = limit.status == ScaledLimit::Status::unbounded ||
                      limit.lower > options.unbounded_above * system.weight;
    if (value.failed || value.unbounded) return;
    value.low = 1.0 / limit.upper;
    value.high = 1.0 / limit.lower;
    const VectorXd motion = limit.motion / scaled.resistance(limit.motion);
    value.twist = motion.segment<6>(6 * points[i].body) / system.weight;
    value.motion = classify_motion(scaled, motion_of_loaded(scaled, motion, {points[i].body}), limit.forces);
  };
  if (!motions) {
    for (std::size_t i = 0; i < points.size(); ++i) by_general(i);
    return;
  }
  const auto read = [&](std::size_t i, const SupportValue& support) {
    VectorXd w = VectorXd::Zero(scaled.unknowns());
    write(i, w);
    if (support.status == LaneStatus::failed || !is_balanced(support, w)) return by_general(i);
    PointValue& value = values[i];
    value.low = support.low;
    value.high = support.high;
    value.unbounded = support.status == LaneStatus::unbounded;
    if (value.unbounded) return;
    value.twist = support.motion.segment<6>(6 * points[i].body) / system.weight;
    value.motion = classify_motion(scaled, motion_of_loaded(scaled, support.motion, {points[i].body}),
                                   support.forces / support.high);
  };
  motions->support(points.size(), {accuracy, options.unbounded_above, options.threads}, write, read);
}

std::vector<PushAnswer> LimitAnalysis::map(std::span<const PointPush> pushes, double accuracy) const {
  std::vector<PushAnswer> answers(pushes.size());
  if (self_->stability != Stability::stable) {
    for (PushAnswer& answer : answers) answer = self_->refusal();
    return answers;
  }
  const MotionSet* set = self_->prepare(pushes.size());
  std::vector<PointLoad> points(pushes.size());
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    const Eigen::Vector3d& com_W = self_->system.bodies[pushes[i].body].com_W;
    points[i] = {pushes[i].body.value(), (pushes[i].p_W - com_W) / self_->system.length,
                 pushes[i].d_W.normalized()};
  }
  const MapValues found =
      map_loads(points, accuracy, 1.0 / (self_->options.unbounded_above * self_->system.weight),
                [&](std::span<const PointLoad> loads, std::span<PointValue> values, double gap) {
                  self_->solve_points(set, loads, values, gap);
                });
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const MapValue& value = found.values[i];
    PushAnswer& answer = answers[i];
    if (value.status == MapValue::Status::failed) {  // also where the limit is zero, and 1/R is not a number
      const Eigen::Vector3d d = pushes[i].d_W.normalized();
      answer = self_->general(
          self_->scaled.load({{pushes[i].body, self_->system.force_wrench(d, pushes[i].p_W)}}));
    } else if (value.status == MapValue::Status::unbounded) {
      answer.status = AnswerStatus::ok;
      answer.unbounded = true;
      answer.mode = Mode::unbounded;
      answer.robustness = answer.lower = answer.upper = std::numeric_limits<double>::infinity();
    } else {
      answer.status = AnswerStatus::ok;
      answer.lower = 1.0 / value.high;
      answer.upper = 1.0 / value.low;
      answer.robustness = 2.0 / (value.low + value.high);
      const LimitingMotion& motion = found.motions[static_cast<std::size_t>(value.motion)];
      answer.mode = motion.mode;
      answer.moving = self_->bodies_of(motion.bodies);
    }
  }
  return answers;
}

}  // namespace prehend::stability
