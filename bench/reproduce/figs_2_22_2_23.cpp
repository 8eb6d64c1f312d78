// L, figures 2.22 and 2.23: the peg insertion, its states with their eight numbers, the transitions with sub-skills, the critical one.
//
// From exact poses, and from the published recording where it is there: ours and the source's own pipeline.
#include <cstdio>
#include <filesystem>

#include "peg_insertion.h"
#include "recorded_data.h"
#include "reproduction.h"
#include <prehend/math/angles.h>
#include <prehend/model/json_writer.h>
#include <prehend/observation/pages.h>
#include <prehend/observation/polyhedron_contacts.h>

namespace prehend::reproduce {
namespace {

observation::BodyPair peg_and_hole() {
  return {geometry::Polyhedron::from_mesh(peg_mesh()), geometry::Polyhedron::from_mesh(hole_mesh())};
}

// Lines of text; true where numbers and sub-skills are those in print.
bool exact_states(std::string& text, model::JsonWriter& json) {
  const observation::BodyPair pair = peg_and_hole();
  const std::vector<PegState> states = peg_states();
  std::vector<observation::MotionFreedom> freedoms;
  for (const PegState& state : states)
    freedoms.push_back(observation::motion_freedom(
        observation::find_contacts(pair.moving(), state.X_FM, pair.fixed(), math::Pose()).relation));
  bool agrees = true;
  json.key("exact").array();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::string numbers = freedoms[i].eight_numbers();
    const std::string skills =
        i + 1 < states.size() ? observation::transition_between(freedoms[i], freedoms[i + 1]).text() : "";
    const bool same = numbers == states[i].numbers && skills == states[i].skills;
    agrees = agrees && same;
    text += std::string("  ") + states[i].name + "  " + numbers + " (" + states[i].numbers + ")  " + skills +
            (same ? "\n" : "  differs\n");
    json.object().field("state", std::string(1, states[i].name)).field("numbers", numbers);
    json.field("printed", states[i].numbers).field("skills", skills).field("same", same).end();
  }
  json.end();
  return agrees;
}

void add_recorded(const observation::BodyPair& pair, const observation::Recording& recording,
                  observation::WatchMethod method, Reproduction& result, model::JsonWriter& json, bool& agrees) {
  observation::WatchOptions options;
  options.method = method;
  const observation::Watched watched = observation::watch(pair, recording, options);
  double moved = 0.0, turned = 0.0, most_moved = 0.0, most_turned = 0.0;
  int touching = 0, lost = 0;
  for (const observation::WatchedFrame& frame : watched.frames) {
    // Not corrected, or (source) left out because no practical transition leads there.
    lost += frame.status != observation::CorrectionStatus::ok || frame.state < 0;
    if (frame.status != observation::CorrectionStatus::ok || (frame.moved_m == 0.0 && frame.turned_rad == 0.0)) continue;
    ++touching;
    moved += frame.moved_m;
    turned += frame.turned_rad;
    most_moved = std::max(most_moved, frame.moved_m);
    most_turned = std::max(most_turned, frame.turned_rad);
  }
  std::string order, wanted;
  for (const observation::WatchedState& state : watched.states) order += state.freedom.eight_numbers() + "; ";
  for (const PegState& state : peg_states()) wanted += std::string(state.numbers) + "; ";
  char line[300];
  std::snprintf(line, sizeof line,
                "%s: %zu states (%s), %d scenes lost, %d corrected by %.2f mm and %.2f deg in the mean, %.2f mm and %.2f deg at most\n",
                to_string(method), watched.states.size(), order == wanted ? "the eight in order" : "not the eight in order", lost,
                touching, 1e3 * moved / std::max(1, touching), math::degrees(turned) / std::max(1, touching), 1e3 * most_moved,
                math::degrees(most_turned));
  result.text += line + watched.brief_report();
  json.object().field("method", to_string(method)).field("eight_in_order", order == wanted).field("lost", lost);
  json.field("mean_mm", 1e3 * moved / std::max(1, touching)).field("mean_deg", math::degrees(turned) / std::max(1, touching));
  json.field("most_mm", 1e3 * most_moved).field("most_deg", math::degrees(most_turned)).end();
  if (method == observation::WatchMethod::least) {
    agrees = agrees && order == wanted && lost == 0;
    result.page = observation::watch_page(pair, watched);
  }
}

Reproduction insertion(const std::string& id, const ReproduceOptions& options) {
  options.validate();
  Reproduction result;
  result.page = report::Page("The peg insertion");
  model::JsonWriter json;
  json.object().field("id", id);
  result.text = "From exact poses: eight numbers here (in print), and what is done next\n";
  bool agrees = exact_states(result.text, json);
  json.key("recorded").array();
  const std::string folder = recorded_data(options.data);
  if (std::filesystem::exists(folder + "/peg_in_hole/peg_in_hole.pose.list")) {
    result.text += "\nFrom the published recording of 41 scenes (an independent least-motion reference: 0.8 mm and 2.0 deg in the "
                   "mean, 3.6 mm and 4.8 deg at most)\n";
    const observation::BodyPair pair = peg_and_hole();
    const observation::Recording recording = recorded_insertion(folder);
    add_recorded(pair, recording, observation::WatchMethod::least, result, json, agrees);
    add_recorded(pair, recording, observation::WatchMethod::source, result, json, agrees);
  } else {
    result.text += "\nThe published recording is not in " + folder + "/peg_in_hole: --data names its folder\n";
  }
  result.page.set_subtitle("Takamatsu 2004, figures 2.22 and 2.23, and here");
  result.json = json.end().field("agrees", agrees).end().text();
  return result;
}

}  // namespace

Reproduction figure_2_22(const ReproduceOptions& options) { return insertion("fig-2.22", options); }
Reproduction figure_2_23(const ReproduceOptions& options) { return insertion("fig-2.23", options); }

}  // namespace prehend::reproduce
