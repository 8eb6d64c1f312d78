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

struct Curve {
  const char* column;
  const char* unit;
};

struct Figure {
  const char* id;
  const char* title;
  std::vector<Curve> curves;
  StateName state;
  const char* contact;  // empty: any
  const char* source;   // what the text says of its own figure
};

const assist::ContactSpec* contact_of(const assist::Scenario& scenario, const Figure& figure) {
  for (const assist::ContactSpec& contact : scenario.contacts)
    if (contact.name == figure.contact) return &contact;
  return nullptr;
}

report::Plot plot_of(const TrialResult& result, const Figure& figure, const std::vector<std::size_t>& rows) {
  report::Plot plot;
  plot.title = figure.title;
  for (const std::size_t k : rows) plot.x.push_back(result.trace.rows[k].t);
  for (const Curve& curve : figure.curves) {
    report::Series series;
    series.name = curve.column;
    if (plot.y_unit.find(curve.unit) == std::string::npos) plot.y_unit += (plot.y_unit.empty() ? "" : ", ") + std::string(curve.unit);
    const std::size_t c = static_cast<std::size_t>(result.trace.column(curve.column));
    for (const std::size_t k : rows) series.y.push_back(result.trace.rows[k].values[c]);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

void add_level(report::Plot& plot, const char* name, double value) {
  plot.series.push_back({name, {}, std::vector<double>(plot.x.size(), value), report::Series::Style::dashed, report::colour_from_hex(0xc1121f)});
}

// The level that decides in this state: a contact's threshold, or the angle that counts as a look.
void add_levels(report::Plot& plot, const assist::Scenario& scenario, const Figure& figure) {
  if (figure.state == StateName::IntentCommunication) add_level(plot, "looks", scenario.tuning.look_rad);
  const assist::ContactSpec* const contact = contact_of(scenario, figure);
  if (figure.state != StateName::MakeContact || contact == nullptr) return;
  add_level(plot, "threshold", contact->threshold_rad);
  add_level(plot, "-threshold", -contact->threshold_rad);
}

// Which ticks of the trial the figure shows.
std::vector<std::size_t> rows_of(const TrialResult& result, const Figure& figure) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < result.trace.rows.size(); ++k) {
    const assist::TraceRow& row = result.trace.rows[k];
    const bool is_contact = figure.contact[0] == '\0' || (row.contact >= 0 && result.trace.contacts[static_cast<std::size_t>(row.contact)] == figure.contact);
    if (row.state == figure.state && is_contact) rows.push_back(k);
  }
  return rows;
}

Reproduction reproduce_figure(const Figure& figure, const ReproduceOptions& options, report::Page page) {
  assist::Scenario scenario = assist::default_scenario();
  scenario.seed = options.seed;
  const TrialResult result = assist::run_trial(scenario);
  const std::vector<std::size_t> rows = rows_of(result, figure);
  Reproduction made;
  made.page = std::move(page);
  model::JsonWriter json;
  json.object().field("id", figure.id).field("outcome", to_string(result.outcome)).key("curves").array();
  made.text = std::string(figure.title) + "\n  the source: " + figure.source + "\n";
  std::string summary = std::string("- The source: ") + figure.source + ".\n";
  for (const auto& [column, unit] : figure.curves) {
    if (rows.empty()) break;
    const std::size_t c = static_cast<std::size_t>(result.trace.column(column));
    const double first = result.trace.rows[rows.front()].values[c], last = result.trace.rows[rows.back()].values[c];
    double most = 0.0;
    for (const std::size_t k : rows) most = std::max(most, std::abs(result.trace.rows[k].values[c]));
    const std::string line = std::string(column) + ": from " + math::number_text(first, 3) + " to " + math::number_text(last, 3) + ", largest " + math::number_text(most, 3) + " " + unit;
    made.text += "  here, " + line + "\n";
    summary += "- Here, " + line + ".\n";
    json.object().field("column", column).field("first", first).field("last", last).field("largest", most).end();
  }
  const double lasts = rows.empty() ? 0.0 : result.trace.rows[rows.back()].t - result.trace.rows[rows.front()].t;
  made.text += "  " + math::number_text(lasts, 3) + " s; the trial: " + to_string(result.outcome) + "\n";
  made.json = json.end().field("lasts_s", lasts).end().text();
  if (!rows.empty()) {
    report::Plot plot = plot_of(result, figure, rows);
    add_levels(plot, scenario, figure);
    made.page.add(std::move(plot));
  }
  made.page.add_text(summary);
  return made;
}

Reproduction reproduce_figure(const Figure& figure, const ReproduceOptions& options) {
  report::Page page(figure.title);
  return reproduce_figure(figure, options, std::move(page));
}

const Figure kNavigation{"fig-5-assist", "Navigation errors", {{"e_x", "m"}, {"e_y", "m"}, {"e_yaw", "rad"}}, StateName::NavigateToHuman, "",
                         "errors in x, y and about z converge mostly smoothly; a slight jump in y at the end, close to the person"};
const Figure kTablet{"fig-7-assist", "Face to tablet", {{"tablet_angle", "rad"}}, StateName::IntentCommunication, "shoulder",
                     "shortly after the state begins the face turns to the tablet"};
const Figure kLeftArm{"fig-8", "Residual of the left arm", {{"r_shoulder", "rad"}, {"rf_shoulder", "rad"}}, StateName::MakeContact, "shoulder",
                      "the contact is detected when the residual reaches its threshold, and held for several seconds"};
const Figure kRightArm{"fig-9", "Residual of the right arm", {{"r_hand", "rad"}, {"rf_hand", "rad"}}, StateName::MakeContact, "hand",
                       "the hand that the person gives is detected, the gripper closes slightly, the contact is held for a few seconds"};

// `figure` after another source's figure of the same number.
void append_figure(const Figure& figure, const ReproduceOptions& options, Reproduction& result) {
  result.page.add_heading(std::string("Bolotnikova et al. 2020: ") + figure.title);
  Reproduction made = reproduce_figure(figure, options, std::move(result.page));
  result.page = std::move(made.page);
  result.text += "\nBolotnikova et al. 2020\n\n" + made.text;
  model::JsonWriter json;
  json.object().members(result.json).key("assist").document(made.json).end();
  result.json = json.text();
}

}  // namespace

Reproduction figure_5_assist(const ReproduceOptions& options) { return reproduce_figure(kNavigation, options); }
Reproduction figure_7_assist(const ReproduceOptions& options) { return reproduce_figure(kTablet, options); }
Reproduction figure_8(const ReproduceOptions& options) { return reproduce_figure(kLeftArm, options); }
Reproduction figure_9(const ReproduceOptions& options) { return reproduce_figure(kRightArm, options); }

void add_figure_5_assist(const ReproduceOptions& options, Reproduction& result) { append_figure(kNavigation, options, result); }
void add_figure_7_assist(const ReproduceOptions& options, Reproduction& result) { append_figure(kTablet, options, result); }

}  // namespace prehend::reproduce
