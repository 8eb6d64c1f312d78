// What can be asked of track_markers(): how markers are found, which of two tilts is believed, and smoothing.
#pragma once

#include <string>

#include <prehend/articulation/pose_smoother.h>

namespace prehend::articulation {

struct DetectionOptions {
  std::string dictionary{"5x5_100"};
  // Measure corners along the edges. Off: ArUco's own corners (sub-pixel), for comparison.
  bool edges{true};
  // [px] What edges are never better than, for each side as a whole: lens model, print, pixel response. Enters the
  // covariance; measured on rendered pictures.
  double edge_floor{0.02};
  // [grey levels] Sides with less contrast keep ArUco's corners.
  double min_contrast{15.0};

  void validate() const;
};

// Which of the two poses of a square is the real one, over a whole track.
struct FlipOptions {
  // [rad/s] Standard deviation of a marker's turning speed, per axis; an arm moved by hand.
  double turn_rate{2.0};
  // [nats] Bound on what one step may cost: after a long gap or a real jump the misfits decide.
  double max_step{30.0};

  void validate() const;
};

struct MarkerTrackOptions {
  double marker_size{0.0};  // [m] side of the black square; must be given
  DetectionOptions detection;
  FlipOptions flips;
  // Choose between the two poses of a square over time. Off: picture by picture, the one that fits better.
  bool choose_over_time{true};
  double frame_time{1.0 / 30.0};  // [s] between the images of a folder; a video has its own times
  // A marker seen in fewer pictures is taken for a mistake of the detector and left out, with a note.
  int min_sightings{3};
  bool smooth{false};
  SmootherOptions smoother;
  // [px] Median misfit of the corners beyond which the calibration is called wrong.
  double max_reprojection{1.0};

  void validate() const;
};

}  // namespace prehend::articulation
