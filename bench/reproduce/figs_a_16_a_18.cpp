// L, figures A.16 to A.18: the peg insertion executed with force feedback; here in the physics engine.
#include <cstdio>

#include "peg_insertion.h"
#include "reproduction.h"
#include <prehend/math/angles.h>
#include <prehend/model/json_writer.h>
#include <prehend/observation/pages.h>

namespace prehend::reproduce {
namespace {

using observation::Execution;
using observation::ExecutionOptions;
using observation::ExecutionTrials;
using observation::Feedback;

observation::BodyPair peg_and_hole() {
  return {geometry::Polyhedron::from_mesh(peg_mesh()), geometry::Polyhedron::from_mesh(hole_mesh())};
}

std::vector<observation::RelationPose> peg_relations(const observation::BodyPair& pair) {
  std::vector<observation::RelationPose> states;
  for (const PegState& state : peg_states())
    states.push_back({pair.contacts_at(state.X_FM, pair.touch_tolerance()), state.X_FM});
  return states;
}

// One execution with errors of 2 mm and 1 degree at most.
ExecutionTrials one_insertion(const observation::BodyPair& pair, std::uint64_t seed) {
  ExecutionOptions options;
  options.seed = seed;
  observation::TrialOptions trials;
  trials.fixed = {0.002, math::radians(1.0)};
  return execute_trials(pair, peg_relations(pair), options, trials);
}

struct PressedForce {
  double mean_N{0.0}, largest_N{0.0};
};

// Along the kept contacts' normals, in the second half of a step: after it has settled.
PressedForce pressed_in(const Execution& done, const observation::ExecutedStep& step) {
  PressedForce force;
  int count = 0;
  for (const observation::ExecutionSample& sample : done.samples) {
    if (sample.t_s < 0.5 * (step.t0_s + step.t1_s) || sample.t_s > step.t1_s - 0.1) continue;
    force.mean_N += sample.pressed_N;
    ++count;
    force.largest_N = std::max(force.largest_N, sample.f_W.norm());
  }
  force.mean_N /= std::max(1, count);
  return force;
}

std::string state_name(int state) { return std::string(1, static_cast<char>('A' + state)); }

void tell_steps(const Execution& done, int first, int last, Reproduction& result, model::JsonWriter& json) {
  json.key("steps").array();
  for (const observation::ExecutedStep& step : done.steps) {
    if (step.from < first || step.to > last) continue;
    const PressedForce force = pressed_in(done, step);
    char line[200];
    std::snprintf(line, sizeof line,
                  "  %s to %s  %5.2f to %5.2f s  %-8s pressed with %.2f N in the mean, at most %.2f N\n",
                  state_name(step.from).c_str(), state_name(step.to).c_str(), step.t0_s, step.t1_s,
                  to_string(step.end), force.mean_N, step.peak_N);
    result.text += line;
    json.object()
        .field("from", state_name(step.from))
        .field("to", state_name(step.to))
        .field("t0_s", step.t0_s);
    json.field("t1_s", step.t1_s)
        .field("end", to_string(step.end))
        .field("pressed_N", force.mean_N)
        .field("peak_N", step.peak_N)
        .end();
  }
  json.end();
}

Reproduction part_of_insertion(const ReproduceOptions& options, const std::string& id, int first, int last) {
  options.validate();
  const observation::BodyPair pair = peg_and_hole();
  const ExecutionTrials trials = one_insertion(pair, options.seed);
  Reproduction result;
  result.page = observation::execution_page(pair, trials);
  result.page.set_subtitle("Takamatsu 2004, figure " + id.substr(4) + ", in the physics engine");
  model::JsonWriter json;
  json.object().field("id", id);
  tell_steps(trials.first, first, last, result, json);
  result.text += "  wanted: 0.49 N (50 gf) in print, 0.5 N here, on every contact that is kept\n";
  result.json = json.field("arrived", trials.arrived == 1).end().text();
  return result;
}

}  // namespace

Reproduction figure_a_16(const ReproduceOptions& options) {
  options.validate();
  const observation::BodyPair pair = peg_and_hole();
  const std::vector<observation::RelationPose> states = peg_relations(pair);
  Reproduction result;
  result.page = report::Page("The peg insertion, executed");
  report::Table table;
  table.caption = "How many executions arrive, of " + std::to_string(10 * options.runs);
  table.columns = {{"errors up to", "mm", 3, ""},
                   {"and", "deg", 3, ""},
                   {"planned poses alone", "", 4, ""},
                   {"forces", "", 4, "as in the thesis"},
                   {"forces and moments", "", 4, ""}};
  model::JsonWriter json;
  json.object().field("id", "fig-A.16").field("trials", 10 * options.runs).key("rows").array();
  result.text = "  errors up to          planned poses alone  forces  forces and moments, of " +
                std::to_string(10 * options.runs) + "\n";
  for (const double millimetres : {0.0, 0.5, 1.0, 2.0, 4.0}) {
    observation::TrialOptions trials;
    trials.count = 10 * options.runs;
    trials.fixed = {1e-3 * millimetres, math::radians(0.5 * millimetres)};
    int arrived[3] = {0, 0, 0};
    for (const Feedback feedback : {Feedback::none, Feedback::force, Feedback::wrench}) {
      ExecutionOptions how;
      how.feedback = feedback;
      how.seed = options.seed;
      arrived[static_cast<int>(feedback)] = execute_trials(pair, states, how, trials).arrived;
    }
    char line[160];
    std::snprintf(line, sizeof line, "  %.1f mm, %.2f deg  %22d  %6d  %18d\n", millimetres, 0.5 * millimetres,
                  arrived[0], arrived[1], arrived[2]);
    result.text += line;
    table.rows.push_back({millimetres, 0.5 * millimetres, static_cast<double>(arrived[0]),
                          static_cast<double>(arrived[1]), static_cast<double>(arrived[2])});
    json.object()
        .field("position_mm", millimetres)
        .field("angle_deg", 0.5 * millimetres)
        .field("planned_alone", arrived[0]);
    json.field("force", arrived[1]).field("wrench", arrived[2]).end();
  }
  result.page.add(std::move(table));
  result.text +=
      "  in print: one execution by a robot, which arrives at the fifth try of its critical transition\n";
  result.json = json.end().end().text();
  return result;
}

// From A to D: the contact is made, the peg slides to the rim and over it.
Reproduction figure_a_17(const ReproduceOptions& options) {
  return part_of_insertion(options, "fig-A.17", 0, 3);
}

// From E to G: turned until it fits, the critical transition.
Reproduction figure_a_18(const ReproduceOptions& options) {
  return part_of_insertion(options, "fig-A.18", 4, 6);
}

}  // namespace prehend::reproduce
