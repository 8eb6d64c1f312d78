// Source T, figures 4 and 5: hypothesis errors of the two objects, ten trials each, and what moving the frames does.
//
// The source prints bars without numbers: in every trial the right hypothesis has the smaller error. Its algorithm takes the hinge through
// the child's origin and the slide along the line between the origins; the objects here are made so (see sample_object.h), anchored as in the
// source, or floating in two hands. With the frames of the links moved and turned, nothing else changed, its errors mean
// little. Ours estimates axes and points; its errors are the same sums in the weak form. Between the source's two hypotheses both must choose;
// among all five types ours may say that a joint is undetermined: a hinge that turned about one axis under no moment across it may
// be a ball, for all that was felt.
#include <array>
#include <cstdio>

#include "reproduction.h"
#include "topology_trials.h"
#include <prehend/model/json_writer.h>
#include <prehend/topology/felt_topology.h>
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
  const topology::FeltTopology felt = topology::feel_topology(made.object, made.recording, options);
  Errors errors;
  const topology::FoundJoint& joint = felt.result.joints[0];
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

// Adds text and page to what is there, and puts its own JSON in place.
void add_figure(JointType type, const char* id, const ReproduceOptions& options, Reproduction& result) {
  options.validate();
  model::JsonWriter json;
  json.object().field("id", id).field("object", to_string(type)).field("runs", options.runs);
  json.key("settings").array();
  char line[320];
  for (const bool frames_moved : {false, true}) {
    for (const bool anchored : {true, false}) {
      const std::string setting =
          std::string(anchored ? "anchored" : "floating") +
          (frames_moved ? ", frames moved and turned" : ", frames as the source needs them");
      result.text += setting +
                     "\n  trial  push [N]  at [Hz]    source: prismatic     revolute      ours: prismatic    "
                     " revolute\n";
      json.object().field("anchored", anchored).field("frames_moved", frames_moved).key("trials").array();
      std::array<int, 2> right{}, smaller{};
      int told_right = 0, told_wrong = 0;
      std::vector<Errors> of_source, of_ours;
      for (int k = 0; k < options.runs; ++k) {
        const TopologyTrial trial = topology_trial({type, anchored, frames_moved, options.seed, k});
        of_source.push_back(by_source(trial.made));
        of_ours.push_back(by_ours(trial.made, options, false));
        const JointType among_all = by_ours(trial.made, options, true).type;
        told_right += among_all == type;
        told_wrong += among_all != type && among_all != JointType::free;
        const std::array<const Errors*, 2> both{&of_source.back(), &of_ours.back()};
        for (std::size_t m = 0; m < 2; ++m) {
          right[m] += both[m]->type == type;
          smaller[m] += (both[m]->prismatic < both[m]->revolute) == (type == JointType::prismatic);
        }
        std::snprintf(line, sizeof line, "  %5d %9.3f %8.3f %20.4g %12.4g %20.4g %12.4g%s%s\n", k + 1,
                      trial.amplitude, trial.frequency, both[0]->prismatic, both[0]->revolute,
                      both[1]->prismatic, both[1]->revolute, both[0]->type == type ? "" : "  source is wrong",
                      both[1]->type == type ? "" : "  ours does not tell");
        result.text += line;
        json.object().field("amplitude_N", trial.amplitude).field("frequency_Hz", trial.frequency);
        for (std::size_t m = 0; m < 2; ++m) {
          json.key(m == 0 ? "source" : "ours").object().field("prismatic", both[m]->prismatic);
          json.field("revolute", both[m]->revolute).field("right", both[m]->type == type).end();
        }
        json.end();
      }
      std::snprintf(
          line, sizeof line,
          "  right: source %d of %d, ours %d of %d; the right hypothesis has the smaller error: %d and %d\n"
          "  ours among all five types: %d right, %d undetermined, %d wrong\n\n",
          right[0], options.runs, right[1], options.runs, smaller[0], smaller[1], told_right,
          options.runs - told_right - told_wrong, told_wrong);
      result.text += line;
      json.end().field("source_right", right[0]).field("ours_right", right[1]);
      json.field("source_smaller", smaller[0]).field("ours_smaller", smaller[1]);
      json.field("ours_right_of_five", told_right).field("ours_wrong_of_five", told_wrong).end();
      result.page.add_heading(setting);
      result.page.add_text("Right: source " + std::to_string(right[0]) + ", ours " +
                           std::to_string(right[1]) + " of " + std::to_string(options.runs) + ".");
      result.page.add(bars("source", of_source), report::Width::half)
          .add(bars("ours", of_ours), report::Width::half);
    }
  }
  result.text += "source: the right hypothesis has the smaller error in 10 of 10 trials (anchored)\n";
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
  std::string json = result.json;
  result.text = "Burka and Lee: tree and types of random objects\n\n" + result.text +
                "\nSource T: hypothesis errors of a prismatic object in the hands\n\n";
  result.page.add_heading("Tirupachuri et al., figure 5: a prismatic object in the hands");
  add_figure(JointType::prismatic, "fig-5-topology", options, result);
  json.pop_back();  // the brace that closes the object
  result.json = json + ",\"topology\":" + result.json + "}";
  return result;
}

}  // namespace prehend::reproduce
