#include <algorithm>
#include <cstdio>

#include <prehend/math/so3.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/observation/execution.h>

namespace prehend::observation {
namespace {

double turn_of_pose(const math::Pose& X) { return math::log_so3(X.q()).norm(); }

void write_plan(model::JsonWriter& json, const AssemblyPlan& plan) {
  json.key("plan").array();
  for (const AssemblyStep& step : plan.steps) {
    json.object().field("from", step.from).field("to", step.to).field("skills", step.skills.text());
    json.field("critical", step.skills.critical).key("kept").array();
    for (const PrincipalContact& contact : step.kept) json.value(contact.text());
    json.end().field("poses", static_cast<int>(step.X_FM.size())).end();
  }
  json.end();
}

}  // namespace

std::string ExecutionTrials::to_json() const {
  model::JsonWriter json;
  json.object()
      .field("status", to_string(status))
      .field("notes", notes)
      .field("arrived", arrived)
      .key("trials")
      .array();
  for (const TrialSummary& trial : trials) {
    json.object().field("status", to_string(trial.status)).field_unless_empty("reason", trial.reason);
    json.field("shift_m", trial.errors.X_WF.p().norm()).field("turn_rad", turn_of_pose(trial.errors.X_WF));
    json.field("end_gap_m", trial.end_gap_m)
        .field("duration_s", trial.duration_s)
        .field("peak_N", trial.peak_N);
    json.field("repeated", trial.repeated).end();
  }
  json.end();
  write_plan(json, first.plan);
  json.key("steps").array();
  for (const ExecutedStep& step : first.steps) {
    json.object().field("from", step.from).field("to", step.to).field("end", to_string(step.end));
    json.field("t0_s", step.t0_s)
        .field("t1_s", step.t1_s)
        .field("advance", step.advance)
        .field("peak_N", step.peak_N)
        .end();
  }
  return json.end().end().text();
}

std::string ExecutionTrials::brief_report() const {
  if (first.samples.empty()) return std::string(to_string(status)) + ": " + reason + "\n";
  model::TextTable table({{"states"},
                          {"from [s]"},
                          {"to [s]"},
                          {"ends by", model::Align::left},
                          {"advance"},
                          {"peak [N]"},
                          {"sub-skills", model::Align::left}});
  char cell[32];
  const auto number = [&](const char* format, double value) {
    std::snprintf(cell, sizeof cell, format, value);
    return std::string(cell);
  };
  for (const ExecutedStep& step : first.steps) {
    table.row({std::to_string(step.from) + " - " + std::to_string(step.to), number("%.2f", step.t0_s),
               number("%.2f", step.t1_s), to_string(step.end), number("%.2f", step.advance),
               number("%.2f", step.peak_N),
               first.plan.steps[static_cast<std::size_t>(step.step)].skills.text()});
  }
  char line[200];
  std::string text = table.text();
  const TrialSummary& trial = trials.front();
  std::snprintf(
      line, sizeof line,
      "%s: contacts of the last state within %.2f mm after %.1f s, peak force %.2f N, %d steps repeated\n",
      trial.status == ExecutionStatus::ok ? "arrived" : "did not arrive", 1e3 * trial.end_gap_m,
      trial.duration_s, trial.peak_N, trial.repeated);
  text += line;
  if (trials.size() > 1)
    text += std::to_string(arrived) + " of " + std::to_string(trials.size()) + " trials arrived\n";
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace prehend::observation
