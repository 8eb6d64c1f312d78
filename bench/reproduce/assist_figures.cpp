// Source A, figures 5, 7, 8 and 9: curves of one trial. The source shows one trial with a person and no numbers but the axes; here the same trial in
// simulation, with --seed, and what its curves say beside what the source's text says of its own.
#include <cmath>

#include "reproduction.h"
#include <prehend/assist/trial.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>

namespace prehend::reproduce {
namespace {

using assist::StateName;
using assist::TrialResult;

struct Figure {
  const char* id;
  const char* title;
  std::vector<const char*> columns;
  const char* unit;
  StateName state;
  const char* contact;  // empty: any
  const char* source;   // what the text says of its own figure
};

report::Plot plot_of(const TrialResult& result, const Figure& figure, const std::vector<std::size_t>& rows) {
  report::Plot plot;
  plot.title = figure.title;
  plot.y_unit = figure.unit;
  for (const std::size_t k : rows) plot.x.push_back(result.trace.rows[k].t);
  for (const char* column : figure.columns) {
    report::Series series;
    series.name = column;
    const std::size_t c = static_cast<std::size_t>(result.trace.column(column));
    for (const std::size_t k : rows) series.y.push_back(result.trace.rows[k].values[c]);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Reproduction reproduce_figure(const Figure& figure, const ReproduceOptions& options) {
  assist::Scenario scenario = assist::default_scenario();
  scenario.seed = options.seed;
  const TrialResult result = assist::run_trial(scenario);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < result.trace.rows.size(); ++k) {
    const assist::TraceRow& row = result.trace.rows[k];
    const bool is_contact = figure.contact[0] == '\0' || (row.contact >= 0 && result.trace.contacts[static_cast<std::size_t>(row.contact)] == figure.contact);
    if (row.state == figure.state && is_contact) rows.push_back(k);
  }
  Reproduction made;
  made.page = report::Page(figure.title);
  model::JsonWriter json;
  json.object().field("id", figure.id).field("outcome", to_string(result.outcome)).key("curves").array();
  made.text = std::string(figure.title) + "\n  the source: " + figure.source + "\n";
  for (const char* column : figure.columns) {
    if (rows.empty()) break;
    const std::size_t c = static_cast<std::size_t>(result.trace.column(column));
    const double first = result.trace.rows[rows.front()].values[c], last = result.trace.rows[rows.back()].values[c];
    double most = 0.0;
    for (const std::size_t k : rows) most = std::max(most, std::abs(result.trace.rows[k].values[c]));
    made.text += std::string("  here, ") + column + ": from " + math::number_text(first, 3) + " to " + math::number_text(last, 3) + ", largest " + math::number_text(most, 3) + " " + figure.unit + "\n";
    json.object().field("column", column).field("first", first).field("last", last).field("largest", most).end();
  }
  const double lasts = rows.empty() ? 0.0 : result.trace.rows[rows.back()].t - result.trace.rows[rows.front()].t;
  made.text += "  " + math::number_text(lasts, 3) + " s; the trial: " + to_string(result.outcome) + "\n";
  made.json = json.end().field("lasts_s", lasts).end().text();
  if (!rows.empty()) made.page.add(plot_of(result, figure, rows));
  made.page.add_text(made.text);
  return made;
}

}  // namespace

Reproduction assist_figure_5(const ReproduceOptions& options) {
  return reproduce_figure({"assist-fig-5", "Navigation errors (figure 5)", {"e_x", "e_y", "e_yaw"}, "m, rad", StateName::NavigateToHuman, "",
                           "errors in x, y and about z converge mostly smoothly; a slight jump in y at the end, close to the person"},
                          options);
}

Reproduction assist_figure_7(const ReproduceOptions& options) {
  return reproduce_figure({"assist-fig-7", "Face to tablet (figure 7)", {"tablet_angle"}, "rad", StateName::IntentCommunication, "shoulder",
                           "shortly after the state begins the face turns to the tablet"},
                          options);
}

Reproduction assist_figure_8(const ReproduceOptions& options) {
  return reproduce_figure({"assist-fig-8", "Residual of the left arm (figure 8)", {"r_shoulder", "rf_shoulder"}, "rad", StateName::MakeContact, "shoulder",
                           "the contact is detected when the residual reaches its threshold, and held for several seconds"},
                          options);
}

Reproduction assist_figure_9(const ReproduceOptions& options) {
  return reproduce_figure({"assist-fig-9", "Residual of the right arm (figure 9)", {"r_hand", "rf_hand"}, "rad", StateName::MakeContact, "hand",
                           "the hand that the person gives is detected, the gripper closes slightly, the contact is held for a few seconds"},
                          options);
}

}  // namespace prehend::reproduce
