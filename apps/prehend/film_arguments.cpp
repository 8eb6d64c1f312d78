#include "film_arguments.h"

#include <prehend/model/input_error.h>

namespace prehend::cli {

void FilmArguments::declare(Arguments& arguments, const std::string& of_what) {
  arguments.option("--calibration", calibration,
                   "Camera calibration" + of_what + " (YAML, OpenCV's or plain)");
  arguments.option("--marker-size", marker_size, "Side of the markers' black square" + of_what + " [m]");
  arguments.option(
      "--dictionary", dictionary,
      "Dictionary of the markers" + of_what + " (4x4_50 ... 7x7_1000, apriltag_36h11 ...); 5x5_100 without");
  arguments.option("--frame-time", frame_time,
                   "Time between the images" + of_what + ", where it is a folder [s]");
}

#ifdef PREHEND_WITH_OPENCV
articulation::MarkerTracks FilmArguments::tracks(const std::string& film, bool smooth) const {
  if (calibration.empty()) throw UsageError("a film needs --calibration: the camera's calibration file");
  if (!(marker_size > 0))
    throw UsageError("a film needs --marker-size: the side of the black square in metres");
  articulation::MarkerTrackOptions options;
  options.marker_size = marker_size;
  options.detection.dictionary = dictionary;
  options.frame_time = frame_time;
  options.smooth = smooth;
  articulation::MarkerTracks tracks = articulation::track_markers(film, calibration, options);
  if (tracks.status == articulation::TrackStatus::wrong_calibration)
    throw model::InputError(calibration, 0, tracks.problems.front());
  return tracks;
}

model::PoseLog FilmArguments::poses(const std::string& film) const {
  const articulation::MarkerTracks found = tracks(film);
  if (found.status != articulation::TrackStatus::ok)
    throw NoAnswerError(to_string(found.status),
                        found.problems.empty() ? "no poses were found" : found.problems.front());
  return found.log;
}
#else
model::PoseLog FilmArguments::poses(const std::string&) const {
  throw UsageError("a film needs OpenCV, which this program was built without");
}
#endif

}  // namespace prehend::cli
