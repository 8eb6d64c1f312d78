// T, figures 4 and 5: hypothesis errors of the two objects, ten trials each, and what moving the frames does.
//
// T prints bars without numbers: in every trial the right hypothesis has the smaller error. Its algorithm takes the hinge
// through the child's origin and the slide along the line between the origins; the objects here are made so (see
// sample_object.h), anchored as in T, or floating in two hands. With the frames of the links moved and turned, nothing else
// changed, its errors mean little. Ours estimates axes and points; its errors are the same sums in the weak form. Between the
// two hypotheses of T both must choose; among all five types ours may say that a joint is undetermined: a hinge that turned
// about one axis under no moment across it may be a ball, for all that was recorded.
#include <array>
#include <cstdio>

#include "reproduction.h"
#include "topology_trials.h"
#include <prehend/math/progress.h>
#include <prehend/model/json_writer.h>
#include <prehend/topology/diagnosed_topology.h>
#include <prehend/topology/source_algorithm.h>

namespace prehend::reproduce {
namespace {

using model::JointType;

struct Errors {
  double prismatic{0.0}, revolute{0.0};
  JointType type{JointType::free};
};

Errors by_source(const topology::SimulatedRecording& made) {
  const topology::SourceResult result = topology::source_algorithm(made.object, made.recording);
  return {result.joints[0].prismatic_error, result.joints[0].revolute_error, result.joints[0].type};
}

Errors by_ours(const topology::SimulatedRecording& made, const ReproduceOptions& reproduce, bool all_types) {
  topology::TopologyOptions options;
  options.threads = reproduce.threads;
  if (!all_types) options.types = {JointType::prismatic, JointType::revolute};
  const topology::DiagnosedTopology found =
      topology::diagnose_and_estimate(made.object, made.recording, options);
  Errors errors;
  const topology::FoundJoint& joint = found.result.joints[0];
  if (joint.status == topology::TopologyStatus::ok) errors.type = joint.type;
  for (const topology::JointHypothesis& h : joint.hypotheses) {
    if (h.type == JointType::prismatic) errors.prismatic = h.error;
    if (h.type == JointType::revolute) errors.revolute = h.error;
  }
  return errors;
}

report::Plot bars(const std::string& title, const std::vector<Errors>& errors) {
  report::Plot plot;
  plot.title = title;
  plot.kind = report::Plot::Kind::xy;
  plot.x_label = "trial";
  plot.x_unit = "";
  plot.y_label = "hypothesis error";
  plot.logarithmic_y = true;
  report::Series prismatic{"prismatic hypothesis", {}, {}, report::Series::Style::line_and_points, {}},
      revolute = prismatic;
  revolute.name = "revolute hypothesis";
  for (std::size_t k = 0; k < errors.size(); ++k) {
    plot.x.push_back(static_cast<double>(k + 1));
    prismatic.y.push_back(errors[k].prismatic);
    revolute.y.push_back(errors[k].revolute);
  }
  plot.series = {prismatic, revolute};
  return plot;
}

struct Setting {
  JointType type;
  bool anchored, frames_moved;

  std::string name() const {
    return std::string(anchored ? "anchored" : "floating") +
           (frames_moved ? ", frames moved and turned" : ", frames as the algorithm needs them");
  }
};

// How often each method is right over the trials of a setting: [source, ours].
struct Tally {
  std::array<int, 2> right{}, smaller{};
  int identified{0}, wrong{0};  // ours among all five types
  std::vector<Errors> of_source, of_ours;

  void add(const TopologyTrial& trial, JointType type, const ReproduceOptions& options) {
    of_source.push_back(by_source(trial.made));
    of_ours.push_back(by_ours(trial.made, options, false));
    const JointType among_all = by_ours(trial.made, options, true).type;
    identified += among_all == type;
    wrong += among_all != type && among_all != JointType::free;
    for (std::size_t m = 0; m < 2; ++m) {
      const Errors& errors = last(m);
      right[m] += errors.type == type;
      smaller[m] += (errors.prismatic < errors.revolute) == (type == JointType::prismatic);
    }
  }
  const Errors& last(std::size_t method) const { return method == 0 ? of_source.back() : of_ours.back(); }
};

std::string trial_line(const TopologyTrial& trial, int number, const Tally& tally, JointType type) {
  const Errors &source = tally.last(0), &ours = tally.last(1);
  char line[320];
  std::snprintf(line, sizeof line, "  %5d %9.3f %8.3f %20.4g %12.4g %20.4g %12.4g%s%s\n", number,
                trial.amplitude, trial.frequency, source.prismatic, source.revolute, ours.prismatic,
                ours.revolute, source.type == type ? "" : "  Algorithm 1 is wrong",
                ours.type == type ? "" : "  ours leaves it open");
  return line;
}

void write_trial(model::JsonWriter& json, const TopologyTrial& trial, const Tally& tally, JointType type) {
  json.object().field("amplitude_N", trial.amplitude).field("frequency_Hz", trial.frequency);
  for (std::size_t m = 0; m < 2; ++m) {
    json.key(m == 0 ? "source" : "ours").object().field("prismatic", tally.last(m).prismatic);
    json.field("revolute", tally.last(m).revolute).field("right", tally.last(m).type == type).end();
  }
  json.end();
}

void add_setting(const Setting& setting, const ReproduceOptions& options, model::JsonWriter& json,
                 Reproduction& result) {
  result.text += setting.name() +
                 "\n  trial  push [N]  at [Hz]    Algorithm 1: prismatic  revolute    ours: prismatic    "
                 " revolute\n";
  json.object().field("anchored", setting.anchored).field("frames_moved", setting.frames_moved);
  json.key("trials").array();
  Tally tally;
  for (int k = 0; k < options.runs; ++k) {
    const TopologyTrial trial =
        topology_trial({setting.type, setting.anchored, setting.frames_moved, options.seed, k});
    tally.add(trial, setting.type, options);
    result.text += trial_line(trial, k + 1, tally, setting.type);
    write_trial(json, trial, tally, setting.type);
  }
  char line[320];
  std::snprintf(
      line, sizeof line,
      "  right: Algorithm 1 %d of %d, ours %d of %d; the right hypothesis has the smaller error: %d and %d\n"
      "  ours among all five types: %d right, %d undetermined, %d wrong\n\n",
      tally.right[0], options.runs, tally.right[1], options.runs, tally.smaller[0], tally.smaller[1],
      tally.identified, options.runs - tally.identified - tally.wrong, tally.wrong);
  result.text += line;
  json.end().field("source_right", tally.right[0]).field("ours_right", tally.right[1]);
  json.field("source_smaller", tally.smaller[0]).field("ours_smaller", tally.smaller[1]);
  json.field("ours_right_of_five", tally.identified).field("ours_wrong_of_five", tally.wrong).end();
  result.page.add_heading(setting.name());
  result.page.add_text("Right: Algorithm 1 " + std::to_string(tally.right[0]) + ", ours " +
                       std::to_string(tally.right[1]) + " of " + std::to_string(options.runs) + ".");
  result.page.add(bars("Algorithm 1", tally.of_source), report::Width::half)
      .add(bars("ours", tally.of_ours), report::Width::half);
}

// Adds text and page to what is there, and puts its own JSON in place.
void add_figure(JointType type, const char* id, const ReproduceOptions& options, Reproduction& result) {
  options.validate();
  model::JsonWriter json;
  json.object().field("id", id).field("object", to_string(type)).field("runs", options.runs);
  json.key("settings").array();
  for (const bool frames_moved : {false, true})
    for (const bool anchored : {true, false})
      add_setting({type, anchored, frames_moved}, options, json, result);
  result.text += "published: the right hypothesis has the smaller error in 10 of 10 trials (anchored)\n";
  result.json = json.end().end().text();
}

Reproduction figure(JointType type, const char* id, const ReproduceOptions& options) {
  Reproduction result;
  result.page = report::Page(std::string("Which joint is it? A ") + to_string(type) + " object");
  result.page.set_subtitle(type == JointType::revolute ? "Tirupachuri et al., figure 4, and here"
                                                       : "Tirupachuri et al., figure 5, and here");
  add_figure(type, id, options, result);
  return result;
}

}  // namespace

Reproduction figure_4_topology(const ReproduceOptions& options) {
  return figure(JointType::revolute, "fig-4", options);
}
Reproduction figure_5_topology(const ReproduceOptions& options) {
  return figure(JointType::prismatic, "fig-5-topology", options);
}

Reproduction figure_5(const ReproduceOptions& options) {
  Reproduction result = figure_5_discovery(options);
  const std::string discovery = result.json;
  result.text = "Burka and Lee: tree and types of random objects\n\n" + result.text +
                "\nTirupachuri et al.: hypothesis errors of a prismatic object in the hands\n\n";
  result.page.add_heading("Tirupachuri et al., figure 5: a prismatic object in the hands");
  add_figure(JointType::prismatic, "fig-5-topology", options, result);
  model::JsonWriter json;
  json.object().members(discovery).key("topology").document(result.json).end();
  result.json = json.text();
  add_figure_5_assist(options, result);
  return result;
}

}  // namespace prehend::reproduce
