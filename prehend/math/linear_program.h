// Linear programs:  minimise c'x  subject to  row_lower <= A x <= row_upper,  lower <= x <= upper.
//
// Solved by the simplex method of COIN-OR Clp in equilibrated units (powers of two, so that scaling rounds
// nothing). After a change of bounds the dual simplex, after a change of the cost the primal simplex goes on
// from the last basis. An answer is checked here against the data; a certificate that Clp does not give, or
// that does not hold, is sought by two further programs that are feasible and bounded by construction:
//   least violation (its multipliers prove infeasibility) and steepest recession direction (proves
//   unboundedness).
// Cost: a cold solve takes of the order of rows + columns pivots, a warm one after a small change a few.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <prehend/math/solver_status.h>

namespace prehend::math {

// Bounds may be infinite; an equation is a row with equal bounds. A may have no rows.
struct LinearProgram {
  Eigen::VectorXd c;
  Eigen::SparseMatrix<double> A;
  Eigen::VectorXd row_lower, row_upper;
  Eigen::VectorXd lower, upper;
};

struct LinearProgramOptions {
  // Largest residual (see SolverResiduals) of an answer, and of a certificate. Simplex answers are vertices
  // computed to rounding, some 1e-12; 1e-8 leaves room for badly conditioned bases.
  double tolerance{1e-8};
  // Pivots in all attempts together; far above what simplex needs at sizes that fit this room (10 000 rows).
  int max_iterations{200000};
};

struct LinearProgramResult {
  SolverStatus status{SolverStatus::numerical_error};
  // optimal: the minimiser. dual_infeasible: a feasible point. iteration_limit, numerical_error: the last
  // point. primal_infeasible: empty.
  Eigen::VectorXd x;
  // optimal: multipliers of the rows and of the bounds of x,  c + A'y + w = 0.
  // primal_infeasible: Farkas certificate, A'y + w = 0 with  sum over rows and bounds of
  // (multiplier * upper where positive, * lower where negative) = -1: no x can satisfy what adds up to 0 <=
  // -1.
  Eigen::VectorXd y, w;
  // dual_infeasible: direction along which feasibility is kept and the cost falls, c'ray = -1. Otherwise
  // empty.
  Eigen::VectorXd ray;
  // +infinity when primal_infeasible, -infinity when dual_infeasible.
  double objective{std::numeric_limits<double>::infinity()};
  SolverResiduals residuals;
  // Of the certificate: violation per unit of proof, equilibrated. A feasible point would have to be about
  // the inverse of it times as large as the problem's own scale.
  double certificate_residual{std::numeric_limits<double>::infinity()};
  int iterations{0};

  std::string brief_report() const;
};

// Throws std::invalid_argument when sizes do not fit, a bound exceeds its partner, or a number is not finite
// where it must be.
LinearProgramResult solve_linear_program(const LinearProgram& program,
                                         const LinearProgramOptions& options = {});

// Keeps the basis between solves of programs with the same matrix. Not for use by two threads at a time.
class LinearProgramSolver {
 public:
  explicit LinearProgramSolver(LinearProgram program, const LinearProgramOptions& options = {});
  ~LinearProgramSolver();
  LinearProgramSolver(LinearProgramSolver&&) noexcept;
  LinearProgramSolver& operator=(LinearProgramSolver&&) noexcept;

  void set_objective(const Eigen::VectorXd& c);
  void set_bounds(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper);
  void set_row_bounds(const Eigen::VectorXd& row_lower, const Eigen::VectorXd& row_upper);
  const LinearProgram& program() const;

  LinearProgramResult solve();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace prehend::math
