// From a film of markers to a pose log: one track per marker, in the camera's frame.
//
// Every picture: markers are found and their corners measured (marker_detection.h), both poses of each square computed
// (square_pose.h). When the film has ended, each track chooses between the two poses over time (flip_choice.h). Poses are not
// filtered: each has its covariance, and a marker that is lost has no row. With `smooth` each track is smoothed with a
// stated model of its motion (pose_smoother.h).
//
// The pose log names a track "marker_ID". Cost: about 10 ms for a picture of 640 x 480.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <prehend/articulation/markers/grey_image.h>
#include <prehend/articulation/markers/marker_options.h>
#include <prehend/math/pose.h>
#include <prehend/model/camera.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

struct MarkerPose {
  int frame{0};
  double t{0};  // [s]
  int id{0};
  math::Pose X_CM;
  math::Matrix6d covariance{math::Matrix6d::Zero()};  // of V in X_CM exp(V), angular first [rad^2, m^2]
  double reprojection{0.0};                           // [px] root mean square over the corners
  double flip_margin{0.0};                            // [nats] against the other tilt
  bool from_edges{false};                             // measured along the edges; false: ArUco's corners
};

enum class TrackStatus { not_computed, no_markers, wrong_calibration, ok };
const char* to_string(TrackStatus status);

struct MarkerTracks {
  TrackStatus status{TrackStatus::not_computed};
  int frames{0};
  int frames_with_markers{0};
  std::vector<MarkerPose> poses;  // by time, then by number
  model::PoseLog log;
  double median_reprojection{0.0};  // [px]
  double focal_scale{1.0};  // that fits the markers best, against the calibration's; 1 where they do not tell
  int doubtful_flips{0};    // poses whose flip is not decided (margin below 3 nats: 20 to 1)
  std::vector<std::string> problems;  // sentences, where the status is not ok
  std::vector<std::string> notes;

  std::string to_json() const;  // without the poses themselves
  std::string brief_report() const;
  // One line per row of the log: t, part, standard deviations along the marker's axes [rad, m], misfit of the corners [px],
  // and the margin against the flip [nats, at most 999].
  std::string quality_csv() const;
};

// `source` is a video file or a folder of images. Throws model::InputError: source unreadable, or pictures of another size than the
// calibration's (`calibration` names it in the message); std::invalid_argument: bad options.
MarkerTracks track_markers(const std::string& source, const model::CameraModel& camera,
                           const MarkerTrackOptions& options, const std::string& calibration = "calibration");
// The same with a calibration file (model/camera.h).
MarkerTracks track_markers(const std::string& source, const std::string& calibration,
                           const MarkerTrackOptions& options);

// The same, picture by picture: for pictures that are made, not read.
class MarkerTracker {
 public:
  MarkerTracker(const model::CameraModel& camera, const MarkerTrackOptions& options);
  ~MarkerTracker();
  // Pictures must have the camera's size; times must increase (std::invalid_argument).
  void add(const GreyImage& image, double t);
  MarkerTracks finish();

 private:
  struct Sightings;
  std::unique_ptr<Sightings> sightings_;
};

}  // namespace prehend::articulation
