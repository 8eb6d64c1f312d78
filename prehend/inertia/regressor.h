// The wrench on a rigid body is linear in its ten inertial parameters: F_S = A(motion) phi (source N, 2.97 and 3.2).
//
// Everything about the sensor's origin S, in the sensor's axes, at one instant: `a` is the ordinary acceleration of S
// less gravity (what an accelerometer at S would read), `w` and `al` the angular velocity and acceleration of the body.
//   f   = m a + al x (m c) + w x (w x (m c))
//   tau = I_S al + w x (I_S w) + (m c) x a
// phi = [m, m c, I_S (xx xy xz yy yz zz)] as in math/inertia.h. Rows: torque first, as in all our six-vectors.
#pragma once

#include <Eigen/Core>

#include <prehend/math/inertia.h>

namespace prehend::inertia {

using Regressor = Eigen::Matrix<double, 6, 10>;

// What the sensor's frame does at one instant, in its own axes.
struct Motion {
  Eigen::Vector3d a{Eigen::Vector3d::Zero()};   // [m/s^2] acceleration of the origin less gravity
  Eigen::Vector3d w{Eigen::Vector3d::Zero()};   // [rad/s]
  Eigen::Vector3d al{Eigen::Vector3d::Zero()};  // [rad/s^2]
};

Regressor wrench_regressor(const Motion& motion);

// [tau; f] that gives the body this motion: wrench_regressor(motion) * parameters, without the matrix.
math::Vector6d wrench_of(const math::SpatialInertia& body, const Motion& motion);

}  // namespace prehend::inertia
