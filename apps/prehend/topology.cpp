// topology: which joints does an object have, from poses and wrenches while hands move it?
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/scene_writer.h>
#include <prehend/model/topology_log.h>
#include <prehend/topology/diagnosed_topology.h>
#include <prehend/topology/found_scene.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/pages.h>
#include <prehend/topology/source_algorithm.h>

namespace prehend::cli {
namespace {

struct TopologyState {
  std::string object, log;
  std::vector<std::string> gravity, friction, held, types;
  std::string base{"free"}, method{"ours"};
  bool online{false};
};

topology::TopologyOptions options_of(const TopologyState& state, const Shared& shared) {
  topology::TopologyOptions options;
  if (!state.types.empty()) options.types = topology::hypothesis_types(state.types);
  if (!state.friction.empty()) {
    options.largest_friction_torque = number_of("--friction", state.friction[0]);
    options.largest_friction_force = number_of("--friction", state.friction[1]);
  }
  options.threads = shared.threads;
  options.validate();
  return options;
}

Answer source_answer(const topology::ArticulatedObject& object, const topology::Recording& recording) {
  const topology::SourceResult result = topology::source_algorithm(object, recording);
  return answer_of(result, result.time_ms, result.reason);
}

// Writes the object with the joints found, and the page; adds what was written to the answer.
void write_files(const model::Scene& scene, const topology::ArticulatedObject& object,
                 const topology::DiagnosedTopology& made, const TopologyState& state,
                 const std::string& folder, Answer& answer) {
  prepare_output_folder(folder);
  const std::string urdf = folder + "/object.urdf", mjcf = folder + "/object.xml";
  const model::Scene found = topology::found_scene(scene, object, made.recording, made.result.joints);
  model::write_urdf(found, urdf);
  model::write_mjcf(found, mjcf);
  write_page(topology::topology_page(found, object, made.recording, made.result, state.log), folder,
             state.log);
  add_files(answer, {{"urdf", urdf}, {"mjcf", mjcf}});
}

Answer answer(const TopologyState& state, const Shared& shared) {
  if (state.base != "free" && state.base != "fixed")
    throw UsageError("--base is '" + state.base + "'; it must be free or fixed");
  if (state.method != "ours" && state.method != "source")
    throw UsageError("--method is '" + state.method + "'; it must be ours or source");
  const topology::TopologyOptions options = options_of(state, shared);
  const model::Scene scene =
      topology::read_object_scene(state.object, model::read_topology_log(state.log).links());
  const topology::ArticulatedObject object = topology::object_of(scene, state.object);
  topology::RecordingSetting setting{scene.gravity_W, state.base == "fixed", state.held};
  if (!state.gravity.empty()) setting.gravity_W = vector_of("--gravity", state.gravity);
  const topology::Recording recording = topology::read_recording(state.log, object, setting);
  if (state.method == "source") return source_answer(object, recording);
  const Stopwatch stopwatch;
  topology::DiagnosedTopology made = topology::diagnose_and_estimate(object, recording, options);
  const double time_ms = stopwatch.milliseconds();
  if (state.online) {
    topology::OnlineTopologyOptions online;
    online.topology = options;
    made.online = topology::replay_topology(object, made.recording, online);
  }
  Answer answer{ExitCode::answer, to_string(made.result.status), time_ms, made.to_json(),
                made.brief_report()};
  if (!shared.out.empty()) write_files(scene, object, made, state, shared.out, answer);
  if (made.result.status == topology::TopologyStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = made.reason();
  return answer;
}

}  // namespace

Verb topology_verb() {
  const auto state = std::make_shared<TopologyState>();
  return {"topology", "Which joints does it have, from poses and wrenches while hands move it?",
          "prehend topology data/topology/three_links.xml data/topology/three_links.csv",
          [state](Arguments& arguments) {
            arguments.positional("OBJECT", state->object,
                                 "MJCF, URDF or SDF: links and inertias; its joint types are ignored");
            arguments.positional(
                "LOG", state->log,
                "CSV: t, poses l0_x..l0_qz, l1_..., wrenches fl_x..tl_z on the first link, fr_x..tr_z on "
                "the last, on the object, each in its link's frame about its origin");
            arguments.words("--gravity", "x y z", state->gravity,
                            "[m/s^2] In the log's world; without: the object file's");
            arguments.option("--base", state->base,
                             "free, or fixed: what holds the first link is unknown, unless fl_... is it");
            arguments.option("--method", state->method,
                             "ours, or source: Algorithm 1 of Tirupachuri et al., all 2^n combinations");
            arguments.option("--held", state->held,
                             "Links that the log's wrenches act on, in its order; without: first and last");
            arguments.words("--friction", "TORQUE FORCE", state->friction,
                            "[N m] [N] that joints may have; a joint that stood still under less is "
                            "undetermined; 0.1 1 without");
            arguments.option("--types", state->types,
                             "Hypotheses: fixed, prismatic, revolute, screw, spherical; all without");
            arguments.flag("--online", state->online,
                           "Also row by row: when was each joint identified, and what to push next");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
