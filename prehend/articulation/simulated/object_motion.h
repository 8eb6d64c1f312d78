// Motion of a simulated object as a tracker would log it: source K, algorithm 2, with noise where it belongs.
//
// Every frame the root takes a small random step, every joint state a random step of at most a tenth of its range, and the tree is
// walked to place the parts. Then each tracked feature is measured: X_WP measured = X_WP exp(e), with the noise e in the
// feature's own frame, independent between features and frames (the source moves the whole object: `NoiseModel::printed`). The root's
// steps have their own amplitude; with `full_travel` each state is stretched so that it reaches both ends. docs/articulation_input.md has the departures.
// Inflation: each part carries that many further features, rigidly attached nearby, as an unsupervised tracker would find.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <prehend/articulation/simulated/simulated_object.h>
#include <prehend/math/pose.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

enum class NoiseModel {
  uniform,   // amplitudes are half widths, per axis
  gaussian,  // amplitudes are standard deviations, per axis
  printed  // uniform, one motion about the world's origin for all features of a frame, as in K's printed algorithm 2
};
enum class MotionKind {
  walk,   // random, as in source K
  smooth        // two sines of 0.1 to 0.45 Hz, which a camera can follow
};

struct MotionOptions {
  int frames{200};
  double frame_time{1.0 / 30.0};  // [s] of a webcam
  MotionKind motion{MotionKind::walk};
  bool full_travel{true};  // see above

  // Where the root begins: uniform in a cube of this half side about `place` [m], any orientation. K's five metres.
  Eigen::Vector3d place{Eigen::Vector3d::Zero()};
  double place_spread{5.0};
  bool turn_root{true};     // false: the root begins with the world's axes
  double root_step{0.025};  // [m] per axis and frame; K's noise amplitude
  double root_turn{0.05};   // [rad] likewise

  NoiseModel noise{NoiseModel::uniform};
  double position_noise{0.025};  // [m] K's default
  double angle_noise{0.05};      // [rad]

  int inflation{0};                // further features per part
  double inflation_distance{0.1};  // [m] of a feature from its part's origin, at most

  // Share of the frames in which a feature is not seen, and the mean length of such a gap in frames: an occlusion lasts.
  double lost_share{0.0};
  double lost_run{5.0};
  // Share of the frames in which a feature is seen flipped, as a square marker can be: its normal mirrored at the line of sight
  // from the world's origin, where the camera is. Position stays.
  double flipped_share{0.0};
  std::uint64_t seed{0};

  void validate() const;
};

struct Feature {
  std::string name;  // of the part, with _1, _2, ... appended for further features
  int part{0};
  math::Pose X_PF;  // identity for the part itself
};

struct SimulatedMotion {
  SimulatedObject object;
  MotionOptions options;
  std::vector<double> times;                             // [s]
  std::vector<std::vector<math::Pose>> X_WP;             // truth, by frame and part
  std::vector<std::vector<std::vector<double>>> states;  // truth, by joint, frame and state
  std::vector<Feature> features;                         // a part's own first, then further ones
  model::PoseLog log;                                    // what is measured
  std::vector<std::size_t> flipped_rows;                 // rows of the log
  int lost{0};                                           // rows that are missing

  // The truth, in the fields of `prehend discover`; see docs/articulation_input.md.
  std::string truth_json() const;
  std::string brief_report() const;
};

SimulatedMotion simulate_motion(const SimulatedObject& object, const MotionOptions& options = {});

// The parts of the object in the world, from the root's pose and the states of every joint.
std::vector<math::Pose> place_parts(const SimulatedObject& object, const math::Pose& X_WRoot,
                                    const std::vector<std::vector<double>>& states);

// The other pose of a flat marker that looks nearly the same from the origin of W: R' = (1 - 2 v v^T) R diag(1, 1, -1), v the
// direction to the marker.
math::Pose flipped_pose(const math::Pose& X_WM);

}  // namespace prehend::articulation
