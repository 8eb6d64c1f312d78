#include <optional>
#include <stdexcept>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/model/body_names.h>
#include <prehend/stability/limit/falling.h>
#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/statics/load_caused.h>
#include <prehend/stability/statics/nothing_movable.h>
#include <prehend/stability/statics/push_check.h>

namespace prehend::stability {
namespace {

ContactSystemOptions system_options(const RobustnessOptions& options) {
  ContactSystemOptions system = options.system;
  if (!options.choose_points) return system;
  const bool samples = options.method != Method::exact && options.method != Method::simulate;
  system.points = samples ? ContactPoints::sampled : ContactPoints::corners;
  return system;
}

// "push 3 of 10: " when there are several.
std::string which(std::size_t push, std::size_t count) {
  return count > 1 ? "push " + std::to_string(push + 1) + " of " + std::to_string(count) + ": " : "";
}

std::vector<Load> checked_loads(const model::Scene& scene, const ContactSystem& system,
                                std::span<const Push> pushes, const RobustnessOptions& options) {
  PushCheck check(scene, options.system.contact.gap_tolerance);
  std::vector<Load> loads;
  loads.reserve(pushes.size());
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    std::string problem = options.check_points ? check.problem(pushes[i]) : "";
    try {
      if (problem.empty()) loads.push_back(push_load(scene, system, pushes[i]));
    } catch (const std::invalid_argument& error) {
      problem = error.what();
    }
    if (!problem.empty()) throw std::invalid_argument(which(i, pushes.size()) + problem);
  }
  return loads;
}

// Names in a sentence; more would hide what it says.
constexpr std::size_t kMostNames = 8;

// Whether the scene rests at all; false when the result is finished, because it does not.
bool rests(const LimitAnalysis& analysis, const LimitOptions& limits, RobustnessResult& result) {
  switch (analysis.stability()) {
    case Stability::stable:
      result.resting_forces_W = analysis.resting_forces();
      return true;
    case Stability::unstable:
      result.status = RobustnessStatus::unstable;
      if (Falling falling = find_falling(result.system, limits); !falling.bodies.empty()) {
        result.falling = std::move(falling.motion);
        result.moving = std::move(falling.bodies);
      } else {
        result.falling = analysis.falling();
        result.moving = analysis.falling_bodies();
      }
      result.problems.insert(
          result.problems.begin(),
          "the scene falls by itself: " + model::quoted_names(result.body_names, result.moving, kMostNames) +
              (result.moving.size() == 1 ? " moves" : " move") + " without any push");
      return false;
    case Stability::not_computed:
    case Stability::undetermined:
      break;
  }
  result.status = RobustnessStatus::undetermined;
  result.problems.push_back("whether the scene rests is undecided: " + analysis.note());
  return false;
}

// Failure modes whose proofs a map keeps: as many as a page plays.
constexpr std::size_t kProvenModes = 12;

std::vector<PushAnswer> exact_map(const LimitAnalysis& analysis, const RobustnessOptions& options,
                                  const RobustnessResult& result) {
  std::vector<PointPush> points;
  points.reserve(result.pushes.size());
  for (const Push& push : result.pushes) {
    points.push_back({result.system.node_of_body[push.body], push.p_W, push.d_W});
  }
  return analysis.map(points, options.map_accuracy);
}

std::vector<PushAnswer> answers_of(const model::Scene& scene, const LimitAnalysis& analysis,
                                   std::span<const Load> loads, const RobustnessOptions& options,
                                   const RobustnessResult& result) {
  if (!result.system.joint_rows.empty() && options.method != Method::exact) {
    PushAnswer unknown;
    unknown.status = AnswerStatus::undetermined;
    unknown.note = std::string("the method '") + to_string(options.method) + "' knows no joints: use 'exact'";
    return std::vector<PushAnswer>(result.pushes.size(), unknown);
  }
  switch (options.method) {
    case Method::exact:
      return options.map_accuracy > 0.0 ? exact_map(analysis, options, result) : analysis.ask(loads);
    case Method::lp4:
    case Method::lp8:
      return linear_robustness(scene, result.system, result.pushes, options);
    case Method::simulate:
      return simulated_robustness(scene, result.system, result.pushes, options);
    case Method::graph:
      return graph_robustness(scene, result.system, result.pushes, options);
    case Method::isolated:
      return isolated_robustness(scene, result.system, result.pushes, options);
  }
  return {};
}

// `known`: what was found before the statics.
void check_prestress_of(std::span<const Load> loads, const RobustnessOptions& options,
                        const std::optional<LoadCaused>& known, RobustnessResult& result) {
  result.prestress_checked = true;
  const LoadCaused caused = known ? *known : LoadCaused(result.system);
  result.needs_prestress = !caused.rests();
  if (options.method == Method::exact && (options.map_accuracy == 0.0 || options.load_caused)) {
    add_load_caused(caused, loads, options.threads, result.answers);
  } else {
    for (PushAnswer& answer : result.answers) answer.needs_prestress = result.needs_prestress;
    if (std::string problem = bracing_problem(result.system); !problem.empty())
      result.problems.push_back(std::move(problem));
  }
  if (std::string problem = stiffness_problem(result.answers, "pushes"); !problem.empty())
    result.problems.push_back(std::move(problem));
  if (!options.load_caused) return;
  if (std::string problem = load_caused_problem(result.answers, "pushes"); !problem.empty())
    result.problems.push_back(std::move(problem));
}

void guarantee(std::span<const Load> loads, const RobustnessOptions& options, const LimitOptions& limits,
               RobustnessResult& result) {
  const GuaranteedLimits found = guaranteed_limits(result.system, loads, options.margins, limits);
  if (found.status == MarginStatus::ok) {
    for (std::size_t i = 0; i < result.answers.size(); ++i) result.answers[i].guaranteed = found.limits[i];
  } else if (found.status == MarginStatus::may_fall) {
    result.problems.push_back("within the margins the scene may fall by itself: nothing is guaranteed");
    for (PushAnswer& answer : result.answers) answer.guaranteed = 0.0;
  } else {
    result.problems.push_back("no guarantee within the margins: " + found.note);
  }
}

// One load: every push with the length of its direction.
std::vector<Load> joined(std::span<const Push> pushes, const std::vector<Load>& loads) {
  std::vector<Load> all(1);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    for (BodyLoad part : loads[i]) {
      part.wrench *= pushes[i].d_W.norm();
      all.front().push_back(part);
    }
  }
  return all;
}

// The answer to all pushes together, as one for each: its share of the common multiple.
std::vector<PushAnswer> shares_of(const PushAnswer& common, std::span<const Push> pushes) {
  std::vector<PushAnswer> answers(pushes.size(), common);
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    PushAnswer& answer = answers[i];
    const double length = pushes[i].d_W.norm();
    for (double* number : {&answer.robustness, &answer.lower, &answer.upper, &answer.without_prestress,
                           &answer.load_caused_low, &answer.load_caused_high, &answer.guaranteed}) {
      *number *= length;
    }
    answer.proof = nullptr;
  }
  return answers;
}

}  // namespace

const char* to_string(Method method) { return enum_text(method); }

const char* to_string(RobustnessStatus status) { return enum_text(status); }

void RobustnessOptions::validate() const {
  system.validate();
  const math::OptionCheck check("RobustnessOptions");
  check.between("accuracy", accuracy, 1e-9, 0.1);
  check.at_least("unbounded_above", unbounded_above, 1.0);
  if (map_accuracy != 0.0) check.between("map_accuracy", map_accuracy, 1e-9, 0.1);
  check.holds(!together || (method == Method::exact && map_accuracy == 0.0), "together", "true",
              "false with a map or a method other than exact");
  margins.validate();
  check.holds(margins.is_zero() || method == Method::exact, "method", to_string(method),
              "exact where margins are given");
  check.holds(!load_caused || method == Method::exact, "method", to_string(method),
              "exact where load-caused values are asked for");
  check.at_least("threads", threads, 0);
  check.at_least("graph_time_limit", graph_time_limit, 0.0, "s");
  check.between("simulate_rounds", simulate_rounds, 1, 1000);
  check.at_least("simulate_steps", simulate_steps, 1);
  check.above("simulate_energy", simulate_energy, 0.0, "J");
  check.above("simulate_upper", simulate_upper, 0.0, "N");
  simulation.validate();
}

RobustnessResult robustness(const model::Scene& scene, std::span<const Push> pushes,
                            const RobustnessOptions& options) {
  options.validate();
  RobustnessResult result;
  result.method = options.method;
  result.body_names = model::body_names(scene);
  result.pushes.assign(pushes.begin(), pushes.end());
  result.system = build_contact_system(scene, system_options(options));
  result.problems = result.system.problems;
  if (nothing_moves(result.system, result.problems)) {
    result.status = RobustnessStatus::undetermined;
    return result;
  }
  const std::vector<Load> each = checked_loads(scene, result.system, pushes, options);
  const bool together = options.together && pushes.size() > 1;
  const std::vector<Load> loads = together ? joined(pushes, each) : each;
  for (Push& push : result.pushes) push.d_W.normalize();
  if (!result.system.penetrations.empty()) {
    result.status = RobustnessStatus::undetermined;
    return result;
  }
  LimitOptions limits;
  limits.accuracy = options.accuracy;
  limits.unbounded_above = options.unbounded_above;
  limits.keep_proofs = options.keep_proofs;
  limits.threads = options.threads;
  // Load-caused forces at rest prove that it rests, and are needed anyway.
  const bool asks_prestress = options.check_prestress || options.load_caused;
  const std::optional<LoadCaused> caused =
      asks_prestress && result.system.joint_rows.empty() ? LoadCaused::at_once(result.system) : std::nullopt;
  const LimitAnalysis analysis(result.system, limits,
                               caused ? caused->resting_forces_W() : std::vector<Eigen::Vector3d>{});
  if (!rests(analysis, limits, result)) {
    result.cone_programs = analysis.programs();
    return result;
  }
  result.answers = answers_of(scene, analysis, loads, options, result);
  result.cone_programs = analysis.programs();
  if (options.method == Method::exact && options.map_accuracy > 0.0 && options.keep_proofs) {
    for (const std::size_t i : failure_modes(result, kProvenModes))
      result.answers[i] = analysis.ask(loads[i]);
  }
  if (asks_prestress) check_prestress_of(loads, options, caused, result);
  if (!options.margins.is_zero()) guarantee(loads, options, limits, result);
  if (together) result.answers = shares_of(result.answers.front(), pushes);
  std::size_t answered = 0;
  for (const PushAnswer& answer : result.answers) answered += answer.status == AnswerStatus::ok;
  if (answered < result.answers.size()) {
    result.problems.push_back(std::to_string(result.answers.size() - answered) + " of " +
                              std::to_string(result.answers.size()) +
                              " pushes have no answer; their notes say why");
  }
  result.status = answered > 0 || pushes.empty() ? RobustnessStatus::ok : RobustnessStatus::undetermined;
  return result;
}

}  // namespace prehend::stability
