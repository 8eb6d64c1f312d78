#include <algorithm>
#include <cmath>
#include <cstdio>

#include <prehend/math/solver_status.h>

namespace prehend::math {
namespace {

std::string number(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string_view to_string(SolverStatus status) {
  switch (status) {
    case SolverStatus::optimal:
      return "optimal";
    case SolverStatus::primal_infeasible:
      return "primal_infeasible";
    case SolverStatus::dual_infeasible:
      return "dual_infeasible";
    case SolverStatus::iteration_limit:
      return "iteration_limit";
    case SolverStatus::numerical_error:
      break;
  }
  return "numerical_error";
}

double SolverResiduals::largest() const {
  // std::max would drop a NaN or keep it depending on its place.
  if (std::isnan(primal) || std::isnan(dual) || std::isnan(gap))
    return std::numeric_limits<double>::infinity();
  return std::max({primal, dual, gap});
}

std::string brief_report(const SolverSummary& summary) {
  std::string text = std::string(summary.solver) + ": " + std::string(to_string(summary.status)) + " after " +
                     std::to_string(summary.iterations) + " iterations; ";
  switch (summary.status) {
    case SolverStatus::primal_infeasible:
      return text + "no point satisfies the constraints (certificate holds to " +
             number("%.1e", summary.certificate_residual) + ")";
    case SolverStatus::dual_infeasible:
      return text + "the cost falls without bound along a feasible direction (certificate holds to " +
             number("%.1e", summary.certificate_residual) + ")";
    default:
      return text + "objective " + number("%.9g", summary.objective) + "; residuals: primal " +
             number("%.1e", summary.residuals.primal) + ", dual " + number("%.1e", summary.residuals.dual) +
             ", gap " + number("%.1e", summary.residuals.gap);
  }
}

}  // namespace prehend::math
