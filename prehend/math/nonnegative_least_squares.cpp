#include <algorithm>
#include <cmath>

#include <prehend/math/house/option_check.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/solvers/nonnegative_least_squares_routes.h>
#include <prehend/math/solvers/solver_input.h>

namespace prehend::math {
namespace {

constexpr const char* kNonnegativeName = "non-negative least squares";
using Route = NonnegativeLeastSquaresRoute;

void validate(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
              const NonnegativeLeastSquaresOptions& options) {
  solver_input::require_at_least_one_unknown(kNonnegativeName, A.cols());
  solver_input::require_size(kNonnegativeName, "number of entries of b", b.size(), A.rows());
  solver_input::require_finite_matrix(kNonnegativeName, "A", A);
  solver_input::require_finite(kNonnegativeName, "b", b);
  const OptionCheck check("NonnegativeLeastSquaresOptions");
  check.at_least("ridge", options.ridge, 0.0);
  check.strictly_between("tolerance", options.tolerance, 0.0, 0.1);
  check.at_least("max_iterations", options.max_iterations, 1);
}

double nonzero(double value) { return value > 0.0 ? value : 1.0; }

// Columns and right-hand side at length one, the ridge as further rows.
struct UnitProblem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b, column_length;
  double right_length{1.0};
};

UnitProblem unit_problem(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double ridge) {
  const Eigen::Index m = A.rows(), n = A.cols(), extra = ridge > 0.0 ? n : 0;
  UnitProblem unit{Eigen::MatrixXd::Zero(m + extra, n), Eigen::VectorXd::Zero(m + extra), Eigen::VectorXd(n)};
  unit.A.topRows(m) = A;
  unit.A.bottomRows(extra).diagonal().setConstant(std::sqrt(ridge));
  unit.b.head(m) = b;
  // stableNorm: the squares of 1e-200 or 1e200 are zero or infinite.
  for (Eigen::Index j = 0; j < n; ++j) unit.column_length[j] = nonzero(unit.A.col(j).stableNorm());
  unit.A.array().rowwise() /= unit.column_length.transpose().array();
  unit.right_length = m > 0 ? nonzero(b.stableNorm()) : 1.0;
  unit.b /= unit.right_length;
  return unit;
}

SolverResiduals optimality_residuals(const UnitProblem& unit, const Eigen::VectorXd& x) {
  SolverResiduals residuals;
  if (!x.allFinite()) return residuals;
  const Eigen::VectorXd gradient = unit.A.transpose() * (unit.A * x - unit.b);
  const double size = unit.b.norm() + x.lpNorm<1>();
  double wrong = 0.0;
  for (Eigen::Index j = 0; j < x.size(); ++j)
    wrong = std::max(wrong, x[j] > 0.0 ? std::abs(gradient[j]) : -gradient[j]);
  residuals.primal = std::max(0.0, -x.minCoeff());
  residuals.dual = wrong / nonzero(size);
  residuals.gap = std::abs(x.dot(gradient)) / nonzero(size * size);
  return residuals;
}

}  // namespace

NonnegativeLeastSquaresResult solve_nonnegative_least_squares(const Eigen::MatrixXd& A,
                                                              const Eigen::VectorXd& b,
                                                              const NonnegativeLeastSquaresOptions& options) {
  validate(A, b, options);
  const UnitProblem unit = unit_problem(A, b, options.ridge);
  NonnegativeLeastSquaresResult result;
  ActiveSetAnswer answer;
  const auto take = [&](Route route) {
    result.route = route;
    result.iterations += answer.iterations;
    result.residuals = optimality_residuals(unit, answer.x);
    return answer.converged && result.residuals.largest() <= options.tolerance;
  };
  bool optimal = false;
  if (options.route != Route::orthogonal) {
    answer = block_principal_pivoting(unit.A, unit.b, options.max_iterations);
    optimal = take(Route::normal_equations);
  }
  if (!optimal && options.route != Route::normal_equations) {
    answer = lawson_hanson(unit.A, unit.b, options.max_iterations);
    optimal = take(Route::orthogonal);
  }
  if (optimal) {
    result.status = SolverStatus::optimal;
  } else {
    result.status = answer.iterations >= options.max_iterations ? SolverStatus::iteration_limit
                                                                : SolverStatus::numerical_error;
  }
  result.x = answer.x.cwiseMax(0.0).cwiseQuotient(unit.column_length) * unit.right_length;
  const Eigen::VectorXd misfit = A * result.x - b;
  result.gradient = A.transpose() * misfit + options.ridge * result.x;
  result.residual_norm = misfit.norm();
  result.objective = 0.5 * misfit.squaredNorm() + 0.5 * options.ridge * result.x.squaredNorm();
  return result;
}

std::string NonnegativeLeastSquaresResult::brief_report() const {
  return math::brief_report({kNonnegativeName, status, objective, residuals,
                             std::numeric_limits<double>::infinity(), iterations}) +
         (route == Route::normal_equations ? " (normal equations)" : " (orthogonal)");
}

}  // namespace prehend::math
