#include <algorithm>

#include <Eigen/SparseCore>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/house/infinity.h>
#include <prehend/math/linear_program.h>
#include <prehend/math/solvers/quadratic_program_check.h>

namespace prehend::math {
namespace {

Eigen::MatrixXd stack(const Eigen::MatrixXd& top, const Eigen::MatrixXd& bottom) {
  Eigen::MatrixXd stacked(top.rows() + bottom.rows(), top.cols());
  stacked << top, bottom;
  return stacked;
}

}  // namespace

bool settle_by_linear_programs(const QuadraticProgram& scaled, double tolerance,
                               QuadraticProgramResult& result) {
  const Eigen::Index n = scaled.g.size(), p = scaled.b.size(), q = scaled.lower.size();
  LinearProgramOptions options;
  options.tolerance = tolerance;
  LinearProgram feasibility;
  feasibility.c = Eigen::VectorXd::Zero(n);
  feasibility.A = stack(scaled.A, scaled.C).sparseView();
  feasibility.row_lower.resize(p + q);
  feasibility.row_lower << scaled.b, scaled.lower;
  feasibility.row_upper.resize(p + q);
  feasibility.row_upper << scaled.b, scaled.upper;
  feasibility.lower = Eigen::VectorXd::Constant(n, -kInfinity);
  feasibility.upper = Eigen::VectorXd::Constant(n, kInfinity);
  const LinearProgramResult point = solve_linear_program(feasibility, options);
  result.iterations += point.iterations;
  if (point.status == SolverStatus::primal_infeasible) {
    Eigen::VectorXd y = point.y.head(p), z = point.y.tail(q);
    const double residual = normalise_infeasibility(scaled, y, z);
    if (residual <= tolerance) {
      result.status = SolverStatus::primal_infeasible;
      result.y = y;
      result.z = z;
      result.certificate_residual = residual;
      return true;
    }
  }
  if (point.status != SolverStatus::optimal) return false;
  result.x = point.x;

  LinearProgram recession;
  recession.c = scaled.g;
  recession.A = stack(scaled.H, stack(scaled.A, scaled.C)).sparseView();
  recession.row_lower = Eigen::VectorXd::Zero(n + p + q);
  recession.row_upper = Eigen::VectorXd::Zero(n + p + q);
  for (Eigen::Index i = 0; i < q; ++i) {
    if (scaled.lower[i] == -kInfinity) recession.row_lower[n + p + i] = -kInfinity;
    if (scaled.upper[i] == kInfinity) recession.row_upper[n + p + i] = kInfinity;
  }
  recession.lower = Eigen::VectorXd::Constant(n, -1.0);
  recession.upper = Eigen::VectorXd::Constant(n, 1.0);
  const LinearProgramResult direction = solve_linear_program(recession, options);
  result.iterations += direction.iterations;
  if (direction.status != SolverStatus::optimal) return false;
  Eigen::VectorXd ray = direction.x;
  const double residual = normalise_ray(scaled, ray);
  if (residual > tolerance) return false;
  result.status = SolverStatus::dual_infeasible;
  result.ray = ray;
  result.certificate_residual = residual;
  result.residuals = {};
  result.residuals.primal = point.residuals.primal;
  return true;
}

void polish(const QuadraticProgram& scaled, QuadraticProgramResult& result) {
  const Eigen::Index n = scaled.g.size(), p = scaled.b.size();
  if (result.x.size() != n || !result.x.allFinite() || !result.y.allFinite() || !result.z.allFinite()) return;
  std::vector<Eigen::Index> active;
  for (Eigen::Index i = 0; i < result.z.size(); ++i) {
    if (result.z[i] != 0.0) active.push_back(i);
  }
  const auto k = static_cast<Eigen::Index>(active.size()), size = n + p + k;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd right(size);
  K.topLeftCorner(n, n) = scaled.H;
  K.block(n, 0, p, n) = scaled.A;
  right << -scaled.g, scaled.b, Eigen::VectorXd::Zero(k);
  for (Eigen::Index a = 0; a < k; ++a) {
    const Eigen::Index i = active[static_cast<std::size_t>(a)];
    K.row(n + p + a).head(n) = scaled.C.row(i);
    right[n + p + a] = result.z[i] > 0.0 ? scaled.upper[i] : scaled.lower[i];
  }
  K.topRightCorner(n, p + k) = K.bottomLeftCorner(p + k, n).transpose();
  Eigen::VectorXd solution(size);
  solution << result.x, result.y, Eigen::VectorXd::Zero(k);
  for (Eigen::Index a = 0; a < k; ++a) solution[n + p + a] = result.z[active[static_cast<std::size_t>(a)]];
  // The least correction to the point at hand: dependent constraints leave K singular, and then the
  // multipliers stay near those given.
  solution += minimum_norm_solution(K, right - K * solution);
  QuadraticProgramResult polished = result;
  polished.x = solution.head(n);
  polished.y = solution.segment(n, p);
  for (Eigen::Index a = 0; a < k; ++a) polished.z[active[static_cast<std::size_t>(a)]] = solution[n + p + a];
  clean_multipliers(scaled, polished.z);
  polished.residuals = optimality_residuals(scaled, polished.x, polished.y, polished.z);
  if (polished.residuals.largest() < result.residuals.largest()) result = polished;
}

}  // namespace prehend::math
