#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "output_folder.h"
#include "verb.h"
#include <prehend/inertia/pages.h>
#include <prehend/inertia/still_poses.h>
#include <prehend/math/enum_text.h>
#include <prehend/model/files.h>
#include <prehend/model/json_writer.h>

namespace prehend::cli {
namespace {

struct ExciteState {
  std::string file, link, criterion{"d"};
  int still{0};
  inertia::ExcitationOptions plan;
  std::vector<std::string> centre, sensor, start, workspace, keep_out;
  double floor{std::numeric_limits<double>::quiet_NaN()};
};

Eigen::AlignedBox3d box_of(const char* option, const std::vector<std::string>& words) {
  return {vector_of(option, words), vector_of(option, words, 3)};
}

inertia::ExcitationOptions options_of(const ExciteState& state, const Shared& shared) {
  inertia::ExcitationOptions options = state.plan;
  options.seed = shared.seed;
  options.threads = shared.threads;
  const auto criterion = from_string<inertia::Criterion>(state.criterion + "_optimal");
  if (!criterion) throw UsageError("--criterion: '" + state.criterion + "' is none of d, a");
  options.criterion = *criterion;
  if (!state.centre.empty()) options.object.centre_S = vector_of("--centre", state.centre);
  if (!state.start.empty()) {
    options.start.emplace(static_cast<Eigen::Index>(state.start.size()));
    for (std::size_t i = 0; i < state.start.size(); ++i)
      (*options.start)[static_cast<Eigen::Index>(i)] = number_of("--start", state.start[i]);
  }
  if (!state.workspace.empty()) options.limits.workspace_W = box_of("--workspace", state.workspace);
  if (!std::isnan(state.floor)) options.limits.keep_above(state.floor);
  if (!state.keep_out.empty()) options.limits.keep_out_W.push_back(box_of("--keep-out", state.keep_out));
  return options;
}

Answer answer(const ExciteState& state, const Shared& shared) {
  const inertia::ExcitationOptions options = options_of(state, shared);
  const model::Scene scene = model::read_scene(state.file);
  const math::Pose X_LS =
      state.sensor.empty() ? math::Pose() : math::Pose::translation(vector_of("--sensor", state.sensor));
  const model::JointChain chain = model::joint_chain(scene, state.link, X_LS);
  const Stopwatch stopwatch;
  const inertia::Excitation plan = state.still != 0 ? inertia::plan_still_poses(chain, state.still, options)
                                                    : inertia::plan_excitation(chain, options);
  const double time_ms = stopwatch.milliseconds();
  const bool is_planned = plan.status == inertia::ExcitationStatus::ok;
  model::JsonWriter json;
  json.object().members(plan.to_json()).key("trajectory");
  if (!shared.out.empty() && is_planned) {
    const std::string trajectory = shared.out + "/trajectory.csv", page_path = shared.out + "/report.html";
    write_page(inertia::excitation_page(scene, chain, plan, options), shared.out, state.file);
    model::write_file(trajectory, plan.plan.trajectory.csv(plan.joints));
    json.value(trajectory).key("files").object().field("trajectory", trajectory).field("report", page_path);
    json.end();
  } else {
    json.null();
  }
  json.end();
  Answer answer{is_planned ? ExitCode::answer : ExitCode::no_answer, to_string(plan.status), time_ms,
                json.text(), plan.brief_report()};
  answer.error = joined(plan.problems);
  return answer;
}

void declare(Arguments& arguments, ExciteState& state) {
  inertia::ExcitationOptions& plan = state.plan;
  arguments.positional("ROBOT", state.file, "Robot model: URDF, MJCF or SDF");
  arguments.option("--link", state.link,
                   "Link that carries the sensor; without: the end of the longest chain");
  arguments.words("--sensor", "x y z", state.sensor, "Sensor's origin in the link's frame [m]");
  arguments.option("--still", state.still, "Stop-and-go: this many still poses instead of a motion");
  arguments.option("--dwell", plan.dwell, "Stop-and-go: standing still at each pose [s]");
  arguments.option("--duration", plan.duration, "Of the motion [s]");
  arguments.option("--rate", plan.rate, "Samples per second [Hz]");
  arguments.option("--frequency", plan.max_frequency, "Highest frequency of any joint [Hz]");
  arguments.option("--speed", plan.limits.tool_speed, "Of the sensor and of every point of the object [m/s]");
  arguments.option("--joint-speed", plan.limits.joint_speed,
                   "Of any joint, where its model allows more [rad/s]");
  arguments.option("--joint-acceleration", plan.limits.joint_acceleration, "Of any joint [rad/s^2]");
  arguments.option("--mass", plan.object.mass, "Expected mass of the object [kg]");
  arguments.option("--size", plan.object.size, "Diameter of a ball that holds the object [m]");
  arguments.words("--centre", "x y z", state.centre,
                  "Centre of that ball in the sensor's frame [m]; without: ahead along z");
  arguments.option("--floor", state.floor, "The object stays above this height of the world [m]");
  arguments.words("--workspace", "x0 y0 z0 x1 y1 z1", state.workspace,
                  "The object stays inside this box of the world [m]");
  arguments.words("--keep-out", "x0 y0 z0 x1 y1 z1", state.keep_out,
                  "The object stays outside of this box of the world [m]");
  arguments.option("--force-noise", plan.noise.force, "Of the sensor, per sample and axis [N]");
  arguments.option("--torque-noise", plan.noise.torque, "Of the sensor, per sample and axis [N m]");
  arguments.flag("--bias", plan.noise.has_bias, "The sensor has an unknown constant bias");
  arguments.option("--start", state.start, "Joint positions to begin and end at, comma-separated [rad or m]");
  arguments.option("--criterion", state.criterion,
                   "d: volume of the confidence region; a: mean relative variance");
  arguments.option("--starts", plan.starts, "Searches from different beginnings");
}

}  // namespace

Verb excite_verb() {
  const auto state = std::make_shared<ExciteState>();
  return {"excite", "Which motion determines best what I hold?",
          "prehend excite data/robots/arm6.urdf --floor 0 --mass 0.5 --size 0.15",
          [state](Arguments& arguments) { declare(arguments, *state); },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
