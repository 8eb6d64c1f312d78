// Convex quadratic programs:  minimise 1/2 x'Hx + g'x  subject to  A x = b,  lower <= C x <= upper;  dense.
//
// Solved by a proximal method of multipliers in equilibrated units (as ProxQP does: Bambade et al., RSS 2022). The
// answer is checked against the data. Where the iteration does not end with an answer that holds, the two questions
// that it leaves open are linear programs and are settled exactly by linear_program.h:
//   is there a point with A x = b, lower <= C x <= upper (if not: Farkas certificate), and
//   is there a direction d with H d = 0, A d = 0, C d towards no finite bound, g'd < 0 (if so: unbounded).
// H must be symmetric and positive semidefinite; it may be zero. Cost: 5 to 50 Newton steps, each with one Cholesky
// factorisation of size n, whatever the number of constraints.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include <Eigen/Core>

#include <prehend/math/solver_status.h>

namespace prehend::math {

// A and C may have no rows; bounds may be infinite.
struct QuadraticProgram {
  Eigen::MatrixXd H;
  Eigen::VectorXd g;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  Eigen::MatrixXd C;
  Eigen::VectorXd lower, upper;
};

struct QuadraticProgramOptions {
  // Largest residual (see SolverResiduals) of an answer, and of a certificate. The method converges linearly
  // at the end: each further digit costs an iteration or two, and below 1e-10 rounding in the factorisation
  // stops it.
  double tolerance{1e-8};
  // Proximal (outer) iterations; each takes at most 100 Newton steps. Ordinary problems need 5 to 20.
  int max_iterations{200};
  // Largest negative eigenvalue of H, relative to its largest entry after equilibration, that passes as
  // rounding of a semidefinite matrix.
  double convexity_tolerance{1e-9};
};

struct QuadraticProgramResult {
  SolverStatus status{SolverStatus::numerical_error};
  // optimal: the minimiser. dual_infeasible: a feasible point. iteration_limit, numerical_error: the last
  // point. primal_infeasible: empty.
  Eigen::VectorXd x;
  // optimal: multipliers,  H x + g + A'y + C'z = 0.
  // primal_infeasible: Farkas certificate, A'y + C'z = 0 with  b'y + sum(upper * z where positive, lower * z
  // where negative) = -1: no x can satisfy what adds up to 0 <= -1.
  Eigen::VectorXd y, z;
  // dual_infeasible: direction along which feasibility is kept, H ray = 0 and g'ray = -1. Otherwise empty.
  Eigen::VectorXd ray;
  // +infinity when primal_infeasible, -infinity when dual_infeasible.
  double objective{std::numeric_limits<double>::infinity()};
  SolverResiduals residuals;
  // Of the certificate: violation per unit of proof, equilibrated.
  double certificate_residual{std::numeric_limits<double>::infinity()};
  int iterations{0};  // Newton steps, and pivots where linear programs were needed

  std::string brief_report() const;
};

// Throws std::invalid_argument when sizes do not fit, a bound exceeds its partner, a number is not finite
// where it must be, or H is not symmetric or not positive semidefinite.
QuadraticProgramResult solve_quadratic_program(const QuadraticProgram& program,
                                               const QuadraticProgramOptions& options = {});

// Keeps the workspace and the last minimiser: a program of the same size starts from there. The answer is the
// same to the tolerance, only sooner. Not for use by two threads at a time.
class QuadraticProgramSolver {
 public:
  explicit QuadraticProgramSolver(const QuadraticProgramOptions& options = {});
  ~QuadraticProgramSolver();
  QuadraticProgramSolver(QuadraticProgramSolver&&) noexcept;
  QuadraticProgramSolver& operator=(QuadraticProgramSolver&&) noexcept;

  QuadraticProgramResult solve(const QuadraticProgram& program);
  // The next solve starts cold.
  void forget();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace prehend::math
