// Least squares with a prior body in the log-det divergence of pseudo inertias (`geo`; Lee, Wensing, Park
// 2019).
//
//   minimise  sum over all rows (A phi - b)^2  +  alpha trace(A^T A) D(J(phi) || J0),
//   D = trace(J0^-1 J) - log det(J0^-1 J) - 4,
// J the 4x4 pseudo inertia (math/inertia.h). D does not depend on frame or units, is zero at the prior and
// infinite on the boundary of the physically possible bodies, so the result is always one of them. Prior: the
// homogeneous object of the mass that least squares finds, posed by X_SO; a box where only a box is known.
//
// Ten unknowns: damped Newton with exact line searches, in coordinates where J0 is the identity, the rows'
// weight raised in steps from the prior. Cost: about eight Newton steps at the default weight, twenty at
// 1e-11, on a 10 x 10 triangle.
#pragma once

#include <span>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/methods/normal_equations.h>
#include <prehend/inertia/shape.h>

namespace prehend::inertia {

// `prior_S`: a body with extent in all directions, in the sensor's frame; its pseudo inertia must be positive definite
// (std::invalid_argument otherwise).
Estimate geometric(const NormalEquations& sums, const math::SpatialInertia& prior_S,
                   const GeometricOptions& options = {});

// The same with the prior made here: the homogeneous object of the mass that least squares finds. Status `failed` when
// that mass is not positive, `undetermined` when the data do not determine it.
Estimate geometric(const NormalEquations& sums, const Shape& shape, const math::Pose& X_SO,
                   const GeometricOptions& options = {});

// The objective above, for parameters of anybody's finding; infinite where the body cannot exist.
double geometric_objective(const NormalEquations& sums, const math::SpatialInertia& prior_S,
                           const math::Vector10d& phi, const GeometricOptions& options = {});

// The homogeneous object (or, without points, the full box) of the given mass, in S. Throws std::invalid_argument when
// the mass is not positive or the shape is empty.
math::SpatialInertia homogeneous_prior(const Shape& shape, const math::Pose& X_SO, double mass);

}  // namespace prehend::inertia
