// Non-negative masses behind few data:  minimise 1/2 |Q m - r|^2 + 1/2 sum of d_i (m_i - m0_i)^2,  m >= 0.
//
// However many samples and points, their masses act through at most ten parameters, so Q has ten rows. The dual has ten
// unknowns y = r - Q m, and m_i = max(0, m0_i + q_i . y / d_i): a convex, piecewise quadratic function of y, minimised by
// Newton's method with an exact step along each line; it ends when the set of positive masses no longer changes, at the
// minimiser up to rounding. d > 0 makes it unique. Cost: about 60 n + 400 flops a step, some ten steps.
#pragma once

#include <Eigen/Core>

#include <prehend/math/inertia.h>

namespace prehend::inertia {

using MassData = Eigen::Matrix<double, 10, Eigen::Dynamic>;

struct MassProblem {
  MassData Q;          // 10 x n; rows of zeros where there are fewer data
  math::Vector10d r;   // the unit of Q m
  Eigen::VectorXd d;   // > 0, weight of the prior
  Eigen::VectorXd m0;  // [kg] its mean, zero or more
};

struct MassSolution {
  bool converged{false};
  Eigen::VectorXd m;  // [kg]
  double objective{0.0};
  int iterations{0};
};

// `y` warm-starts the dual when it is not null, and receives the solution.
MassSolution solve_masses(const MassProblem& problem, math::Vector10d* y = nullptr);

}  // namespace prehend::inertia
