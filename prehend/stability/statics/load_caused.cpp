#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/model/body_names.h>
#include <prehend/stability/statics/load_caused.h>
#include <prehend/stability/statics/spring_path.h>
#include <prehend/stability/statics/spring_search.h>
#include <prehend/stability/statics/spring_tangent.h>

namespace prehend::stability {
using Eigen::VectorXd;
namespace {

// Relative width at which the search for the load-caused limit ends.
constexpr double kLimitAccuracy = 1e-3;
// [weights of all bodies] A load that holds at this multiple counts as unbounded; ten times LimitOptions::unbounded_above, so that
// what statics calls bounded is never cut off here.
constexpr double kUnboundedAbove = 1e6;

// [-] A path that stalls goes on from a state with that much more load, if one is found at once.
constexpr double kBeyond[] = {1.02, 1.5, 6.0};
constexpr int kMostStarts = 4;
// [-] of what statics allows: where a path stalls for good it has its limit there, if that is at least this much. Of 240 pushes on walls of 50
// bricks, those that stalled far below their limit were of several weights, pressed bodies together, and had no limit in statics.
constexpr double kTrusted = 0.5;

// Newton's steps that a limit may take. Where there are few bodies a step costs next to nothing; else as many as take about three times as long as the
// statics of the push (walls of 50 bricks: some 60 as long as it). What is not found by then is a lower bound and says so: one push in twenty on walls of
// 50 bricks, all of several times the weight of all of them.
constexpr int kMostSteps = 160;
constexpr int kMostStepsOfFew = 3000;
constexpr std::size_t kFew = 12;

// Newton's steps in which a state at rest is to be found, or the cone program of the weights is asked first: walls take none, piles of 50 to 200 bricks (seeds 1 to 3) 6
// to 36, which is as long as that program.
constexpr int kMostStepsAtOnce = 48;

double size_of_load(const ContactSystem& system, const Load& load) {
  double size = 0.0;
  for (const BodyLoad& part : load) {
    size += std::max(part.wrench.tail<3>().norm(), part.wrench.head<3>().norm() / system.length);
  }
  if (!(size > 0.0)) throw std::invalid_argument("the load is zero");
  return size;
}

}  // namespace

LoadCaused::LoadCaused(const ContactSystem& system, const SpringSearchOptions& options)
    : system_(system), options_(options), springs_(system, {}, 0.0), rest_force_(springs_.force) {
  if (system.bodies.empty()) {
    rests_ = true;
    return;
  }
  for (JointSpring& joint : springs_.joints) joint.dry_friction = options.tangential_ratio;
  const SpringSearch found = search_springs(springs_, options);
  rest_ = found.u;
  rests_ = found.residual <= options.tolerance;
  if (!rests_) return;
  settle();
  loose_ = loosen_contacts(springs_, options, rest_);
  forget_slip(springs_, options, rest_);
  if (loose_) forget_slip(loose_->springs, options, loose_->u);
}

void LoadCaused::settle() {
  const CoulombLaw law(springs_.mu, options_.tangential_ratio);
  SpringOptions newton;
  newton.tolerance = 1e-13;
  newton.anchor_stiffness = 1e-12;
  newton.max_iterations = 2;
  const SpringMinimum balanced = balance_springs(springs_, law, rest_, newton);
  SpringState before, after;
  before.evaluate(springs_, law, rest_);
  after.evaluate(springs_, law, balanced.u);
  if (spring_imbalance(springs_, after) < spring_imbalance(springs_, before)) rest_ = balanced.u;
}

std::optional<LoadCaused> LoadCaused::at_once(const ContactSystem& system) {
  SpringSearchOptions options;
  options.max_steps = kMostStepsAtOnce;
  LoadCaused caused(system, options);
  if (!caused.rests_) return std::nullopt;
  caused.options_.max_steps = SpringSearchOptions{}.max_steps;
  return caused;
}

std::vector<Eigen::Vector3d> LoadCaused::resting_forces_W() const {
  if (rest_.size() == 0)
    return std::vector<Eigen::Vector3d>(system_.contacts.size(), Eigen::Vector3d::Zero());
  SpringSystem springs = springs_;
  springs.set_load(system_, {}, 0.0);
  return springs.world_forces(system_,
                              springs.forces(rest_, CoulombLaw(springs.mu, options_.tangential_ratio)));
}

LoadCaused LoadCaused::with_friction_stiffness(double ratio) const {
  SpringSearchOptions options = options_;
  options.tangential_ratio = ratio;
  return LoadCaused(system_, options);
}

bool LoadCaused::may_brace() const {
  return !system_.joint_rows.empty() && !system_.contacts.empty() && system_.bodies.size() <= kFew;
}

bool LoadCaused::rolls(const Load& load) const {
  if (!loose_) return false;
  SpringSystem springs = loose_->springs;
  springs.set_load(system_, load, system_.weight / size_of_load(system_, load));
  return moves_freely(springs, options_, rest_force_ / springs.force * loose_->u);
}

bool LoadCaused::holds(const SpringSystem& springs, const Load& load, double multiple) const {
  math::check_interrupt();
  SpringSystem loaded = springs;
  loaded.set_load(system_, load, multiple);
  return search_springs(loaded, options_).residual <= options_.tolerance;
}

double LoadCaused::ceiling(const Load& load, double static_limit) const {
  if (!(static_limit >= 0.0)) {
    throw std::invalid_argument("static_limit is " + math::number_text(static_limit) +
                                ", must not be negative");
  }
  return std::min(static_limit, kUnboundedAbove * system_.weight / size_of_load(system_, load));
}

double LoadCaused::bisect(const SpringSystem& springs, const Load& load, double low, double high) const {
  const double ceiling = high;
  // Unbounded or far-off limits are searched by factors first, from below.
  const double first = std::min(system_.weight / size_of_load(system_, load), 0.5 * ceiling);
  for (double middle = std::max(first, 2.0 * low); middle < high; middle *= 8.0) {
    if (!holds(springs, load, middle)) {
      high = middle;
      break;
    }
    low = middle;
  }
  while (high - low > kLimitAccuracy * high && high > 1e-9 * ceiling) {
    const double middle = low > 0.0 && high > 4.0 * low ? std::sqrt(low * high) : 0.5 * (low + high);
    (holds(springs, load, middle) ? low : high) = middle;
  }
  return low;
}

double LoadCaused::rounding(const Load& load) const {
  // [-] Part of the weight of all bodies; cone programs are solved to 1e-9 of it and better.
  constexpr double kRounding = 1e-9;
  return kRounding * system_.weight / size_of_load(system_, load);
}

double LoadCaused::limit_by_bisection(const Load& load, double static_limit) const {
  const double most = ceiling(load, static_limit);
  const SpringSystem& springs = rolls(load) ? loose_->springs : springs_;
  // At the limit itself everything slides or tips: nothing is definite there.
  if (holds(springs, load, (1.0 - kLimitAccuracy) * most)) return static_limit;
  if (!holds(springs, load, 0.0)) return 0.0;
  return bisect(springs, load, 0.0, most);
}

double LoadCaused::limit(const Load& load, double static_limit) {
  is_lower_bound_ = false;
  const double most = ceiling(load, static_limit);
  if (!rests_) return 0.0;
  // A load as large as all weights is the unit of the path.
  const double unit = system_.weight / size_of_load(system_, load);
  const double wanted = (1.0 - kLimitAccuracy) * most / unit;
  if (!(wanted > 0.0)) return static_limit;
  const bool is_loose = rolls(load);
  SpringSystem& springs = is_loose ? loose_->springs : springs_;
  if (!is_loose) {
    springs.set_load(system_, load, wanted * unit);
    const SpringSearch at_once = try_springs(springs, options_);
    steps_ += at_once.steps;
    if (at_once.residual <= options_.tolerance) return static_limit;
  }
  springs.set_load(system_, load, unit);
  const double force = springs.force;
  VectorXd state = rest_force_ / force * (is_loose ? loose_->u : rest_);
  LoadPath path;
  double multiple = 0.0;
  const bool are_few = system_.bodies.size() <= kFew;
  const int most_steps = steps_ + (are_few ? kMostStepsOfFew : kMostSteps);
  for (int starts = 0; starts < kMostStarts; ++starts) {
    springs.set_load(system_, load, unit);
    path = raise_load(springs, options_, state, multiple, wanted, most_steps - steps_);
    steps_ += path.steps;
    if (path.status == LoadPath::Status::unfinished) break;
    if (path.status == LoadPath::Status::reached) return static_limit;
    if (path.status == LoadPath::Status::saturated) return path.multiple * unit;
    if (path.status == LoadPath::Status::lost) break;
    bool goes_on = false;
    for (const double beyond : kBeyond) {
      if (steps_ >= most_steps) break;
      multiple = beyond * path.multiple;
      if (multiple >= wanted) break;
      springs.set_load(system_, load, multiple * unit);
      const SpringSearch found = beyond == kBeyond[0]
                                     ? resume_springs(springs, options_, force / springs.force * path.u)
                                     : try_springs(springs, options_);
      steps_ += found.steps;
      goes_on = found.residual <= options_.tolerance;
      state = springs.force / force * found.u;
      if (goes_on) break;
    }
    if (goes_on) continue;
    if (steps_ < most_steps && path.multiple >= kTrusted * wanted) return path.multiple * unit;
    break;
  }
  ++(steps_ >= most_steps ? unfinished_ : lost_);
  // What statics does not bound would be sought by factors up to millions of newtons, where different ways of loading hold different
  // loads; and with many bodies bisection takes seconds. What was reached holds; more is not said.
  if (std::isinf(static_limit) || !are_few) {
    is_lower_bound_ = true;
    return path.multiple * unit;
  }
  // From below: what does not hold takes far longer to show it.
  const double found = bisect(springs, load, path.multiple * unit, most);
  return found >= (1.0 - 2.0 * kLimitAccuracy) * most ? static_limit : found;
}

void add_load_caused(const LoadCaused& caused, std::span<const Load> loads, int threads,
                     std::span<PushAnswer> answers) {
  // Load-caused forces that hold less than this part of the limit: the rest needs internal stress. Trades scenes that are jammed a
  // little against false alarms: the load-caused limit is found to 0.1 %, and near the limit everything slides or tips.
  constexpr double kCaused = 0.98;
  // [-] Stiffness of friction against that of the normal direction: friction that has crept until normal forces alone decide which end of a patch
  // carries (limits change by less than 2 % below), and an engine that lets nothing creep. Chosen on 200 random mechanisms (joints_test.py, seeds
  // 9403 and 4002): MuJoCo holds at 0.9 of the lower end of all 71 whose limits differ by more than kSame between them; with 0.1, of all but one.
  constexpr double kSoft = 0.01, kStiff = 100.0, kSame = 0.02;
  std::vector<LoadCaused> others;
  if (caused.may_brace()) {
    for (const double ratio : {kSoft, kStiff}) others.push_back(caused.with_friction_stiffness(ratio));
  }
  const auto add_range = [&](PushAnswer& answer, const Load& load, double most,
                             std::vector<LoadCaused>& own) {
    answer.load_caused_low = answer.load_caused_high = answer.without_prestress;
    for (LoadCaused& other : own) {
      const double limit = other.limit(load, most);
      answer.load_caused_low = std::min(answer.load_caused_low, limit);
      answer.load_caused_high = std::max(answer.load_caused_high, limit);
    }
    answer.depends_on_stiffness = answer.load_caused_low < (1.0 - kSame) * answer.load_caused_high;
  };
  const auto add = [&](std::size_t first, std::size_t last) {
    LoadCaused own = caused;
    std::vector<LoadCaused> own_others = others;
    for (std::size_t i = first; i < last; ++i) {
      math::check_interrupt();
      PushAnswer& answer = answers[i];
      if (answer.status != AnswerStatus::ok) continue;
      const double most = answer.unbounded ? answer.robustness : answer.lower;
      answer.without_prestress = own.limit(loads[i], most);
      if (!others.empty()) add_range(answer, loads[i], most, own_others);
      const bool holds_something = answer.robustness > own.rounding(loads[i]);
      answer.needs_prestress = holds_something && answer.without_prestress < kCaused * answer.lower;
      answer.load_caused_less =
          holds_something && answer.without_prestress < kLoadCausedLess * answer.robustness;
      if (own.is_lower_bound())
        answer.note = "what load-caused forces hold is at least the value given: the search stopped there";
    }
  };
  if (threads == 1 || answers.size() < 2) return add(0, answers.size());
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic : threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, answers.size()),
                      [&](const tbb::blocked_range<std::size_t>& range) { add(range.begin(), range.end()); });
  });
}

std::string bracing_problem(const ContactSystem& system) {
  constexpr std::size_t kMostNames = 5;
  std::vector<bool> is_jointed(system.bodies.size(), false);
  for (const JointRow& row : system.joint_rows) {
    for (const JointRow::Part& part : row.parts) is_jointed[part.body] = true;
  }
  std::vector<bool> may_brace(system.bodies.size(), false);
  for (const SystemContact& contact : system.contacts) {
    for (const NodeIndex body : {contact.a, contact.b}) {
      if (contact.mu > 0.0 && body.is_valid() && is_jointed[body]) may_brace[body] = true;
    }
  }
  std::vector<model::BodyIndex> bodies;
  for (NodeIndex b(0); b < system.bodies.size(); ++b) {
    if (may_brace[b]) bodies.push_back(system.bodies[b].body);
  }
  if (bodies.empty()) return "";
  return "joints and contacts with friction may brace each other at " +
         model::quoted_names(system.body_names, bodies, kMostNames) +
         ": ask for load-caused values (--load-caused), which may be less";
}

std::string load_caused_problem(std::span<const PushAnswer> answers, const std::string& what) {
  std::size_t count = 0;
  double least = 1.0;
  for (const PushAnswer& answer : answers) {
    count += answer.load_caused_less;
    if (answer.load_caused_less && std::isfinite(answer.robustness) && answer.robustness > 0.0)
      least = std::min(least, answer.without_prestress / answer.robustness);
  }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(answers.size()) + " " + what +
         " hold less by load-caused forces than statics allows" +
         (least < 1.0 ? ", down to " + math::number_text(100.0 * least, 3) + " % of it" : "") +
         ": the rest needs internal stress";
}

std::string stiffness_problem(std::span<const PushAnswer> answers, const std::string& what) {
  std::size_t count = 0;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const PushAnswer& answer : answers) {
    if (!answer.depends_on_stiffness) continue;
    ++count;
    least = std::min(least, answer.load_caused_low);
    most = std::max(most, answer.load_caused_high);
  }
  if (count == 0) return "";
  const std::string end = std::isfinite(most) ? math::number_text(most, 4) : std::string("no bound"),
                    range = count > 1 ? "" : " (" + math::number_text(least, 4) + " to " + end + ")";
  return "what load-caused forces hold depends on how stiff friction is for " + std::to_string(count) +
         " of " + std::to_string(answers.size()) + " " + what + range +
         ": joints and contacts brace each other, and the true value is not known any better";
}

}  // namespace prehend::stability
