// What the sensor adds of its own: offsets, a tilted world, a late clock; found together with the body.
//
// Model: wrench(t) = A(motion(t - latency), gravity) phi + bias, with unknown ten parameters phi, bias (6, sensor's axes),
// direction of gravity (2, its size as given), latency (positive: a row's wrench belongs to an earlier motion, at
// t - latency) and, where it stands out, the time constant of a low-pass filter in the sensor. Maximum likelihood by
// Gauss-Newton, forces and torques weighted by their residuals; the latency starts from the best of a scan, sub-sample by
// cubic interpolation of the motion. What the data do not determine (the latency of a body at rest, the offsets in one
// orientation) is left at its given value and named.
//
// The size of gravity is checked apart: weight over inertial mass, from forces alone. Cost: 100 passes over the log.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/motion_smoother.h>
#include <prehend/inertia/samples.h>
#include <prehend/math/inertia.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

struct CalibrationOptions {
  bool bias{true};               // estimate the six offsets
  bool gravity_direction{true};  // estimate the direction of gravity in the world
  bool latency{true};            // estimate the delay of the wrench
  bool filter{true};             // ... and how much of it a low-pass filter's is, which damps as well
  // [s] latencies up to this are looked for; real set-ups have some tens of milliseconds.
  double longest_latency{0.1};
  // A quantity counts as determined when its standard deviation is below these; otherwise it stays as given. Three degrees,
  // and two rows of a log of 100 Hz: a correction less certain than that may do more harm than good.
  double coarsest_gravity{0.05};  // [rad]
  double coarsest_latency{0.02};  // [s]

  void validate() const;
};

// undetermined: the data do not determine some of what was asked for, which stays as given.
enum class CalibrationStatus { failed, undetermined, ok };
const char* to_string(CalibrationStatus status);

// Order of a calibration's unknowns: the ten parameters of the body, offsets [N m; N], two tilts of gravity [rad] (about its
// direction, in axes of calibration.cpp's own), latency [s], square of the filter's time constant [s^2].
using CalibrationVector = Eigen::Matrix<double, 20, 1>;
using CalibrationMatrix = Eigen::Matrix<double, 20, 20>;

struct Calibration {
  CalibrationStatus status{CalibrationStatus::failed};
  math::SpatialInertia body;                    // in S: what hangs on the sensor
  math::Vector6d bias{math::Vector6d::Zero()};  // [N m; N] sensor's axes; subtract from the log's wrench
  Eigen::Vector3d gravity_W{Eigen::Vector3d::Zero()};       // [m/s^2]
  double latency{0.0};                                      // [s] mean delay, the filter's included
  double time_constant{0.0};                                // [s] of the low-pass filter; 0: none stands out
  double std_mass{0.0};                                     // [kg]
  math::Vector6d std_bias{math::Vector6d::Zero()};          // [N m; N]
  double std_gravity{0.0};                                  // [rad] the larger of the two tilts'
  double std_latency{0.0};                                  // [s]
  double std_time_constant{0.0};                            // [s]
  CalibrationMatrix covariance{CalibrationMatrix::Zero()};  // zero for what stays as given
  double residual_force{0.0};                               // [N] root mean square per component
  double residual_torque{0.0};                              // [N m]
  // Weight over inertial mass, where accelerations determine it.
  std::optional<double> gravity_size;     // [m/s^2]
  double std_gravity_size{0.0};           // [m/s^2]
  std::vector<std::string> undetermined;  // sentences
  double cut_off() const;                 // [Hz] of the filter, where there is one
  std::string brief_report() const;
};

// Throws std::invalid_argument for bad options and logs that cannot be smoothed.
Calibration calibrate(const model::WrenchLog& log, const SampleOptions& sample_options = {},
                      const CalibrationOptions& options = {}, const SmootherOptions& smoother_options = {});

// The calibration with its unknowns changed: for the propagation of their errors.
Calibration changed(const Calibration& calibration, const CalibrationVector& change);

// The log as a prompt sensor without offsets would have written it: wrenches at the poses' instants, linear between rows; rows
// without one are left out. Its gravity is calibration.gravity_W.
model::WrenchLog calibrated_log(const model::WrenchLog& log, const Calibration& calibration,
                                WrenchFrame wrench_frame);

// Samples of a log with the calibration taken out: motion at the wrench's own instants, offsets subtracted, gravity as
// found. With `tool` also less the wrench of a body that was weighed without the object (an empty gripper's log).
Samples calibrated_samples(const model::WrenchLog& log, const Calibration& calibration,
                           const SampleOptions& sample_options = {},
                           const SmootherOptions& smoother_options = {},
                           const math::SpatialInertia* tool = nullptr);
Samples calibrated_samples(const model::WrenchLog& log, const SmoothedMotion& motion,
                           const Calibration& calibration, const SampleOptions& sample_options,
                           const math::SpatialInertia* tool = nullptr);

}  // namespace prehend::inertia
