// What estimators share once they have parameters: residuals, the noise those show, and the covariance it causes.
#pragma once

#include <span>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/methods/normal_equations.h>

namespace prehend::inertia {

// Writes body, consistency, residuals and number of samples. A mass of zero has no centre of mass: status `failed` then.
void report_fit(const NormalEquations& sums, const math::Vector10d& phi, Estimate& estimate);

// Variances per component of what rigid-body motion cannot explain: the wrench's noise, and the accelerations' through it.
struct RowVariances {
  double force{0.0};   // [N^2]
  double torque{0.0};  // [(N m)^2]
};
// `phi` only serves recordings of three samples or fewer.
RowVariances row_variances(const NormalEquations& sums, const math::Vector10d& phi);

// First-order covariance of phi for an estimator whose normal matrix has the inverse `inverse_normal` (rows weighted):
// H^-1 (sum of w^4 s^2 a a^T) H^-1, right also where forces and torques are weighted otherwise than by their noise.
math::Matrix10d wrench_noise_covariance(const NormalEquations& sums, const math::Matrix10d& inverse_normal,
                                        const RowWeights& weights, const RowVariances& variances);

// Variance of slow sums of residuals over that of independent rows, 1 + 2 sum of autocorrelations over ten rows (Newey 1987), over more where residuals last longer, at least 1:
// errors of smoothed or interpolated motion last several rows, and such rows tell less than they seem to.
struct Persistence {
  double force{1.0}, torque{1.0};
};
struct PersistenceOptions {
  double force_unknowns{4.0}, torque_unknowns{9.0};  // that were fitted to each kind of rows
  bool long_memory{true};                            // false: ten rows at most
};
Persistence persistence_of(const math::SpatialInertia& body, std::span<const Sample> samples,
                           const PersistenceOptions& options = {});

// As it is shown: components below a thousandth of the deviation are zero.
Eigen::Vector3d without_rounding(const Eigen::Vector3d& value, double deviation);

}  // namespace prehend::inertia
