// Motions of a held object with exact derivatives, what a sensor records on them, and the noise of the source's trials.
//
// Two motions: stop and go (source N, 3.2.4: gravity along each axis of the sensor in turn, standing still between quick
// turns; minimum jerk between poses) and a wrist on sinusoids (source N, 3.14: the last three joints of a six-joint arm,
// 45 degrees, frequencies in the ratio 0.10 : 0.13 : 0.16; as printed, t counts the simulation's steps of 1/240 s).
// Velocities and accelerations are closed forms; the wrench follows from the body's inertia. Noise comes afterwards.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/samples.h>
#include <prehend/math/inertia.h>
#include <prehend/math/pose.h>
#include <prehend/math/random.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

// The sensor's frame at one instant, in the world's axes.
struct MotionState {
  double t{0.0};  // [s]
  math::Pose X_WS;
  Eigen::Vector3d v{Eigen::Vector3d::Zero()};   // [m/s] of the origin
  Eigen::Vector3d w{Eigen::Vector3d::Zero()};   // [rad/s]
  Eigen::Vector3d a{Eigen::Vector3d::Zero()};   // [m/s^2] of the origin
  Eigen::Vector3d al{Eigen::Vector3d::Zero()};  // [rad/s^2]
};

struct StopAndGoOptions {
  double duration{10.0};  // [s] positive
  double rate{100.0};     // [1/s] positive
  double turn_min{0.7};   // [s] a turn between two poses lasts between these; positive
  double turn_max{1.6};   // [s]
  double rest{0.7};       // [s] standing still at each pose; not negative
  double travel{0.1};     // [m] the origin moves about as far between poses; not negative
};
// Throws std::invalid_argument for options out of range, as below.
std::vector<MotionState> stop_and_go_motion(math::RandomStream& stream, const StopAndGoOptions& options = {});

struct WristMotionOptions {
  double mean_speed{1.0};  // [rad/s] mean angular speed over the 35 s of the whole motion; positive
  double duration{1.5};    // [s] of it that is recorded, from the start; positive
  double rate{100.0};      // [1/s] positive
  double start{0.0};       // [s] of the whole motion, at mean_speed
  double flange{0.14};  // [m] from the wrist's centre to the sensor; 1 rad/s then gives the source's 0.14 m/s
};
std::vector<MotionState> wrist_motion(const WristMotionOptions& options = {});

// Exact recording, wrench in the world's axes. `body_S`: inertia in the sensor's frame.
model::WrenchLog record_motion(const std::vector<MotionState>& motion, const math::SpatialInertia& body_S,
                               const math::Pose& X_SO, const Eigen::Vector3d& gravity_W);

// Source N, tables 3.2 and 3.7: standard deviations per axis of added noise.
struct NoiseLevel {
  const char* name;
  SampleNoise noise;
};
const std::array<NoiseLevel, 4>& source_noise_levels();  // none, low, moderate, high

// Adds white noise to accelerations and wrench (what the source does), in the world's axes. Poses and twists stay.
void add_noise(model::WrenchLog& log, const SampleNoise& noise, math::RandomStream& stream);
// Adds white noise to the sensor's poses (position [m] and rotation [rad], per axis).
void add_pose_noise(model::WrenchLog& log, double position, double angle, math::RandomStream& stream);

}  // namespace prehend::inertia
