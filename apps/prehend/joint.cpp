#include <algorithm>
#include <limits>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/articulation/evidence/world_handedness.h>
#include <prehend/articulation/selection.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/track_file.h>

namespace prehend::cli {
namespace {

struct State {
  std::string file;
  std::string fixed, moving;
  std::string type{"auto"};
  std::string criterion{"bic"};
  double radius_scale{articulation::SelectionOptions{}.radius_scale};
  double travel_scale{articulation::SelectionOptions{}.travel_scale};
  bool no_prior{false};
  double margin{articulation::SelectionOptions{}.margin};
  std::string noise{"estimated"};
};

model::PoseLog read_poses(const std::string& path) {
  const std::string bytes = model::read_file(path);
  if (model::looks_like_track(bytes)) return model::parse_track(bytes, path);
  return model::read_pose_log(path);
}

// Two parts seen from one world: mirrors and orders of quaternions show in their poses there.
std::string pair_contradiction(const model::PoseLog& log, const std::string& file,
                               const articulation::Observations& observations, model::JointType found) {
  if (!observations.fixed_is_measured || !observations.has_orientation) return "";
  const articulation::PartTracks tracks = articulation::part_tracks(log, file);
  const auto index = [&](const std::string& name) {
    return static_cast<int>(std::find_if(tracks.parts.begin(), tracks.parts.end(),
                                         [&](const auto& part) { return part.name == name; }) -
                            tracks.parts.begin());
  };
  return articulation::world_contradiction(tracks, index(observations.fixed), index(observations.moving),
                                           found);
}

Answer answer(const State& state, const Shared&) {
  articulation::SelectionOptions options;
  if (state.type != "auto") {
    const auto type = model::joint_type_from_name(state.type);
    if (!type) {
      throw UsageError(
          "--type is '" + state.type +
          "'; it must be auto, rigid, prismatic, revolute, screw, cylindrical, universal, spherical, "
          "planar or free");
    }
    options.types = {*type};
  }
  if (state.criterion == "aic") {
    options.criterion = articulation::Criterion::aic;
  } else if (state.criterion != "bic") {
    throw UsageError("--criterion is '" + state.criterion + "'; it must be bic or aic");
  }
  options.radius_scale = state.no_prior ? std::numeric_limits<double>::infinity() : state.radius_scale;
  options.travel_scale = state.no_prior ? std::numeric_limits<double>::infinity() : state.travel_scale;
  options.margin = state.margin;
  if (state.noise == "gaussian") {
    options.fit.noise_shape = articulation::NoiseShape::gaussian;
  } else if (state.noise != "estimated") {
    throw UsageError("--noise is '" + state.noise + "'; it must be estimated or gaussian");
  }
  const model::PoseLog log = read_poses(state.file);
  const articulation::Observations observations =
      articulation::observe(log, state.file, {state.fixed, state.moving});
  const Stopwatch stopwatch;
  const articulation::Selection selection = articulation::select_joint(observations, options);
  const double time_ms = stopwatch.milliseconds();
  if (!selection.contradiction.empty()) throw model::InputError(state.file, 0, selection.contradiction);
  if (options.types.empty() && !selection.candidates.empty()) {
    const std::string contradiction =
        pair_contradiction(log, state.file, observations, selection.best().type);
    if (!contradiction.empty()) throw model::InputError(state.file, 0, contradiction);
  }
  Answer answer{ExitCode::answer, to_string(selection.status), time_ms,
                selection.to_json(observations), selection.brief_report(observations)};
  if (selection.status == articulation::SelectionStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.status = "undetermined";
  answer.error = selection.reason;
  return answer;
}

}  // namespace

Verb joint_verb() {
  const auto state = std::make_shared<State>();
  return {
      "joint", "How does one part move in another?", "prehend joint data/poses/door.csv",
      [state](Arguments& arguments) {
        arguments.positional("POSES", state->file,
                             "Tracked poses (CSV: t,part,x,y,z,qw,qx,qy,qz) or a track");
        arguments.option("--fixed", state->fixed, "Part that counts as fixed; the world for a lone part");
        arguments.option("--moving", state->moving, "Part that moves in it");
        arguments.option("--type", state->type, "Type of joint, or auto");
        arguments.option("--criterion", state->criterion, "What weighs fit against parameters: bic or aic");
        arguments.option("--radius-scale", state->radius_scale,
                         "[m] Prior: how far from a hinge things are tracked");
        arguments.option("--travel-scale", state->travel_scale, "[m] Prior: how far things slide");
        arguments.flag("--no-prior", state->no_prior, "Neither of the two");
        arguments.option(
            "--margin", state->margin,
            "[nats] Evidence it takes to tell one joint from another: 5 is 150 to 1, 3 is 20 to 1");
        arguments.option("--noise", state->noise,
                         "estimated: frames of less noise count for more where residuals tell; or gaussian");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
