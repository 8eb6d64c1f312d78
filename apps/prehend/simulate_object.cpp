// simulate-object: a made-up articulated object, its poses as a tracker logs them, the truth, and a film of it.
#include <algorithm>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/model/files.h>
#include <prehend/model/joint.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/pose_log.h>
#ifdef PREHEND_WITH_OPENCV
#include <prehend/articulation/markers/frame_files.h>
#include <prehend/articulation/markers/virtual_camera.h>
#endif

namespace prehend::cli {
namespace {

using namespace articulation;

struct State {
  std::string object{"random"}, noise_model{"uniform"}, motion{"walk"}, video;
  std::vector<std::string> types{"prismatic", "revolute"}, noise;
  RandomObjectOptions random;
  MotionOptions options;
};

double positive_number(const std::string& option, const std::string& word) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(word, &used);
  } catch (const std::exception&) {
  }
  if (used != word.size() || word.empty())
    throw UsageError(option + " needs numbers, '" + word + "' is none");
  return value;
}

template <class Value>
Value one_of(const std::string& option, const std::string& word,
             std::initializer_list<std::pair<const char*, Value>> choices) {
  std::string names;
  for (const auto& [name, value] : choices) {
    if (word == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw UsageError(option + " is '" + word + "', must be one of: " + names);
}

SimulatedObject make_object(const State& state, const Shared& shared) {
  if (state.object != "random") return named_object(state.object);
  RandomObjectOptions random = state.random;
  random.seed = shared.seed;
  random.types.clear();
  for (const std::string& name : state.types) {
    const std::optional<model::JointType> type = model::joint_type_from_name(name);
    if (!type) throw UsageError("--types: no joint type is called '" + name + "'");
    random.types.push_back(*type);
  }
  return random_object(random);
}

MotionOptions make_motion(const State& state, const Shared& shared) {
  MotionOptions options = state.options;
  options.seed = shared.seed;
  options.motion = one_of<MotionKind>("--motion", state.motion,
                                      {{"walk", MotionKind::random_walk}, {"smooth", MotionKind::smooth}});
  options.noise = one_of<NoiseModel>("--noise-model", state.noise_model,
                                     {{"uniform", NoiseModel::uniform},
                                      {"gaussian", NoiseModel::gaussian},
                                      {"printed", NoiseModel::printed}});
  if (!state.noise.empty()) {
    options.position_noise = positive_number("--noise", state.noise[0]);
    options.angle_noise = positive_number("--noise", state.noise[1]);
  }
  if (state.video.empty()) return options;
  // Before a camera: the object stands still and moves so that it can be followed.
  options.motion = MotionKind::smooth;
  options.place_spread = options.root_step = options.root_turn = 0;
  options.turn_root = false;
  // Within less than three seconds the whole travel would be a blur.
  options.full_travel = options.frames * options.frame_time >= 3.0;
  return options;
}

#ifdef PREHEND_WITH_OPENCV
// Film, calibration and what the markers are, into the folder. Returns the film's name.
std::string film(const SimulatedMotion& motion, const State& state, const std::string& folder) {
  const bool as_video = one_of<bool>("--video", state.video, {{"avi", true}, {"images", false}});
  MarkingOptions marking;
  if (state.object == "random") {
    marking.faces.clear();  // a random object shows any side
    for (int axis = 0; axis < 3; ++axis)
      for (const int sign : {-1, 1}) marking.faces.push_back(sign * Eigen::Vector3d::Unit(axis));
    marking.dictionary = "5x5_250";
  }
  const MarkedObject marked = mark_object(motion.object, marking);
  model::CameraModel lens;
  lens.width = 960, lens.height = 720, lens.cx = 479.5, lens.cy = 359.5, lens.fx = lens.fy = 900;
  lens.distortion << 0.08, -0.12, 5e-4, -3e-4, 0.0;
  // Far enough to see all of it, always.
  Eigen::Vector3d low = motion.X_WP[0][0].p(), high = low;
  for (const auto& X_WP : motion.X_WP)
    for (const math::Pose& X : X_WP) low = low.cwiseMin(X.p()), high = high.cwiseMax(X.p());
  double part = 0;
  for (const SimulatedPart& one : motion.object.parts) part = std::max(part, one.size.norm());
  const Eigen::Vector3d middle = 0.5 * (low + high);
  const double radius = 0.5 * (high - low).norm() + 0.5 * part;
  const math::Pose X_CW =
      look_at(middle + Eigen::Vector3d(0.15, -1.0, 0.2).normalized() * radius * 2.7, middle);
  VirtualCameraOptions options;
  options.seed = motion.options.seed;
  const VirtualCamera camera(lens, options);
  const std::string name = as_video ? "film.avi" : "frames";
  FilmWriter writer(folder + "/" + name, motion.options.frame_time);
  film_motion(motion, marked, camera, X_CW, options.exposure,
              [&](int, const GreyImage& image) { writer.add(image); });
  writer.finish();
  model::write_calibration(folder + "/calibration.yaml", lens);
  model::JsonWriter json;
  json.object()
      .field("dictionary", marking.dictionary)
      .field("size_m", marking.size)
      .field("X_CW", X_CW)
      .key("markers")
      .array();
  for (const PlacedMarker& marker : marked.markers) {
    json.object()
        .field("name", "marker_" + std::to_string(marker.id))
        .field("part", motion.object.parts[static_cast<std::size_t>(marker.part)].name)
        .field("X_PM", marker.X_PM)
        .end();
  }
  model::write_file(folder + "/markers.json", json.end().end().text() + "\n");
  return name;
}
#else
std::string film(const SimulatedMotion&, const State&, const std::string&) {
  throw UsageError("--video needs OpenCV, which this program was built without");
}
#endif

Answer answer(const State& state, const Shared& shared) {
  if (!state.video.empty() && shared.out.empty())
    throw UsageError("--video needs --out, the folder for the film");
  const SimulatedObject object = make_object(state, shared);
  const MotionOptions options = make_motion(state, shared);
  const Stopwatch stopwatch;
  const SimulatedMotion motion = simulate_motion(object, options);
  const double time_ms = stopwatch.milliseconds();
  const std::string truth = motion.truth_json();
  std::string text = motion.brief_report();
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    model::write_pose_log(shared.out + "/poses.csv", motion.log);
    model::write_file(shared.out + "/truth.json", truth + "\n");
    text += "wrote poses.csv and truth.json to " + shared.out + "\n";
    if (!state.video.empty())
      text += "wrote " + film(motion, state, shared.out) + ", calibration.yaml and markers.json\n";
  }
  return {ExitCode::answer, "ok", time_ms, truth, text};
}

}  // namespace

Verb simulate_object_verb() {
  const auto state = std::make_shared<State>();
  return {
      "simulate-object", "Make up an articulated object and log how its parts move",
      "prehend simulate-object --parts 6 --frames 200 --noise 0.025 0.05",
      [state](Arguments& arguments) {
        arguments.option("--object", state->object, "random, lamp, lamp_linkage, arm, chair or cupboard");
        arguments.option("--parts", state->random.parts, "Parts of a random object");
        arguments.option("--types", state->types,
                         "Joint types of a random object; prismatic,revolute without");
        arguments.option("--frames", state->options.frames, "Frames, 30 per second");
        arguments.words("--noise", "M RAD", state->noise,
                        "Amplitudes of the noise in each part's frame; 0.025 0.05 without");
        arguments.option(
            "--noise-model", state->noise_model,
            "uniform (half widths), gaussian (standard deviations) or printed (Burka and Lee's algorithm 2)");
        arguments.option("--inflation", state->options.inflation, "Further features, rigid on each part");
        arguments.option("--lost", state->options.lost_share, "Share of the poses that are lost");
        arguments.option("--flipped", state->options.flipped_share, "Share of the poses that are flipped");
        arguments.option("--motion", state->motion, "walk (Burka and Lee) or smooth");
        arguments.option("--video", state->video, "Also film it with markers on: avi or images");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
