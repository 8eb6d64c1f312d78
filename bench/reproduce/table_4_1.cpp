// Source N, table 4.1: how far are the methods off, and how long do they take?
//
// Scenes: stability/benchmark_scenes.h (the source gives no sizes). About 2000 points, uniform over the free surface,
// pushed along the inward normal. Truth: derived by hand for cube and stack (table_4_1_truth.h); for the table, which is
// statically indeterminate, the cone program (cone_limit.h). Errors are relative, over the points whose truth is bounded.
// As in the source, the time of a map contains finding the contacts. Methods that sample contact points take 20 per
// interface, new ones in every run. Slow methods answer a part of the questions, stated; their map's time is scaled up.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>

#include <generated/benchmark_scenes.h>
#include <generated/cone_limit.h>
#include <generated/table_4_1_truth.h>

#include "reproduction.h"
#include <prehend/math/progress.h>
#include <prehend/model/json_writer.h>
#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/methods/linear_limit.h>
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::reproduce {
namespace {

using namespace stability;
using Answers = std::vector<PushAnswer>;
constexpr double kNone = PushAnswer::kUnknown;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Question {
  const model::Scene& scene;
  const std::vector<Push>& pushes;
  const ReproduceOptions& options;
};

struct SourceRow {
  const char* name;                    // in the source; empty: it has none
  double time_s[3], error_percent[3];  // cube, stack, table
};

struct MapMethod {
  std::string name;
  SourceRow source;
  int questions;  // at most; 0: all
  int runs;       // at most; 0: as many as asked for
  std::function<Answers(const Question&, const ContactSystem&)> answer;
  ContactPoints points{ContactPoints::sampled};
};

Answers exact_answers(const Question& question, const ContactSystem& system) {
  LimitOptions options;
  options.keep_proofs = false;
  options.threads = question.options.threads;
  const LimitAnalysis analysis(system, options);
  std::vector<Load> loads;
  for (const Push& push : question.pushes) loads.push_back(push_load(question.scene, system, push));
  return analysis.ask(loads);
}

// All pushes together: neighbours on a face share programs.
Answers mapped_answers(const Question& question, const ContactSystem& system) {
  LimitOptions options;
  options.keep_proofs = false;
  options.threads = question.options.threads;
  const LimitAnalysis analysis(system, options);
  std::vector<PointPush> pushes;
  for (const Push& push : question.pushes)
    pushes.push_back({system.node_of_body[push.body], push.p_W, push.d_W});
  constexpr double kAccuracy = 1e-3;
  return analysis.map(pushes, kAccuracy);
}

RobustnessOptions robustness_options(const Question& question, Method method) {
  RobustnessOptions options;
  options.method = method;
  options.threads = question.options.threads;
  return options;
}

std::function<Answers(const Question&, const ContactSystem&)> warm(Method method) {
  return [method](const Question& question, const ContactSystem& system) {
    return linear_robustness(question.scene, system, question.pushes, robustness_options(question, method));
  };
}

std::function<Answers(const Question&, const ContactSystem&)> cold(
    int sides, LinearAnswer (LinearLimit::*ask)(const Load&) const) {
  return [sides, ask](const Question& question, const ContactSystem& system) {
    const LinearLimit limit(system, {.sides = sides});
    Answers answers;
    for (const Push& push : question.pushes) {
      const LinearAnswer found = (limit.*ask)(push_load(question.scene, system, push));
      PushAnswer& answer = answers.emplace_back();
      answer.status = found.status;
      answer.robustness = answer.lower = found.limit;
      answer.unbounded = found.unbounded;
    }
    return answers;
  };
}

Answers by_graph(const Question& question, const ContactSystem& system) {
  return graph_robustness(question.scene, system, question.pushes,
                          robustness_options(question, Method::graph));
}

Answers isolated(const Question& question, const ContactSystem& system) {
  return isolated_robustness(question.scene, system, question.pushes,
                             robustness_options(question, Method::isolated));
}

Answers simulated(const Question& question, const ContactSystem& system) {
  return simulated_robustness(question.scene, system, question.pushes,
                              robustness_options(question, Method::simulate));
}

std::vector<MapMethod> methods() {
  const SourceRow none{"", {kNone, kNone, kNone}, {kNone, kNone, kNone}};
  const SourceRow lp4{"Optimization-based (4)", {10.9, 151, 118}, {16, 17, 23.6}};
  const SourceRow lp8{"Optimization-based (8)", {23.6, 205, 118}, {11, 10, 9}};
  const SourceRow simulation{"Simulation-based", {0.80, 10.1, 41.7}, {22, 26, 67}};
  return {
      {"exact, map to 0.1 %", none, 0, 0, mapped_answers, ContactPoints::corners},
      {"exact, each to 0.01 %", none, 0, 0, exact_answers, ContactPoints::corners},
      {"graph", {"This Work", {0.13, 0.20, 0.23}, {0, 1.0, 1.2}}, 0, 0, by_graph},
      {"isolated", {"Approximate", {0.07, 0.23, 0.24}, {0, 30, 44}}, 0, 0, isolated},
      {"lp4, warm", lp4, 500, 0, warm(Method::lp4)},
      {"lp8, warm", lp8, 500, 0, warm(Method::lp8)},
      {"lp8, cold", none, 50, 1, cold(8, &LinearLimit::ask_cold)},
      {"lp8, cold, as printed", none, 20, 1, cold(8, &LinearLimit::ask_printed)},
      {"simulate", simulation, 10, 1, simulated},
  };
}

struct Measured {
  double query_s{0.0}, map_s{0.0}, mean{0.0}, worst{0.0};
  int questions{0}, runs{0}, bounded{0},
      wrong{0};  // wrong: no answer, or bounded where the truth is not, or reverse
};

Measured measure(const MapMethod& method, const model::Scene& scene, const std::vector<Push>& all,
                 const std::vector<double>& truth, const ReproduceOptions& options) {
  Measured result;
  const std::size_t count =
      method.questions > 0 ? std::min<std::size_t>(all.size(), method.questions) : all.size();
  const std::vector<Push> pushes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  result.questions = static_cast<int>(count);
  result.runs = method.runs > 0 ? std::min(method.runs, options.runs) : options.runs;
  double setup = 0.0, solve = 0.0, sum = 0.0;
  for (int run = 0; run < result.runs; ++run) {
    ContactSystemOptions system_options;
    system_options.points = method.points;
    system_options.seed = options.seed + static_cast<std::uint64_t>(run);
    const double start = now();
    const ContactSystem system = build_contact_system(scene, system_options);
    const double built = now();
    const Answers answers = method.answer({scene, pushes, options}, system);
    solve += now() - built;
    setup += built - start;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_bounded = std::isfinite(truth[i]);
      if (answers[i].status != AnswerStatus::ok || answers[i].unbounded == is_bounded ||
          std::isnan(answers[i].robustness)) {
        ++result.wrong;
        continue;
      }
      if (!is_bounded) continue;
      const double error = std::abs(answers[i].robustness / truth[i] - 1.0);
      sum += error;
      result.worst = std::max(result.worst, error);
      ++result.bounded;
    }
  }
  result.query_s = solve / (result.runs * static_cast<double>(count));
  result.map_s = setup / result.runs + result.query_s * static_cast<double>(all.size());
  result.mean = result.bounded > 0 ? sum / result.bounded : kNone;
  return result;
}

std::vector<double> truth_of(const model::Scene& scene, const std::vector<Push>& pushes, bool by_hand) {
  std::vector<double> truth;
  const ContactSystem system = build_contact_system(scene);
  for (const Push& push : pushes) {
    truth.push_back(by_hand ? cube_stack_limit(scene, push)
                            : cone_limit(system, push_load(scene, system, push)).limit);
  }
  return truth;
}

report::Cell cell(double value) { return std::isnan(value) ? report::Cell() : report::Cell(value); }

std::string number(double value, const char* format) {
  if (std::isnan(value)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

Reproduction table_4_1(const ReproduceOptions& options) {
  options.validate();
  Reproduction result;
  result.page = report::Page("Robustness of three assemblies");
  result.page.set_subtitle("Nadeau 2026, table 4.1, and here");
  result.page.add_text(
      "How hard may each point of the surface be pushed inward before something moves? Errors are relative "
      "to the truth: derived by "
      "hand for cube and stack, by a cone program for the table. Methods that sample contact points take 20 "
      "per interface. Slow "
      "methods answer a part of the questions; the time of their map is scaled up from it. *Wrong* counts "
      "points without an answer, "
      "bounded where nothing moves, or the reverse: a push beside the sampled points seems to tip what it "
      "cannot.");
  model::JsonWriter json;
  json.object().field("id", "table-4.1").field("points", options.points).key("results").array();
  const model::Scene scenes[] = {cube_scene(), cube_stack_scene(), table_scene()};
  char line[300];
  math::Progress progress("robustness by all methods", 3 * methods().size());
  for (int s = 0; s < 3; ++s) {
    const model::Scene& scene = scenes[s];
    const bool by_hand = s < 2;
    const std::vector<Push> pushes =
        surface_pushes(scene, model::find_scene_contacts(scene), options.points, options.seed);
    const std::vector<double> truth = truth_of(scene, pushes, by_hand);
    const auto bounded = std::count_if(truth.begin(), truth.end(), [](double t) { return std::isfinite(t); });
    std::snprintf(line, sizeof line, "%s: %d points, %d of them bounded; truth %s\n", scene.name.c_str(),
                  options.points, static_cast<int>(bounded),
                  by_hand ? "derived by hand" : "by the cone program");
    result.text += line;
    std::snprintf(line, sizeof line, "  %-22s %9s %11s %10s %8s %8s %6s | printed %7s %7s\n", "method",
                  "questions", "query [us]", "map [s]", "mean [%]", "max [%]", "wrong", "map [s]", "err [%]");
    result.text += line;
    report::Table table;
    table.caption = scene.name;
    table.columns = {
        {"method", "", 4, ""},         {"questions x runs", "", 4, "of a map; the map's time is scaled up"},
        {"per question", "µs", 3, ""}, {"map", "s", 3, ""},
        {"mean error", "%", 3, ""},    {"largest error", "%", 3, ""},
        {"wrong", "", 4, ""},          {"printed: map", "s", 3, ""},
        {"printed: error", "%", 3, ""}};
    std::vector<std::pair<std::string, double>> times;
    for (const MapMethod& method : methods()) {
      const Measured m = measure(method, scene, pushes, truth, options);
      progress.advance();
      const std::string asked = std::to_string(m.questions) + " x " + std::to_string(m.runs);
      const double source_s = method.source.time_s[s], source_error = method.source.error_percent[s];
      std::snprintf(line, sizeof line, "  %-22s %9s %11.4g %10.4g %8.3g %8.3g %6d |         %7s %7s\n",
                    method.name.c_str(), asked.c_str(), 1e6 * m.query_s, m.map_s, 100 * m.mean, 100 * m.worst,
                    m.wrong, number(source_s, "%.3g").c_str(), number(source_error, "%.3g").c_str());
      result.text += line;
      table.rows.push_back({method.name, asked, 1e6 * m.query_s, m.map_s, 100 * m.mean, 100 * m.worst,
                            static_cast<double>(m.wrong), cell(source_s), cell(source_error)});
      times.emplace_back(method.name, m.query_s);
      json.object().field("scene", scene.name).field("method", method.name).field("questions", m.questions);
      json.field("runs", m.runs).field("query_us", 1e6 * m.query_s).field("map_s", m.map_s);
      json.field("error_mean_percent", 100 * m.mean)
          .field("error_max_percent", 100 * m.worst)
          .field("wrong", m.wrong);
      json.field("time_over_exact_map", m.query_s / times[0].second);
      json.field("source_name", method.source.name).field("source_map_s", source_s);
      json.field("source_error_percent", source_error).end();
    }
    result.page.add(std::move(table));
    for (std::size_t base = 0; base < 2; ++base) {
      result.text += "  times of one question over those of \"" + times[base].first + "\":";
      for (std::size_t i = 2; i < times.size(); ++i) {
        std::snprintf(line, sizeof line, "%s %s %.0f", i > 2 ? ";" : "", times[i].first.c_str(),
                      times[i].second / times[base].second);
        result.text += line;
      }
      result.text += "\n";
    }
    result.text += "\n";
  }
  json.end().end();
  result.json = json.text();
  return result;
}

}  // namespace prehend::reproduce
