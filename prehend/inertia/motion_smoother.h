// How the sensor moved, from what the log has of it: poses alone, or with twists, or with accelerations as well.
//
// A Kalman smoother on SE(3): the state is pose, twist and acceleration, the jerk is white noise. Translation is three
// linear chains (motion_chain.h). Rotation is smoothed in
// the tangent space of the world's axes, where the integral of the angular velocity is a linear chain too.
//
// Accuracy: fourth order in the step for a motion with bounded derivatives (noise-free poses at 100 Hz); near-optimal
// weighting of all columns otherwise. Errors of neighbouring samples are correlated over the smoother's memory. Noise
// levels and the liveliness of the motion come from the log (motion_noise.h) unless stated. Steps may differ in length and
// rows may be missing. Between rows a rotation beyond pi cannot be distinguished from its complement. Cost: linear in rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/samples.h>
#include <prehend/math/pose.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

// Standard deviations per axis of the columns of a log, and the square roots of the jerks' densities.
struct MotionNoise {
  std::optional<double> position;              // [m]
  std::optional<double> rotation;              // [rad]
  std::optional<double> linear_velocity;       // [m/s]
  std::optional<double> angular_velocity;      // [rad/s]
  std::optional<double> linear_acceleration;   // [m/s^2]
  std::optional<double> angular_acceleration;  // [rad/s^2]
  std::optional<double> linear_jerk;           // [m/s^2.5]
  std::optional<double> angular_jerk;          // [rad/s^2.5]
};

struct SmootherOptions {
  // What is known; what is absent is estimated. Must be positive.
  MotionNoise noise{};
  // Columns of the log that may be used beside the poses.
  bool use_twist{true};
  bool use_acceleration{true};
  // [s] half width of the window within which the motion is taken as equally lively; 0: the same at all times. Robots
  // change between rest and motion within some tenths of a second.
  double window{0.2};

  void validate() const;
};

enum class SmootherStatus { failed, ok };

// World's axes; standard deviations are per axis, of the posterior.
struct SmoothedMotion {
  SmootherStatus status{SmootherStatus::failed};
  std::vector<double> t;                     // [s]
  std::vector<math::Pose> X_WS;              //
  std::vector<Eigen::Vector3d> v_W, w_W;     // [m/s] [rad/s]
  std::vector<Eigen::Vector3d> a_W, al_W;    // [m/s^2] [rad/s^2]
  std::vector<double> std_a, std_w, std_al;  // [m/s^2] [rad/s] [rad/s^2]
  std::vector<double> std_p, std_R;          // [m] [rad]
  MotionNoise noise;                         // as stated or found; columns that were not there stay empty
  int iterations{0};                         // of the rotation
  std::string brief_report() const;
};

// Throws std::invalid_argument for invalid options or a log whose columns differ in length, have fewer than three rows
// or times that run backwards.
SmoothedMotion smooth_motion(const model::WrenchLog& log, const SmootherOptions& options = {});

// The samples of prepare_samples with this motion instead of the log's. noise.a, w, al are root mean squares of the
// posterior's standard deviations; the wrench is as in the log and its noise is left at zero: found by estimators. An
// acceleration or turning that over the whole log never rises above its own error is set to rest, exactly.
Samples smoothed_samples(const model::WrenchLog& log, const SmoothedMotion& motion,
                         const SampleOptions& options);
Samples smooth_samples(const model::WrenchLog& log, const SampleOptions& sample_options = {},
                       const SmootherOptions& smoother_options = {});

// The tangent-space increment of a rotation whose angular velocity goes from w0 to w1 and angular acceleration from al0
// to al1 within h seconds is the integral of w plus this (world's axes). Exact to fifth order in h.
Eigen::Vector3d noncommuting_part(const Eigen::Vector3d& w0, const Eigen::Vector3d& al0,
                                  const Eigen::Vector3d& w1, const Eigen::Vector3d& al1, double h);

}  // namespace prehend::inertia
