// A recording made ready for estimation: motion and wrench of every instant in the sensor's axes.
//
// Estimators see nothing of worlds, poses and file columns: they take Samples. Accelerations come from the log as they
// stand (`prepare_samples`), or smoothed from poses and whatever else the log has (motion_smoother.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/regressor.h>
#include <prehend/math/pose.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

enum class WrenchFrame { world, sensor };
const char* to_string(WrenchFrame frame);

struct Sample {
  double t{0.0};                                     // [s]
  Motion motion;                                     // in the sensor's axes
  math::Vector6d wrench{math::Vector6d::Zero()};     // [N m; N] sensor on object, about its origin, its axes
  Eigen::Vector3d gravity{Eigen::Vector3d::Zero()};  // [m/s^2] in the sensor's axes
};

// Standard deviations per axis of what Sample holds; zero: taken as exact.
struct SampleNoise {
  double a{0.0};       // [m/s^2]
  double w{0.0};       // [rad/s]
  double al{0.0};      // [rad/s^2]
  double force{0.0};   // [N]
  double torque{0.0};  // [N m]
  // The motion was estimated (smoothed, filtered): its error goes with the truth, not with the estimate, so that it biases nothing. Otherwise it was
  // measured, with white noise.
  bool motion_is_estimated{false};
};

struct Samples {
  std::vector<Sample> samples;
  // Object in the sensor's frame, the mean over the log, where the log has the object's pose.
  std::optional<math::Pose> X_SO;
  // Noise that whoever made the samples knows of or found; absent: estimators find the wrench's own from residuals.
  std::optional<SampleNoise> noise;
  std::vector<std::string> problems;  // sentences: what was found wrong on the way, see log_diagnosis.h
};

struct SampleOptions {
  Eigen::Vector3d gravity_W{0.0, 0.0,
                            -9.81};  // [m/s^2]; an input, never a constant: recordings exist with +z
  WrenchFrame wrench_frame{WrenchFrame::world};
};

// The log's own accelerations, untouched. Throws std::invalid_argument when the log has none (smooth it) or gravity is
// not finite. Angular velocity comes from the twist columns; without them from the smoother, so it throws as well.
Samples prepare_samples(const model::WrenchLog& log, const SampleOptions& options = {});

}  // namespace prehend::inertia
