// Rigid motions: exponential, logarithm, adjoint, Jacobians, interpolation, means.
//
// Tangent vectors are six numbers, angular part first: V = [w; v] (rad, m). X = exp(V) is the motion of a body that
// keeps the body-fixed twist V for unit time. Perturbations: exp(J_l(V) dV) exp(V) = exp(V + dV) = exp(V) exp(J_r(V) dV).
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include <prehend/math/pose.h>

namespace prehend::math {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

Pose exp_se3(const Vector6d& V);
Vector6d log_se3(const Pose& X);

// V_A = adjoint(X_AB) V_B: the same motion, seen from A (angular first: [R 0; [p]x R, R]).
Matrix6d adjoint(const Pose& X_AB);
// Lie bracket: ad(V) W = d/dt adjoint(exp(tV)) W at t = 0.
Matrix6d lie_bracket(const Vector6d& V);

Matrix6d left_jacobian_se3(const Vector6d& V);
Matrix6d right_jacobian_se3(const Vector6d& V);
Matrix6d inverse_left_jacobian_se3(const Vector6d& V);
Matrix6d inverse_right_jacobian_se3(const Vector6d& V);

// The screw motion from a to b; t = 0 gives a, t = 1 gives b. Does not depend on the choice of world frame.
Pose interpolate(const Pose& a, const Pose& b, double t);
// Straight line for the origin, great circle for the orientation: what most controllers follow.
Pose interpolate_decoupled(const Pose& a, const Pose& b, double t);

// The pose at which the weighted logarithms to all poses sum to zero (bi-invariant mean). Empty when there are no
// poses, weights are not positive or sizes differ, or the iteration does not converge (orientations too far apart).
std::optional<Pose> mean_pose(std::span<const Pose> poses, std::span<const double> weights = {});

}  // namespace prehend::math
