// markers: a film with ArUco markers becomes a pose log.
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/pose_log.h>
#ifdef PREHEND_WITH_OPENCV
#include <prehend/articulation/markers/marker_tracks.h>
#endif

namespace prehend::cli {
namespace {

struct State {
  std::string film, calibration, dictionary{"5x5_100"};
  double size{0.0}, frame_time{1.0 / 30.0};
  bool smooth{false};
};

#ifdef PREHEND_WITH_OPENCV
Answer answer(const State& state, const Shared& shared) {
  if (state.calibration.empty()) throw UsageError("--calibration is needed: the camera's calibration file");
  if (!(state.size > 0)) throw UsageError("--marker-size is needed: the side of the black square in metres");
  articulation::MarkerTrackOptions options;
  options.marker_size = state.size;
  options.detection.dictionary = state.dictionary;
  options.frame_time = state.frame_time;
  options.smooth = state.smooth;
  options.validate();
  const model::CameraModel camera = model::read_calibration(state.calibration);
  const Stopwatch stopwatch;
  const articulation::MarkerTracks tracks =
      articulation::track_markers(state.film, camera, options, state.calibration);
  Answer answer{ExitCode::answer, to_string(tracks.status), stopwatch.milliseconds(),
                tracks.to_json(), tracks.brief_report()};
  if (tracks.status == articulation::TrackStatus::wrong_calibration)
    throw model::InputError(state.calibration, 0, tracks.problems.front());
  if (tracks.status != articulation::TrackStatus::ok) {
    answer.code = ExitCode::no_answer;
    answer.error = tracks.problems.empty() ? "no poses were found" : tracks.problems.front();
    return answer;
  }
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    model::write_pose_log(shared.out + "/poses.csv", tracks.log);
    model::write_file(shared.out + "/quality.csv", tracks.quality_csv());
    answer.text += "wrote poses.csv and quality.csv to " + shared.out + "\n";
  }
  return answer;
}
#else
Answer answer(const State&, const Shared&) {
  throw UsageError("markers needs OpenCV, which this program was built without");
}
#endif

}  // namespace

Verb markers_verb() {
  const auto state = std::make_shared<State>();
  return {
      "markers", "Poses of ArUco markers from a video or a folder of images",
      "prehend markers data/films/hinge --calibration data/films/hinge/calibration.yaml --marker-size 0.05",
      [state](Arguments& arguments) {
        arguments.positional("FILM", state->film, "Video file, or folder of images");
        arguments.option("--calibration", state->calibration, "Camera calibration (YAML, OpenCV's or plain)");
        arguments.option("--marker-size", state->size, "Side of the black square [m]");
        arguments.option("--dictionary", state->dictionary, "Dictionary of the markers; 5x5_100 without");
        arguments.option("--frame-time", state->frame_time, "Time between the images of a folder [s]");
        arguments.flag("--smooth", state->smooth, "Smooth each track with a model of its motion");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
