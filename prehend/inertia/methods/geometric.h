// Least squares held near a prior body by the log-det divergence of pseudo inertias (`geo`; Lee, Wensing, Park 2019).
//
//   minimise  sum over all rows (A phi - b)^2  +  alpha trace(A^T A) D(J(phi) || J0),
//   D = trace(J0^-1 J) - log det(J0^-1 J) - 4,
// J the 4x4 pseudo inertia (math/inertia.h). D does not depend on frame or units, is zero at the prior and infinite on the
// boundary of the bodies that can exist, so the result is always one of them. Prior: the homogeneous object of the mass
// that least squares finds, posed by X_SO; from a box where only a box is known.
//
// Ten unknowns: damped Newton on the divergence itself, in coordinates where J0 is the identity (the prior's Hessian is then
// the identity too), exact line searches inside the cone, the rows' weight raised in steps from the prior. No cone solver;
// about eight Newton steps at the default weight, twenty at 1e-11. Rows are compressed to a 10 x 10 triangle first.
#pragma once

#include <span>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/methods/normal_equations.h>

namespace prehend::inertia {

struct GeometricOptions {
  // Weight of the divergence relative to trace(A^T A), as the method's authors scale it: 1e-5 (source N, table 3.8) then
  // means the same for ten samples and ten thousand. A fixed weight would fade as samples come in.
  double alpha{1e-5};
  RowWeights weights{};
  // Newton stops when the decrement promises less than this share of the objective.
  double tolerance{1e-13};
  int max_iterations{100};
  // As for least squares; only for the report of what the data tell.
  double rank_tolerance{1e-7};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

// `prior_S`: a body with extent in all directions, in the sensor's frame; its pseudo inertia must be positive definite
// (std::invalid_argument otherwise).
Estimate geometric(const NormalEquations& sums, const math::SpatialInertia& prior_S,
                   const GeometricOptions& options = {});

// The same with the prior made here: the homogeneous object of the mass that least squares finds. Status `failed` when
// that mass is not positive, `undetermined` when the data do not tell it.
Estimate geometric(const NormalEquations& sums, const Shape& shape, const math::Pose& X_SO,
                   const GeometricOptions& options = {});

// The objective above, for parameters of anybody's finding; infinite where the body cannot exist.
double geometric_objective(const NormalEquations& sums, const math::SpatialInertia& prior_S,
                           const math::Vector10d& phi, const GeometricOptions& options = {});

// The homogeneous object (or, without points, the full box) of the given mass, in S. Throws std::invalid_argument when
// the mass is not positive or the shape is empty.
math::SpatialInertia homogeneous_prior(const Shape& shape, const math::Pose& X_SO, double mass);

}  // namespace prehend::inertia
