// What the solvers of this room have in common: how a solve ended, how well the answer was checked, how it is
// reported.
//
// The wrappers never hand on a library's word: `optimal` is said only after the conditions of optimality were
// computed here from the problem's data, `primal_infeasible` and `dual_infeasible` only with a certificate
// that was multiplied out here. One sign convention holds for all multipliers: the gradient of the cost plus
// the transposed constraints times their multipliers is zero, and a multiplier is positive at an upper bound,
// negative at a lower bound.
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace prehend::math {

enum class SolverStatus {
  numerical_error,    // no answer passed the check; also the value of a Result that nobody filled
  optimal,            // the conditions of optimality hold to the tolerance
  primal_infeasible,  // no point satisfies the constraints; a certificate proves it
  dual_infeasible,    // unbounded: feasible, and the cost falls for ever along a certified direction
  iteration_limit,    // stopped; the point is the last one and proves nothing
};

// "optimal", "primal_infeasible", ...: the words of reports and JSON documents.
std::string_view to_string(SolverStatus status);

// How far an answer is from satisfying the conditions of optimality. Free of units: measured in the
// equilibrated problem (rows, columns, cost and right-hand side brought near one), relative to the larger of
// one and the size of the unknowns, so that a problem in millimetres and the same in kilometres have the same
// residuals.
struct SolverResiduals {
  double primal{std::numeric_limits<double>::infinity()};  // violated constraints
  double dual{
      std::numeric_limits<double>::infinity()};         // gradient of the Lagrangian, multipliers of no bound
  double gap{std::numeric_limits<double>::infinity()};  // cost minus dual cost

  double largest() const;  // infinite when one of them is not a number
};

// One line: status, objective, residuals (or the certificate's), iterations.
struct SolverSummary {
  std::string_view solver;
  SolverStatus status{SolverStatus::numerical_error};
  double objective{0.0};
  SolverResiduals residuals;
  double certificate_residual{std::numeric_limits<double>::infinity()};
  int iterations{0};
};
std::string brief_report(const SolverSummary& summary);

}  // namespace prehend::math
