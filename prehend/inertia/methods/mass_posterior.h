// What the masses of points or parts say about the ten parameters, with their uncertainty.
#pragma once

#include <prehend/inertia/methods/blended_sums.h>
#include <prehend/inertia/methods/nonnegative_masses.h>

namespace prehend::inertia {

// Covariance of phi = P m (P 10 x n) around a solution: normal posterior of the positive masses, the others held at zero.
//   P (D + P^T R^T R P)^-1 P^T = B - B R^T (I + R B R^T)^-1 R B,  B = P D^-1 P^T over the positive ones.
math::Matrix10d mass_posterior(const MassData& P, const math::Matrix10d& R, const Eigen::VectorXd& d,
                               const Eigen::VectorXd& m);

}  // namespace prehend::inertia
