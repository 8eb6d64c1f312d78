// The wrench of a known load: what force control subtracts, and what hangs below the sensor besides the object.
//
// All wrenches are those the sensor exerts on the load, about the sensor's origin S in the sensor's axes, torque first.
#pragma once

#include <Eigen/Core>

#include <prehend/inertia/samples.h>
#include <prehend/math/inertia.h>
#include <prehend/math/pose.h>

namespace prehend::inertia {

// How the sensor moves, in the world's axes; zeros: at rest.
struct SensorMotion {
  Eigen::Vector3d w_W{Eigen::Vector3d::Zero()};   // [rad/s]
  Eigen::Vector3d a_W{Eigen::Vector3d::Zero()};   // [m/s^2] of the origin, ordinary acceleration
  Eigen::Vector3d al_W{Eigen::Vector3d::Zero()};  // [rad/s^2]
};

// What the sensor reads because of the load alone: subtract it from a reading to see contact forces. `gravity_W` [m/s^2].
math::Vector6d payload_wrench(const math::SpatialInertia& load_S, const math::Pose& X_WS,
                              const Eigen::Vector3d& gravity_W, const SensorMotion& motion = {});

// The samples of the object alone: the wrench that moves the tool (a gripper below the sensor) taken away. Noise in the
// accelerations enters with the tool's mass; the samples' noise, where known, is widened by the tool's share.
Samples without_tool(const Samples& samples, const math::SpatialInertia& tool_S);

}  // namespace prehend::inertia
