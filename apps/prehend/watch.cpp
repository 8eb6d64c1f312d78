// watch: what did the person assemble?
#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include "output_folder.h"
#include "verb.h"
#include <prehend/math/enum_text.h>
#include <prehend/math/number_text.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/track_file.h>
#include <prehend/observation/pages.h>

namespace prehend::cli {
namespace {

struct WatchState {
  std::string moving, fixed, poses;
  std::vector<std::string> with;
  double mesh_scale{1.0};
  std::vector<std::string> noise;  // two words, or none
  std::string method{"least"};
  int plan{0};
};

observation::WatchOptions options_of(const WatchState& state) {
  observation::WatchOptions options;
  const auto method = from_string<observation::WatchMethod>(state.method);
  if (!method)
    throw UsageError("--method is '" + state.method + "'; it must be " +
                     enum_choices<observation::WatchMethod>());
  options.method = *method;
  if (!state.noise.empty())
    options.noise =
        observation::TrackNoise{number_of("--noise", state.noise[0]), number_of("--noise", state.noise[1])};
  options.plan = state.plan;
  try {
    options.validate();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  return options;
}

geometry::Polyhedron body_of(const std::string& option, const std::string& path, double scale) {
  if (path.empty()) throw UsageError(option + " is missing: the mesh of a part, closed");
  if (!(scale > 0.0 && std::isfinite(scale)))
    throw UsageError("--mesh-scale is " + math::number_text(scale) +
                     "; it must be above 0 (0.001 for millimetres)");
  model::MeshFileOptions options;
  options.unit = scale;
  geometry::Polyhedron body = geometry::Polyhedron::from_mesh(model::read_mesh(path, options));
  if (body.faces().empty() || !body.is_closed())
    throw model::InputError(
        path, 0, "the mesh is not closed: inside and outside are undefined; close its holes first");
  return body;
}

Answer answer(const WatchState& state, const Shared& shared) {
  const observation::WatchOptions options = options_of(state);
  const observation::BodyPair pair(body_of("--moving", state.moving, state.mesh_scale),
                                   body_of("--fixed", state.fixed, state.mesh_scale));
  if (state.poses.empty()) throw UsageError("--poses is missing: the tracked poses of both parts");
  const auto stem = [](const std::string& path) { return std::filesystem::path(path).stem().string(); };
  const observation::Recording recording = observation::recording_of(
      model::read_poses(state.poses, state.with), state.poses, stem(state.moving), stem(state.fixed));
  const Stopwatch stopwatch;
  const observation::Watched result = observation::watch(pair, recording, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) write_page(observation::watch_page(pair, result), shared.out, state.poses);
  const bool is_answer =
      result.status == observation::WatchStatus::ok || result.status == observation::WatchStatus::doubtful;
  return answer_of(result, time_ms, is_answer, result.reason);
}

}  // namespace

Verb watch_verb() {
  const auto state = std::make_shared<WatchState>();
  return {"watch", "What did the person assemble?",
          "prehend watch --moving data/observation/peg.obj --fixed data/observation/groove.obj --poses "
          "data/observation/insertion.csv",
          [state](Arguments& arguments) {
            arguments.option("--moving", state->moving,
                             "Closed mesh of the part that is moved; its file's stem names its track");
            arguments.option("--fixed", state->fixed, "Closed mesh of the part that it is put to");
            arguments.option("--poses", state->poses,
                             "Tracked poses: CSV t,part,x,y,z,qw,qx,qy,qz, TUM trajectory or pose list");
            arguments.option("--with", state->with,
                             "Further files; a TUM trajectory is one part, named after its file");
            arguments.option("--mesh-scale", state->mesh_scale,
                             "[m] Unit of length of the meshes: 0.001 for millimetres");
            arguments.words(
                "--noise", "M RAD", state->noise,
                "Standard deviations of positions [m] and angles [rad] per axis; estimated if absent");
            arguments.option("--method", state->method, "least, newton, linear or source");
            arguments.option("--plan", state->plan,
                             "Poses of a trajectory between each two states; none if 0");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
