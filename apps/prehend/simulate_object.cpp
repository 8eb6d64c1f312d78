// simulate-object: a made-up articulated object, its poses as a tracker logs them, the truth, and a film of it.
#include <memory>

#include "choice.h"
#include "output_folder.h"
#include "verb.h"
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/model/files.h>
#include <prehend/model/joint.h>
#include <prehend/model/pose_log.h>
#ifdef PREHEND_WITH_OPENCV
#include <prehend/articulation/markers/simulated_film.h>
#endif

namespace prehend::cli {
namespace {

using namespace articulation;

struct SimulateObjectState {
  std::string object{"random"}, noise_model{"uniform"}, motion{"walk"}, video;
  std::vector<std::string> types{"prismatic", "revolute"}, noise;
  RandomObjectOptions random;
  MotionOptions options;
};

SimulatedObject make_object(const SimulateObjectState& state, const Shared& shared) {
  if (state.object != "random") return named_object(state.object);
  RandomObjectOptions random = state.random;
  random.seed = shared.seed;
  random.types.clear();
  for (const std::string& name : state.types)
    random.types.push_back(choice_of<model::JointType>("--types", name));
  return random_object(random);
}

MotionOptions make_motion(const SimulateObjectState& state, const Shared& shared) {
  MotionOptions options = state.options;
  options.seed = shared.seed;
  options.motion = choice_of<MotionKind>("--motion", state.motion);
  options.noise = choice_of<NoiseModel>("--noise-model", state.noise_model);
  if (!state.noise.empty()) {
    options.position_noise = number_of("--noise", state.noise[0]);
    options.angle_noise = number_of("--noise", state.noise[1]);
  }
#ifdef PREHEND_WITH_OPENCV
  if (!state.video.empty()) options = before_a_camera(options);
#endif
  return options;
}

// Film, calibration and what the markers are, into the folder.
#ifdef PREHEND_WITH_OPENCV
void film(const SimulatedMotion& motion, const SimulateObjectState& state, const std::string& folder) {
  write_film(motion, choice_of<FilmFormat>("--video", state.video), folder);
}
#else
void film(const SimulatedMotion&, const SimulateObjectState&, const std::string&) {
  throw UsageError("--video needs OpenCV, which this program was built without");
}
#endif

Answer answer(const SimulateObjectState& state, const Shared& shared) {
  if (!state.video.empty() && shared.out.empty())
    throw UsageError("--video needs --out, the folder for the film");
  const SimulatedObject object = make_object(state, shared);
  const MotionOptions options = make_motion(state, shared);
  const Stopwatch stopwatch;
  const SimulatedMotion motion = simulate_motion(object, options);
  const double time_ms = stopwatch.milliseconds();
  const std::string truth = motion.truth_json();
  const std::string text = motion.brief_report();
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    model::write_pose_log(shared.out + "/poses.csv", motion.log);
    model::write_file(shared.out + "/truth.json", truth + "\n");
    if (!state.video.empty()) film(motion, state, shared.out);
  }
  return {ExitCode::answer, "ok", time_ms, truth, text};
}

}  // namespace

Verb simulate_object_verb() {
  const auto state = std::make_shared<SimulateObjectState>();
  return {"simulate-object", "Make up an articulated object and log how its parts move",
          "prehend simulate-object --parts 6 --frames 200 --noise 0.025 0.05",
          [state](Arguments& arguments) {
            arguments.option("--object", state->object, "random, lamp, lamp_linkage, arm, chair or cupboard");
            arguments.option("--parts", state->random.parts, "Parts of a random object");
            arguments.option("--types", state->types,
                             "Joint types of a random object; prismatic,revolute without");
            arguments.option("--frames", state->options.frames, "Frames, 30 per second");
            arguments.words("--noise", "M RAD", state->noise,
                            "Amplitudes of the noise in each part's frame; 0.025 0.05 without");
            arguments.option("--noise-model", state->noise_model,
                             "uniform (half widths), gaussian (standard deviations) or printed (algorithm 2 "
                             "as printed by Burka and Lee)");
            arguments.option("--inflation", state->options.inflation, "Further features, rigid on each part");
            arguments.option("--lost", state->options.lost_share, "Share of the poses that are lost");
            arguments.option("--flipped", state->options.flipped_share,
                             "Share of the poses that are flipped");
            arguments.option("--motion", state->motion, "walk or smooth");
            arguments.option("--video", state->video, "Also film it with markers on: avi or images");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
