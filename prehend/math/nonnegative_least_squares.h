// Non-negative least squares:  minimise 1/2 |A x - b|^2 + ridge/2 |x|^2  subject to  x >= 0.
//
// Two routes to the same minimiser, both on columns scaled to unit length:
//   normal equations  block principal pivoting (Portugal, Judice, Vicente 1994) on A'A: a few Cholesky
//                     factorisations. Loses twice the digits of the condition number, so it gives up when a
//                     column lies within 1e-4 of the span of the others.
//   orthogonal        the active-set method of Lawson and Hanson (1974, chapter 23) on an updated QR
//                     factorisation; dependent columns are recognised and left out.
// Where A is rank-deficient, one of the minimisers is returned. Degenerate problems cannot cycle: a set is
// entered again only after the residual has fallen.
//
// Cost for m x n: m n^2 to form A'A or R, then about ten factorisations k^3 / 3, or k updates of 4 n^2 (k
// unknowns > 0).
#pragma once

#include <limits>
#include <string>

#include <Eigen/Core>

#include <prehend/math/solver_status.h>

namespace prehend::math {

enum class NonnegativeLeastSquaresRoute { automatic, normal_equations, orthogonal };

struct NonnegativeLeastSquaresOptions {
  // Weight of |x|^2, in the squared units of A; zero means none.
  double ridge{0.0};
  // Largest residual of an answer, see the Result. Both routes reach some 1e-15 times the number of unknowns.
  double tolerance{1e-10};
  // Exchanges of unknowns (orthogonal) or of sets (normal equations); a problem usually needs fewer than
  // unknowns.
  int max_iterations{20000};
  // `automatic` takes the normal equations and goes over to the orthogonal route when they are not accurate
  // enough.
  NonnegativeLeastSquaresRoute route{NonnegativeLeastSquaresRoute::automatic};
};

struct NonnegativeLeastSquaresResult {
  // optimal, iteration_limit or numerical_error: the problem is always feasible and bounded.
  SolverStatus status{SolverStatus::numerical_error};
  Eigen::VectorXd x;  // no entry is negative, not even by rounding
  // Gradient A'(A x - b) + ridge x: zero where x is positive, non-negative elsewhere. (The multiplier of x >=
  // 0 in the sign convention of solver_status.h is its negative.)
  Eigen::VectorXd gradient;
  double objective{std::numeric_limits<double>::infinity()};      // 1/2 |A x - b|^2 + ridge/2 |x|^2
  double residual_norm{std::numeric_limits<double>::infinity()};  // |A x - b|
  // dual: largest wrong gradient entry relative to |a_j| (|b| + sum of |a_k| x_k); gap: x'gradient relative
  // to
  // (|b| + sum of |a_k| x_k)^2. Both are free of units and of the scaling of columns.
  SolverResiduals residuals;
  int iterations{0};
  NonnegativeLeastSquaresRoute route{
      NonnegativeLeastSquaresRoute::automatic};  // the one that gave the answer

  std::string brief_report() const;
};

// Throws std::invalid_argument when sizes do not fit, a number is not finite, or an option is out of range.
NonnegativeLeastSquaresResult solve_nonnegative_least_squares(
    const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const NonnegativeLeastSquaresOptions& options = {});

}  // namespace prehend::math
