// markers: a film with ArUco markers becomes a pose log.
#include <memory>

#include "film_arguments.h"
#include "output_folder.h"
#include "verb.h"
#include <prehend/model/files.h>
#include <prehend/model/pose_log.h>

namespace prehend::cli {
namespace {

struct MarkersState {
  std::string film;
  FilmArguments arguments;
  bool smooth{false};
};

#ifdef PREHEND_WITH_OPENCV
Answer answer(const MarkersState& state, const Shared& shared) {
  const Stopwatch stopwatch;
  const articulation::MarkerTracks tracks = state.arguments.tracks(state.film, state.smooth);
  const Answer answer = answer_of(tracks, stopwatch.milliseconds(),
                                  tracks.problems.empty() ? "no poses were found" : tracks.problems.front());
  if (!shared.out.empty() && answer.code == ExitCode::answer) {
    prepare_output_folder(shared.out);
    model::write_pose_log(shared.out + "/poses.csv", tracks.log);
    model::write_file(shared.out + "/quality.csv", tracks.quality_csv());
  }
  return answer;
}
#else
Answer answer(const MarkersState&, const Shared&) {
  throw UsageError("markers needs OpenCV, which this program was built without");
}
#endif

}  // namespace

Verb markers_verb() {
  const auto state = std::make_shared<MarkersState>();
  return {
      "markers", "Poses of ArUco markers from a video or a folder of images",
      "prehend markers data/films/hinge --calibration data/films/hinge/calibration.yaml --marker-size 0.05",
      [state](Arguments& arguments) {
        arguments.positional("FILM", state->film, "Video file, or folder of images");
        state->arguments.declare(arguments);
        arguments.flag("--smooth", state->smooth, "Smooth each track with a model of its motion");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
