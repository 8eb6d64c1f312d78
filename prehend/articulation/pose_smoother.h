// One part's poses over time, smoothed with a stated model of its motion.
//
// The part's twist (in its own frame) wanders as the integral of white noise; each pose is measured with its covariance.
// A Kalman filter on the group forwards and a Rauch-Tung-Striebel pass backwards give the pose at each time from all
// measurements, with its covariance. A low-pass filter would delay fast motion and throw away how sure each pose was; here
// the only assumption is the size of the accelerations, and it is an option. Successive errors of smoothed poses are correlated: a fit
// that takes them as independent believes too much. So feed fits the raw poses where they can take covariances.
#pragma once

#include <span>
#include <vector>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {

struct PoseSample {
  double t{0};  // [s] increasing
  math::Pose X;
  math::Matrix6d covariance{math::Matrix6d::Identity()};  // of V in X exp(V), angular first [rad^2, m^2]
};

struct SmootherOptions {
  // Density of the accelerations' white noise: the twist changes by this times the root of the time. Hands that move an
  // arm or a door change their speed by some 3 rad/s and 1 m/s within a second.
  double angular{3.0};  // [rad / s^1.5]
  double linear{1.0};   // [m / s^1.5]
  // [rad/s], [m/s] Standard deviation of the first twist.
  double first_angular{3.0}, first_linear{1.0};
  // Measurements this many standard deviations off are believed less (a flipped marker).
  double gate{6.0};

  void validate() const;
};

// Same times, smoothed poses and their covariances. Throws std::invalid_argument on times that do not increase.
std::vector<PoseSample> smooth_poses(std::span<const PoseSample> samples,
                                     const SmootherOptions& options = {});

}  // namespace prehend::articulation
