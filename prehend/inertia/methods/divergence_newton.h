// Newton's method for the log-det divergence plus squares of rows, on symmetric 4x4 matrices Y (see geometric.h):
//   minimise  |M y - z|^2 + trace Y - log det Y,
// y the coordinates of Y in an orthonormal basis, so that the second derivative at Y = 1 is the identity. Convex; the first
// term alone need not have a unique minimum. Ten unknowns, about 2 us a step, no allocation.
#pragma once

#include <Eigen/Core>

#include <prehend/math/inertia.h>

namespace prehend::inertia {

Eigen::Matrix4d symmetric_of(const math::Vector10d& y);
math::Vector10d coordinates_of(const Eigen::Matrix4d& Y);

struct DivergenceProblem {
  math::Matrix10d M{math::Matrix10d::Zero()};
  math::Vector10d z{math::Vector10d::Zero()};
  double rest{0.0};  // a constant of the objective, for the relative tolerance
};

struct DivergenceMinimum {
  bool converged{false};
  int iterations{0};
  math::Vector10d y{math::Vector10d::Zero()};
  math::Matrix10d hessian{math::Matrix10d::Zero()};  // at y
};

// Stops when a step promises less than `tolerance` of the objective.
DivergenceMinimum minimise_divergence(const DivergenceProblem& problem, double tolerance, int max_iterations);

}  // namespace prehend::inertia
