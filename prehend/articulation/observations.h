// What is seen of a joint: poses of a moving part M in a fixed part F over time, and how noisy they are.
//
// Each part's pose is measured with noise that lives in its own frame: X_WP measured = X_WP exp(e), e ~ N(0, diag(angle^2,
// position^2)), independent between parts and times. The measured relative pose is then
//   X_FM measured = exp(-e_F) X_FM exp(e_M) = X_FM exp(-adjoint(X_MF) e_F) exp(e_M):
// the fixed part's rotation noise moves the moving part over the lever between the two origins, so position and orientation errors are
// correlated; relative_covariance gives the 6x6 covariance to first order. Where F is the file's world, it has no noise.
//
// Poses are matched in time (within `time_tolerance`), or interpolated where parts have different clocks
// (evidence/common_clock.h); a time at which one part is lost stays in `times` without an observation. One position-only
// row makes the whole pair position-only.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// Standard deviations per axis; zero: exact.
struct PoseNoise {
  double position{0.0};  // [m]
  double angle{0.0};     // [rad]
};

// Covariance of the relative pose's error V in X_FM exp(V), angular part first [rad^2, rad m; m rad, m^2].
math::Matrix6d relative_covariance(const PoseNoise& fixed, const PoseNoise& moving, const math::Pose& X_FM);

struct Observation {
  int time{0};      // index into Observations::times
  math::Pose X_FM;  // moving part in the fixed part's frame; identity orientation where there is none
};

struct Observations {
  std::string fixed;  // name of the part; empty: the file's world
  std::string moving;
  bool has_orientation{true};
  // Whether F is measured, too, with noise as large as M's; false where it is the world.
  bool fixed_is_measured{false};
  // Whether some part moves in the world by more than its jitter from frame to frame: of parts that never move nothing
  // can be learned. A guess by the ratio of spread and jitter; true where made by hand.
  bool something_moves{true};
  // How far each part usually is from where it was in the world, the lesser of the two (evidence/track_motion.h); infinite where made by hand.
  PoseNoise carried{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  // What rounding in the file leaves in a pose (evidence/pose_resolution.h): noise is not less. Zero: exact numbers.
  PoseNoise resolution;
  std::vector<double> times;       // [s] all distinct times of the two parts, increasing
  std::vector<Observation> poses;  // by time
  // Of V in X_FM exp(V), angular first, up to one common scale: one per pose, or none (one noise for all).
  std::vector<math::Matrix6d> covariances;
  // Without orientation: which point of the part is seen, one per pose; it changes where the tracked point slipped (track_slips.h). A fitted
  // joint moves point 0. Empty: one point throughout.
  std::vector<int> holds;
  std::vector<std::string> notes;  // sentences: frames without a partner, orientation dropped

  int missing() const { return static_cast<int>(times.size()) - static_cast<int>(poses.size()); }
};

// Where a point tracked without orientation slips: another point of the same part is seen from then on.
struct Slip {
  int before{0}, after{0};  // observations: the last of the old hold, the first of the new one
  double size{0.0};         // [m] across the line or circle, whichever says less
  double before_time{0.0}, after_time{0.0};  // [s] of the two observations
};

struct ObservationOptions {
  // Names of parts. Both empty: a file of one part is seen from the world; of two, the first in the file is fixed. One
  // given: that one against the only other part, or a lone moving part against the world.
  std::string fixed, moving;
  // [s] Rows of two parts this close are the same frame. Recorders that stamp both with the same clock need no more
  // than rounding.
  double time_tolerance{1e-6};

  void validate() const;
};

// Throws std::invalid_argument, naming what the file has, on unknown parts, three or more parts without names, or the
// same part twice; model::InputError (with `name`) on a part seen once, or never together with the other.
Observations observe(const model::PoseLog& log, const std::string& name,
                     const ObservationOptions& options = {});

// By hand: one observation per pose, times 0, 1, 2, ... s.
Observations observations_of(std::span<const math::Pose> X_FM, bool fixed_is_measured = false);
// By hand, position-only.
Observations observations_of(std::span<const Eigen::Vector3d> p_FM);

}  // namespace prehend::articulation
