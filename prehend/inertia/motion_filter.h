// The smoother's model run forward only: what is known of the motion now, from poses up to now, for streaming.
//
// Same chains as motion_smoother.h (state pose, twist, acceleration; white jerk), by square-root information updates; no
// first guess is asked for: `ready` says when the poses seen so far determine an acceleration. Rotation is kept as a nominal
// orientation, moved after every row by the estimated correction, so the tangent space is always at the estimate. Later
// poses are not used, so accelerations lag and are several times noisier than smoothed ones; prefer the smoother for
// recordings. Source N used filters of this kind for table 3.3. Cost: about 2 us a row, no allocation.
#pragma once

#include <memory>
#include <optional>

#include <Eigen/Core>

#include <prehend/inertia/motion_smoother.h>
#include <prehend/inertia/samples.h>
#include <prehend/math/pose.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

// Linear and angular part of a measured twist or acceleration, world's axes.
struct LinearAngular {
  Eigen::Vector3d linear{Eigen::Vector3d::Zero()};   // [m/s] or [m/s^2]
  Eigen::Vector3d angular{Eigen::Vector3d::Zero()};  // [rad/s] or [rad/s^2]
};

// World's axes; standard deviations per axis.
struct FilteredMotion {
  math::Pose X_WS;
  LinearAngular twist, acceleration;
  double std_a{0.0};   // [m/s^2]
  double std_w{0.0};   // [rad/s]
  double std_al{0.0};  // [rad/s^2]
};

class MotionFilter {
 public:
  // position, rotation and both jerks must be stated; the noise of twist and acceleration where they will be given.
  // smooth_motion of an earlier log finds them. `step` [s] is the usual time between rows. Throws std::invalid_argument.
  MotionFilter(const MotionNoise& noise, double step);
  MotionFilter(MotionFilter&&) noexcept;
  MotionFilter& operator=(MotionFilter&&) noexcept;
  ~MotionFilter();

  // Throws std::invalid_argument when time runs backwards or a column comes whose noise was not stated.
  void add(double t, const math::Pose& X_WS, const std::optional<LinearAngular>& twist = std::nullopt,
           const std::optional<LinearAngular>& acceleration = std::nullopt);

  bool ready() const;             // pose, twist and acceleration are determined
  FilteredMotion motion() const;  // meaningful when ready

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The filter over a whole log; rows before it is ready have infinite standard deviations. Noise that is not stated is
// found by the smoother's search on the whole log (levels only: the motion itself comes from earlier rows alone).
SmoothedMotion filter_motion(const model::WrenchLog& log, const SmootherOptions& options = {});
// Samples of the rows after the filter has settled: standard deviations within `settled` times their median.
Samples filtered_samples(const model::WrenchLog& log, const SampleOptions& sample_options = {},
                         const SmootherOptions& smoother_options = {}, double settled = 1.2);

}  // namespace prehend::inertia
