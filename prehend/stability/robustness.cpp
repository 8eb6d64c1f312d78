#include <array>
#include <cmath>
#include <stdexcept>

#include <prehend/math/enum_text.h>
#include <prehend/math/number_text.h>
#include <prehend/stability/limit/falling.h>
#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/prestress.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/statics/push_check.h>

namespace prehend::stability {
namespace {

constexpr std::array kMethods{Method::exact, Method::graph, Method::isolated,
                              Method::lp4,   Method::lp8,   Method::simulate};

void require(bool holds, const char* name, double value, const char* bound) {
  if (!holds)
    throw std::invalid_argument(std::string(name) + " is " + math::number_text(value) + ", must be " + bound);
}

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

std::string quoted_names(const model::Scene& scene, const std::vector<model::BodyIndex>& bodies) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(bodies.size(), kMost); ++i) {
    text += (i == 0 ? "'" : ", '") + scene.bodies[bodies[i]].name + "'";
  }
  if (bodies.size() > kMost) text += " and " + std::to_string(bodies.size() - kMost) + " more";
  return text;
}

// Whether the scene rests at all; false when the result is finished, because it does not.
bool rests(const model::Scene& scene, const LimitAnalysis& analysis, const LimitOptions& limits,
           RobustnessResult& result) {
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
      result.problems.insert(result.problems.begin(),
                             "the scene falls by itself: " + quoted_names(scene, result.moving) +
                                 (result.moving.size() == 1 ? " moves" : " move") + " without any push");
      return false;
    case Stability::not_computed:
    case Stability::undetermined:
      break;
  }
  result.status = RobustnessStatus::no_answer;
  result.problems.push_back("whether the scene rests is undecided: " + analysis.note());
  return false;
}

// Ways to give way whose proofs a map keeps.
constexpr std::size_t kProvenWays = 12;

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

// Load-caused forces that hold less than this part of the limit: the rest needs internal stress.
constexpr double kCaused = 0.98;

void check_prestress_of(std::span<const Load> loads, const RobustnessOptions& options,
                        RobustnessResult& result) {
  result.needs_prestress = needs_prestress(result.system);
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    PushAnswer& answer = result.answers[i];
    if (options.method != Method::exact || options.map_accuracy > 0.0) {
      answer.needs_prestress = result.needs_prestress;
    } else if (answer.status == AnswerStatus::answered) {
      const double limit = answer.unbounded ? answer.robustness : answer.lower;
      answer.without_prestress = load_caused_limit(result.system, loads[i], limit);
      answer.needs_prestress = answer.without_prestress < kCaused * answer.lower;
    }
  }
}

void guarantee(std::span<const Load> loads, const RobustnessOptions& options, const LimitOptions& limits,
               RobustnessResult& result) {
  const GuaranteedLimits found = guaranteed_limits(result.system, loads, options.margins, limits);
  if (found.status == MarginStatus::answered) {
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
    for (double* number :
         {&answer.robustness, &answer.lower, &answer.upper, &answer.without_prestress, &answer.guaranteed}) {
      *number *= length;
    }
    answer.proof = nullptr;
  }
  return answers;
}

}  // namespace

const char* to_string(Method method) { return enum_text(method); }

Method method_from_name(const std::string& name) {
  std::string names;
  for (const Method method : kMethods) {
    if (name == to_string(method)) return method;
    names += std::string(names.empty() ? "" : ", ") + to_string(method);
  }
  throw std::invalid_argument("no method '" + name + "'; there is " + names);
}

const char* to_string(RobustnessStatus status) {
  switch (status) {
    case RobustnessStatus::not_computed:
      return "not_computed";
    case RobustnessStatus::answered:
      return "ok";
    case RobustnessStatus::unstable:
      return "unstable";
    case RobustnessStatus::no_answer:
      return "no_answer";
  }
  return "";
}

void RobustnessOptions::validate() const {
  system.validate();
  require(accuracy >= 1e-9 && accuracy <= 0.1, "accuracy", accuracy, "between 1e-9 and 0.1");
  require(unbounded_above >= 1.0, "unbounded_above", unbounded_above, "at least 1");
  require(map_accuracy == 0.0 || (map_accuracy >= 1e-9 && map_accuracy <= 0.1), "map_accuracy", map_accuracy,
          "0 or between 1e-9 and 0.1");
  if (together && (method != Method::exact || map_accuracy > 0.0)) {
    throw std::invalid_argument("pushes act together only with the method exact, one question, no map");
  }
  margins.validate();
  if (!margins.is_zero() && method != Method::exact) {
    throw std::invalid_argument("margins need the method exact, not " + std::string(to_string(method)));
  }
  require(threads >= 0, "threads", threads, "at least 0");
  require(graph_time_limit >= 0.0, "graph_time_limit", graph_time_limit, "at least 0 s");
  require(simulate_rounds >= 1 && simulate_rounds <= 1000, "simulate_rounds", simulate_rounds,
          "between 1 and 1000");
  require(simulate_steps >= 1, "simulate_steps", simulate_steps, "at least 1");
  require(simulate_energy > 0.0 && std::isfinite(simulate_energy), "simulate_energy", simulate_energy,
          "above 0 J");
  require(simulate_upper > 0.0 && std::isfinite(simulate_upper), "simulate_upper", simulate_upper,
          "above 0 N");
  simulation.validate();
}

RobustnessResult robustness(const model::Scene& scene, std::span<const Push> pushes,
                            const RobustnessOptions& options) {
  options.validate();
  RobustnessResult result;
  result.method = options.method;
  result.pushes.assign(pushes.begin(), pushes.end());
  result.system = build_contact_system(scene, system_options(options));
  const std::vector<Load> each = checked_loads(scene, result.system, pushes, options);
  const bool together = options.together && pushes.size() > 1;
  const std::vector<Load> loads = together ? joined(pushes, each) : each;
  for (Push& push : result.pushes) push.d_W.normalize();
  result.problems = result.system.problems;
  if (!result.system.penetrations.empty()) {
    result.status = RobustnessStatus::no_answer;
    return result;
  }
  LimitOptions limits;
  limits.accuracy = options.accuracy;
  limits.unbounded_above = options.unbounded_above;
  limits.keep_proofs = options.keep_proofs;
  limits.threads = options.threads;
  const LimitAnalysis analysis(result.system, limits);
  if (!rests(scene, analysis, limits, result)) {
    result.cone_programs = analysis.programs();
    return result;
  }
  result.answers = answers_of(scene, analysis, loads, options, result);
  result.cone_programs = analysis.programs();
  if (options.method == Method::exact && options.map_accuracy > 0.0 && options.keep_proofs) {
    for (const std::size_t i : ways_to_give_way(result, kProvenWays))
      result.answers[i] = analysis.ask(loads[i]);
  }
  if (options.check_prestress) check_prestress_of(loads, options, result);
  if (!options.margins.is_zero()) guarantee(loads, options, limits, result);
  if (together) result.answers = shares_of(result.answers.front(), pushes);
  std::size_t answered = 0;
  for (const PushAnswer& answer : result.answers) answered += answer.status == AnswerStatus::answered;
  if (answered < result.answers.size()) {
    result.problems.push_back(std::to_string(result.answers.size() - answered) + " of " +
                              std::to_string(result.answers.size()) +
                              " pushes have no answer; their notes say why");
  }
  result.status = answered > 0 || pushes.empty() ? RobustnessStatus::answered : RobustnessStatus::no_answer;
  return result;
}

}  // namespace prehend::stability
