#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "output_folder.h"
#include "verb.h"
#include <prehend/inertia/pages/excitation_page.h>
#include <prehend/inertia/still_poses.h>
#include <prehend/model/files.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {
namespace {

struct State {
  std::string file, link, criterion{"d"};
  int still{0};
  inertia::ExcitationOptions plan;
  bool bias{false};
  std::vector<std::string> centre, sensor, start, workspace, keep_out;
  double floor{std::numeric_limits<double>::quiet_NaN()};
};

double number_of(const char* option, const std::string& word) {
  std::size_t read = 0;
  double value = 0.0;
  try {
    value = std::stod(word, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || read != word.size() || !std::isfinite(value)) {
    throw UsageError(std::string(option) + ": '" + word + "' is not a number");
  }
  return value;
}

inertia::ExcitationOptions options_of(const State& state, const Shared& shared) {
  inertia::ExcitationOptions options = state.plan;
  options.noise.has_bias = state.bias;
  options.seed = shared.seed;
  options.threads = shared.threads;
  if (state.criterion != "d" && state.criterion != "a") {
    throw UsageError("--criterion: '" + state.criterion + "' is none of d, a");
  }
  options.criterion = state.criterion == "d" ? inertia::Criterion::d_optimal : inertia::Criterion::a_optimal;
  if (!state.centre.empty()) options.object.centre_S = vector_of("--centre", state.centre);
  if (!state.start.empty()) {
    Eigen::VectorXd start(static_cast<Eigen::Index>(state.start.size()));
    for (std::size_t i = 0; i < state.start.size(); ++i)
      start[static_cast<Eigen::Index>(i)] = number_of("--start", state.start[i]);
    options.start = start;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!state.workspace.empty()) {
    options.limits.workspace_W = Eigen::AlignedBox3d(vector_of("--workspace", state.workspace),
                                                     vector_of("--workspace", state.workspace, 3));
  }
  if (!std::isnan(state.floor)) {
    if (!options.limits.workspace_W) {
      options.limits.workspace_W =
          Eigen::AlignedBox3d(Eigen::Vector3d::Constant(-kInfinity), Eigen::Vector3d::Constant(kInfinity));
    }
    double& z = options.limits.workspace_W->min().z();
    z = std::max(z, state.floor);
  }
  if (!state.keep_out.empty()) {
    options.limits.keep_out_W.emplace_back(vector_of("--keep-out", state.keep_out),
                                           vector_of("--keep-out", state.keep_out, 3));
  }
  return options;
}

Answer answer(const State& state, const Shared& shared) {
  const inertia::ExcitationOptions options = options_of(state, shared);
  const model::Scene scene = model::read_scene(state.file);
  const math::Pose X_LS =
      state.sensor.empty() ? math::Pose() : math::Pose::translation(vector_of("--sensor", state.sensor));
  const model::JointChain chain = model::joint_chain(scene, state.link, X_LS);
  const Stopwatch stopwatch;
  const inertia::Excitation plan = state.still != 0 ? inertia::plan_still_poses(chain, state.still, options)
                                                    : inertia::plan_excitation(chain, options);
  const double time_ms = stopwatch.milliseconds();
  const bool is_planned = plan.status == inertia::ExcitationStatus::planned;
  auto document = nlohmann::ordered_json::parse(plan.to_json());
  document["link"] = chain.link_name;
  document["trajectory"] = nullptr;
  if (!shared.out.empty() && is_planned) {
    prepare_output_folder(shared.out);
    model::write_file(shared.out + "/trajectory.csv", plan.plan.trajectory.csv(plan.joints));
    report::Page page = inertia::excitation_page(scene, chain, plan, options);
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
    document["trajectory"] = shared.out + "/trajectory.csv";
    document["files"] = {{"trajectory", shared.out + "/trajectory.csv"},
                         {"report", shared.out + "/report.html"}};
  }
  Answer answer{is_planned ? ExitCode::answer : ExitCode::no_answer, is_planned ? "ok" : "infeasible", time_ms, document.dump(),
                "sensor on link '" + chain.link_name + "'\n" + plan.brief_report()};
  if (is_planned) return answer;
  for (const std::string& problem : plan.problems)
    answer.error += (answer.error.empty() ? "" : "; ") + problem;
  return answer;
}

}  // namespace

Verb excite_verb() {
  const auto state = std::make_shared<State>();
  return {
      "excite", "Which motion tells most about what I hold?",
      "prehend excite data/robots/arm6.urdf --floor 0 --mass 0.5 --size 0.15",
      [state](Arguments& arguments) {
        inertia::ExcitationOptions& plan = state->plan;
        arguments.positional("ROBOT", state->file, "Robot model: URDF, MJCF or SDF");
        arguments.option("--link", state->link,
                         "Link that carries the sensor; without: the end of the longest chain");
        arguments.words("--sensor", "x y z", state->sensor, "Sensor's origin in the link's frame [m]");
        arguments.option("--still", state->still, "Stop-and-go: this many still poses instead of a motion");
        arguments.option("--dwell", plan.dwell, "Stop-and-go: standing still at each pose [s]");
        arguments.option("--duration", plan.duration, "Of the motion [s]");
        arguments.option("--rate", plan.rate, "Samples per second [Hz]");
        arguments.option("--frequency", plan.max_frequency, "Highest frequency of any joint [Hz]");
        arguments.option("--speed", plan.limits.tool_speed,
                         "Of the sensor and of every point of the object [m/s]");
        arguments.option("--joint-speed", plan.limits.joint_speed,
                         "Of any joint, where its model allows more [rad/s]");
        arguments.option("--joint-acceleration", plan.limits.joint_acceleration, "Of any joint [rad/s^2]");
        arguments.option("--mass", plan.object.mass, "Expected mass of the object [kg]");
        arguments.option("--size", plan.object.size, "Diameter of a ball that holds the object [m]");
        arguments.words("--centre", "x y z", state->centre,
                        "Centre of that ball in the sensor's frame [m]; without: ahead along z");
        arguments.option("--floor", state->floor, "The object stays above this height of the world [m]");
        arguments.words("--workspace", "x0 y0 z0 x1 y1 z1", state->workspace,
                        "The object stays inside this box of the world [m]");
        arguments.words("--keep-out", "x0 y0 z0 x1 y1 z1", state->keep_out,
                        "The object stays outside of this box of the world [m]");
        arguments.option("--force-noise", plan.noise.force, "Of the sensor, per sample and axis [N]");
        arguments.option("--torque-noise", plan.noise.torque, "Of the sensor, per sample and axis [N m]");
        arguments.flag("--bias", state->bias, "The sensor has an unknown constant bias");
        arguments.option("--start", state->start,
                         "Joint positions to begin and end at, comma-separated [rad or m]");
        arguments.option("--criterion", state->criterion,
                         "d: volume of the confidence region; a: mean relative variance");
        arguments.option("--starts", plan.starts, "Searches from different beginnings");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
