#include <numeric>

#include <prehend/math/cone_program.h>

namespace prehend::math {

int ConeDimensions::rows() const {
  return nonnegative + std::accumulate(second_order.begin(), second_order.end(), 0) + kPsd4Rows * psd4;
}

std::string ConeResult::brief_report() const {
  const double proof = status == SolverStatus::primal_infeasible ? dual_residual : primal_residual;
  return math::brief_report(
      {"cone program", status, primal_objective, {primal_residual, dual_residual, gap}, proof, iterations});
}

ConeResult solve_cone_program(const ConeProgram& program, const ConeOptions& options) {
  return ConeSolver(program, options).solve();
}

}  // namespace prehend::math
