#include <cstdio>
#include <numeric>

#include <prehend/math/cone_program.h>

namespace prehend::math {

int ConeDimensions::rows() const {
  return nonnegative + std::accumulate(second_order.begin(), second_order.end(), 0) + kPsd4Rows * psd4;
}

const char* to_string(ConeStatus status) {
  switch (status) {
    case ConeStatus::kNotSolved:
      return "not solved";
    case ConeStatus::kOptimal:
      return "optimal";
    case ConeStatus::kPrimalInfeasible:
      return "primal infeasible";
    case ConeStatus::kDualInfeasible:
      return "dual infeasible (unbounded)";
    case ConeStatus::kIterationLimit:
      return "iteration limit";
    case ConeStatus::kNumericalError:
      return "numerical error";
  }
  return "unknown";
}

std::string ConeResult::brief_report() const {
  char text[256];
  std::snprintf(text, sizeof text,
                "%s after %d iterations: objective %.9g (dual %.9g), relative gap %.1e, residuals %.1e "
                "primal, %.1e dual",
                to_string(status), iterations, primal_objective, dual_objective, gap, primal_residual,
                dual_residual);
  return text;
}

ConeResult solve_cone_program(const ConeProgram& program, const ConeOptions& options) {
  return ConeSolver(program, options).solve();
}

}  // namespace prehend::math
