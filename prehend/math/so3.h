// Rotations: exponential, logarithm, Jacobians, means.
//
// Rotation vectors w (axis times angle, rad) and unit quaternions; the logarithm has angle in [0, pi], and both q and
// -q give the same vector. Everything is smooth through zero: quotients such as (1 - cos)/theta^2 are evaluated from
// half angles or by series, never by cancelling differences.
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace prehend::math {

// Cross-product matrix: skew(a) * b = a x b.
Eigen::Matrix3d skew(const Eigen::Vector3d& a);
// The vector of a skew-symmetric matrix (the symmetric part is ignored).
Eigen::Vector3d vee(const Eigen::Matrix3d& a);

Eigen::Quaterniond exp_so3(const Eigen::Vector3d& w);
Eigen::Vector3d log_so3(const Eigen::Quaterniond& q);
Eigen::Vector3d log_so3(const Eigen::Matrix3d& R);

// exp(w + dw) = exp(J_l(w) dw) exp(w) = exp(w) exp(J_r(w) dw) to first order; J_r(w) = J_l(-w) = J_l(w)^T.
Eigen::Matrix3d left_jacobian_so3(const Eigen::Vector3d& w);
Eigen::Matrix3d right_jacobian_so3(const Eigen::Vector3d& w);
// Inverses; singular at angles that are non-zero multiples of 2 pi, which no logarithm reaches.
Eigen::Matrix3d inverse_left_jacobian_so3(const Eigen::Vector3d& w);
Eigen::Matrix3d inverse_right_jacobian_so3(const Eigen::Vector3d& w);

// The smallest rotation that turns `from` into the direction of `to`; opposite directions: by pi about some axis across.
// Not Eigen's FromTwoVectors: its quaternions are off by 1e-5 next to opposite directions, and its templates take eight seconds to compile.
Eigen::Quaterniond rotation_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

// Along the shortest great circle; t = 0 gives a, t = 1 gives b.
Eigen::Quaterniond interpolate(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b, double t);

// The rotation nearest to M in the Frobenius norm (SVD); M must have rank 2 at least.
Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& M);

// The rotation that minimises the weighted sum of squared chordal distances (closed form: leading eigenvector of the
// sum of q q^T). Empty when there are no rotations, the weights are not positive, or the mean is not unique.
std::optional<Eigen::Quaterniond> chordal_mean(std::span<const Eigen::Quaterniond> rotations,
                                               std::span<const double> weights = {});

// The Karcher mean: minimises the weighted sum of squared angles. Found by Gauss-Newton from the chordal mean; unique
// when all rotations lie within pi/2 of some rotation. Empty as above, or when 100 iterations do not converge.
std::optional<Eigen::Quaterniond> geodesic_mean(std::span<const Eigen::Quaterniond> rotations,
                                                std::span<const double> weights = {});

namespace detail {
// Coefficients of the exponential series, each smooth at zero; t2 = theta^2.
double sinc_term(double t2);     // sin t / t
double cosc_term(double t2);     // (1 - cos t) / t^2
double cubic_term(double t2);    // (t - sin t) / t^3
double quartic_term(double t2);  // (t^2/2 - 1 + cos t) / t^4
double quintic_term(double t2);  // (t^3/6 - t + sin t) / t^5
double inverse_term(double t2);  // (1 - (t/2) cot(t/2)) / t^2
}  // namespace detail

}  // namespace prehend::math
