// topology: which joints does an object have, felt through the hands that hold it?
#include <algorithm>
#include <cmath>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_writer.h>
#include <prehend/report/write_report.h>
#include <prehend/topology/felt_topology.h>
#include <prehend/topology/found_scene.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/pages/topology_page.h>
#include <prehend/topology/replayed_topology.h>
#include <prehend/topology/source_algorithm.h>
#include <prehend/topology/topology_json.h>

namespace prehend::cli {
namespace {

struct State {
  std::string object, log;
  std::vector<std::string> gravity, friction, held, types;
  std::string base{"free"}, method{"ours"};
  bool online{false};
};

model::JointType type_of(const std::string& name) {
  for (const model::JointType type : topology::TopologyOptions{}.types)
    if (name == topology::hypothesis_name(type)) return type;
  throw UsageError("--types: no hypothesis is called '" + name +
                   "'; there are fixed, prismatic, revolute, screw and spherical");
}

topology::TopologyOptions options_of(const State& state, const Shared& shared) {
  topology::TopologyOptions options;
  if (!state.types.empty()) {
    options.types.clear();
    for (const std::string& name : state.types) options.types.push_back(type_of(name));
  }
  if (!state.friction.empty()) {
    options.largest_friction_torque = number_of("--friction", state.friction[0]);
    options.largest_friction_force = number_of("--friction", state.friction[1]);
    if (!(options.largest_friction_torque >= 0.0 && options.largest_friction_force >= 0.0))
      throw UsageError("--friction must be at least 0");
  }
  options.threads = shared.threads;
  return options;
}

topology::Recording recording_of(const State& state, const topology::ArticulatedObject& object,
                                 const model::Scene& scene) {
  topology::Recording recording =
      topology::recording_of(model::read_topology_log(state.log), object, state.log);
  recording.gravity_W = state.gravity.empty() ? scene.gravity_W : vector_of("--gravity", state.gravity);
  if (!state.held.empty()) {
    if (state.held.size() != recording.held.size())
      throw UsageError("--held names " + std::to_string(state.held.size()) + " links, the log has " +
                       std::to_string(recording.held.size()) + " wrenches");
    for (std::size_t h = 0; h < state.held.size(); ++h) {
      const auto link = std::find_if(object.links.begin(), object.links.end(),
                                     [&](const topology::Link& l) { return l.name == state.held[h]; });
      if (link == object.links.end()) {
        std::string known;
        for (const topology::Link& l : object.links) known += (known.empty() ? "" : ", ") + l.name;
        throw UsageError("--held: the object has no link '" + state.held[h] + "'; it has: " + known);
      }
      recording.held[h].link = static_cast<int>(link - object.links.begin());
    }
  }
  recording.base_is_fixed = state.base == "fixed";
  try {
    topology::validate(object, recording);
  } catch (const std::invalid_argument& error) {
    throw model::InputError(state.log, 0, error.what());
  }
  return recording;
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  return text;
}

Answer source_answer(const topology::ArticulatedObject& object, const topology::Recording& recording) {
  const topology::SourceResult result = topology::source_algorithm(object, recording);
  Answer answer{ExitCode::answer, "ok", result.time_ms, topology::source_json(result, object, recording),
                result.brief_report()};
  if (result.status == topology::SourceStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.status = "undetermined";
  answer.error = result.reason;
  return answer;
}

Answer answer(const State& state, const Shared& shared) {
  if (state.base != "free" && state.base != "fixed")
    throw UsageError("--base is '" + state.base + "'; it must be free or fixed");
  if (state.method != "ours" && state.method != "source")
    throw UsageError("--method is '" + state.method + "'; it must be ours or source");
  const topology::TopologyOptions options = options_of(state, shared);
  const model::Scene scene = topology::read_object_scene(state.object);
  const topology::ArticulatedObject object = topology::object_of(scene, state.object);
  const topology::Recording recording = recording_of(state, object, scene);
  if (state.method == "source") return source_answer(object, recording);
  const Stopwatch stopwatch;
  const topology::FeltTopology felt = topology::feel_topology(object, recording, options);
  const double time_ms = stopwatch.milliseconds();
  const topology::TopologyResult& result = felt.result;
  topology::TopologyFiles files;
  std::string written;
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    files.urdf = shared.out + "/object.urdf";
    files.mjcf = shared.out + "/object.xml";
    const model::Scene found = topology::found_scene(scene, object, felt.recording, result.joints);
    model::write_urdf(found, files.urdf);
    model::write_mjcf(found, files.mjcf);
    report::Page page = topology::topology_page(found, object, felt.recording, result, state.log);
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
    written = "wrote object.urdf, object.xml and report.html to " + shared.out + "\n";
  }
  if (state.online) {
    topology::OnlineTopologyOptions online;
    online.topology = options;
    const topology::ReplayedTopology replayed = topology::replay_topology(object, felt.recording, online);
    files.online = replayed.to_json();
    written += replayed.brief_report();
  }
  Answer answer{ExitCode::answer, to_string(result.status), time_ms,
                topology::topology_json(result, object, felt.recording, files),
                topology::topology_table(result, object) + written};
  if (result.status == topology::TopologyStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.status = "undetermined";
  if (felt.diagnosis.blocks()) {
    answer.error = joined(felt.diagnosis.sentences());
  } else {
    std::vector<std::string> reasons;
    for (const topology::FoundJoint& joint : result.joints)
      if (joint.status != topology::TopologyStatus::ok)
        reasons.push_back("joint '" + joint.name + "': " + joint.reason);
    answer.error = joined(reasons);
  }
  return answer;
}

}  // namespace

Verb topology_verb() {
  const auto state = std::make_shared<State>();
  return {
      "topology", "Which joints does it have, felt through the hands?",
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
        arguments.option(
            "--method", state->method,
            "ours, or source: Algorithm 1 of Tirupachuri et al., all 2^n combinations of raw differences");
        arguments.option("--held", state->held,
                         "Links that the log's wrenches act on, in its order; without: first and last");
        arguments.words("--friction", "TORQUE FORCE", state->friction,
                        "[N m] [N] that joints may have; a joint that stood still under less is "
                        "undetermined; 0.1 1 without");
        arguments.option("--types", state->types,
                         "Hypotheses: fixed, prismatic, revolute, screw, spherical; all without");
        arguments.flag("--online", state->online,
                       "Also feed the log row by row: when was each joint told, and what to push next");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
