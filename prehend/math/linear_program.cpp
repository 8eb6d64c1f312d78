#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <ClpSimplex.hpp>

#include <prehend/math/house/infinity.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/linear_program.h>
#include <prehend/math/solvers/linear_program_check.h>

namespace prehend::math {
namespace {

// Clp's own infinity is the largest double.
Eigen::VectorXd clp_bounds(const Eigen::VectorXd& bounds) {
  return bounds.cwiseMin(COIN_DBL_MAX).cwiseMax(-COIN_DBL_MAX);
}

void load(const LinearProgram& program, ClpSimplex& model) {
  const Eigen::VectorXd lower = clp_bounds(program.lower), upper = clp_bounds(program.upper);
  const Eigen::VectorXd row_lower = clp_bounds(program.row_lower), row_upper = clp_bounds(program.row_upper);
  const auto n = static_cast<int>(program.c.size()), m = static_cast<int>(program.A.rows());
  model.loadProblem(n, m, program.A.outerIndexPtr(), program.A.innerIndexPtr(), program.A.valuePtr(),
                    lower.data(), upper.data(), program.c.data(), row_lower.data(), row_upper.data());
}

void configure(ClpSimplex& model, double tolerance, int max_iterations) {
  model.setLogLevel(0);
  model.scaling(0);  // done here, exactly
  // A tenth of what is asked for, so that the sum over a row still passes; Clp has trouble below 1e-10.
  model.setPrimalTolerance(std::max(1e-10, 0.1 * tolerance));
  model.setDualTolerance(std::max(1e-10, 0.1 * tolerance));
  model.setMaximumIterations(max_iterations);
}

Eigen::VectorXd copy(const double* values, Eigen::Index size) {
  return values == nullptr ? Eigen::VectorXd::Zero(size).eval()
                           : Eigen::Map<const Eigen::VectorXd>(values, size).eval();
}

// A ray that Clp hands over to its caller.
Eigen::VectorXd take(double* values, Eigen::Index size) {
  const std::unique_ptr<double[]> owned(values);
  return values == nullptr ? Eigen::VectorXd() : Eigen::Map<const Eigen::VectorXd>(values, size).eval();
}

// The dual simplex leaves unknowns that cost nothing at made-up bounds of some 1e10: optimal, but with the
// digits of the others lost in the rows they share; and next to an infeasible or unbounded program a point or
// multipliers this large pass for a solution. Worth a second attempt and a look for certificates; what truly
// is this far away is kept.
bool is_far_away(const LinearProgramResult& scaled) {
  const auto far = [](const Eigen::VectorXd& v) { return v.size() > 0 && v.cwiseAbs().maxCoeff() > 1e6; };
  return scaled.status == SolverStatus::optimal && (far(scaled.x) || far(scaled.y) || far(scaled.w));
}

}  // namespace

class LinearProgramSolver::Implementation {
 public:
  Implementation(LinearProgram program, const LinearProgramOptions& options)
      : program_(std::move(program)), options_(options) {
    validate(options_);
    validate(program_);
    // A program without rows may come without a matrix, too.
    if (program_.A.rows() == 0) program_.A = Eigen::SparseMatrix<double>(0, program_.c.size());
    program_.A.makeCompressed();
    scale_ = equilibrate(program_.A);
    scaled_.A = scale_.row.asDiagonal() * program_.A * scale_.column.asDiagonal();
    scaled_.A.makeCompressed();
  }

  LinearProgramResult solve();

  LinearProgram program_;
  bool bounds_changed_{true};

 private:
  void send_to_clp();
  bool settle(LinearProgramResult& result);
  bool prove_infeasibility(LinearProgramResult& result, Eigen::VectorXd& feasible_point);
  bool prove_unboundedness(LinearProgramResult& result, const Eigen::VectorXd& feasible_point);
  void unscale(LinearProgramResult& result) const;

  LinearProgramOptions options_;
  LinearProgramScale scale_;
  LinearProgram scaled_;
  ClpSimplex model_;
  bool has_basis_{false};
};

void LinearProgramSolver::Implementation::send_to_clp() {
  update_scale(program_, scale_);
  scale_vectors(program_, scale_, scaled_);
  if (!has_basis_) {
    load(scaled_, model_);
    return;
  }
  model_.chgObjCoefficients(scaled_.c.data());
  model_.chgColumnLower(clp_bounds(scaled_.lower).data());
  model_.chgColumnUpper(clp_bounds(scaled_.upper).data());
  model_.chgRowLower(clp_bounds(scaled_.row_lower).data());
  model_.chgRowUpper(clp_bounds(scaled_.row_upper).data());
}

LinearProgramResult LinearProgramSolver::Implementation::solve() {
  LinearProgramResult result;
  configure(model_, options_.tolerance, options_.max_iterations);
  send_to_clp();
  // Two attempts go on from the basis at hand, two start afresh: a basis that led into numerical trouble is
  // dropped.
  enum class Method { dual, primal };
  const Method first = has_basis_ && !bounds_changed_ ? Method::primal : Method::dual;
  const std::pair<Method, bool> attempts[] = {
      {first, false}, {Method::primal, false}, {Method::primal, true}, {Method::dual, true}};
  bool settled = false;
  std::optional<LinearProgramResult> far_away;
  for (const auto& [method, afresh] : attempts) {
    check_interrupt();  // Clp itself cannot be stopped; its programs take milliseconds
    if (afresh) model_.allSlackBasis(true);
    model_.setMaximumIterations(options_.max_iterations - result.iterations);
    if (method == Method::dual) {
      model_.dual();
    } else {
      model_.primal();
    }
    result.iterations += model_.numberIterations();
    settled = settle(result);
    if (settled && is_far_away(result)) {
      far_away = result;
      settled = false;
      continue;
    }
    if (settled || result.status == SolverStatus::iteration_limit) break;
  }
  if (!settled && result.status != SolverStatus::iteration_limit) {
    Eigen::VectorXd feasible_point;
    settled = prove_infeasibility(result, feasible_point) || prove_unboundedness(result, feasible_point);
  }
  if (!settled && far_away) {
    far_away->iterations = result.iterations;
    result = *far_away;
  }
  has_basis_ = result.status == SolverStatus::optimal || result.status == SolverStatus::primal_infeasible;
  bounds_changed_ = false;
  unscale(result);
  return result;
}

// Takes over Clp's answer if it holds; otherwise notes the last point and its residuals.
bool LinearProgramSolver::Implementation::settle(LinearProgramResult& result) {
  const Eigen::Index n = scaled_.c.size(), m = scaled_.A.rows();
  const double tolerance = options_.tolerance;
  result.status = SolverStatus::numerical_error;
  if (model_.status() == 1) {
    const Eigen::VectorXd farkas = take(model_.infeasibilityRay(), m);
    for (const double sign : {1.0, -1.0}) {  // Clp's sign depends on the algorithm that found the ray
      if (farkas.size() == 0) break;
      result.y = sign * farkas;
      result.certificate_residual = normalise_infeasibility(scaled_, result.y, result.w);
      if (result.certificate_residual > tolerance) continue;
      result.status = SolverStatus::primal_infeasible;
      return true;
    }
  }
  result.x = copy(model_.primalColumnSolution(), n);
  if (model_.status() == 2 && primal_residual(scaled_, result.x) <= tolerance) {
    result.ray = take(model_.unboundedRay(), n);
    result.certificate_residual = result.ray.size() == n ? normalise_ray(scaled_, result.ray) : kInfinity;
    if (result.certificate_residual <= tolerance) {
      result.residuals.primal = primal_residual(scaled_, result.x);
      result.status = SolverStatus::dual_infeasible;
      return true;
    }
  }
  result.y = -copy(model_.dualRowSolution(), m);
  clean_multipliers(scaled_, scaled_.c, result.y, result.w);
  result.residuals = optimality_residuals(scaled_, result.x, result.y, result.w);
  if (result.residuals.largest() <= tolerance) {
    result.status = SolverStatus::optimal;
    return true;
  }
  if (result.iterations >= options_.max_iterations) result.status = SolverStatus::iteration_limit;
  return false;
}

// Least violation: minimise sum(p + q) subject to row_lower <= A x + p - q <= row_upper. Feasible (bounds of
// x are ordered) and bounded by zero; where its minimum is positive, its row multipliers are a Farkas
// certificate.
bool LinearProgramSolver::Implementation::prove_infeasibility(LinearProgramResult& result,
                                                              Eigen::VectorXd& feasible_point) {
  const Eigen::Index n = scaled_.c.size(), m = scaled_.A.rows();
  LinearProgram elastic{Eigen::VectorXd::Ones(n + 2 * m),
                        Eigen::SparseMatrix<double>(m, n + 2 * m),
                        scaled_.row_lower,
                        scaled_.row_upper,
                        Eigen::VectorXd::Zero(n + 2 * m),
                        Eigen::VectorXd::Constant(n + 2 * m, kInfinity)};
  elastic.c.head(n).setZero();
  elastic.lower.head(n) = scaled_.lower;
  elastic.upper.head(n) = scaled_.upper;
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(scaled_.A, j); entry; ++entry) {
      entries.emplace_back(entry.row(), j, entry.value());
    }
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    entries.emplace_back(i, n + i, 1.0);
    entries.emplace_back(i, n + m + i, -1.0);
  }
  elastic.A.setFromTriplets(entries.begin(), entries.end());
  ClpSimplex model;
  configure(model, options_.tolerance, options_.max_iterations);
  load(elastic, model);
  model.primal();
  result.iterations += model.numberIterations();
  feasible_point = copy(model.primalColumnSolution(), n);
  Eigen::VectorXd y = -copy(model.dualRowSolution(), m), w;
  const double residual = normalise_infeasibility(scaled_, y, w);
  if (residual > options_.tolerance) return false;
  result.y = y;
  result.w = w;
  result.certificate_residual = residual;
  result.status = SolverStatus::primal_infeasible;
  return true;
}

// Steepest recession direction: minimise c'd over the recession cone cut by -1 <= d <= 1. Feasible (d = 0),
// bounded.
bool LinearProgramSolver::Implementation::prove_unboundedness(LinearProgramResult& result,
                                                              const Eigen::VectorXd& feasible_point) {
  const double feasibility = primal_residual(scaled_, feasible_point);
  if (feasibility > options_.tolerance) return false;
  LinearProgram recession = scaled_;
  const auto cone = [](Eigen::VectorXd& lower, Eigen::VectorXd& upper, double open) {
    for (Eigen::Index i = 0; i < lower.size(); ++i) {
      lower[i] = lower[i] > -kInfinity ? 0.0 : -open;
      upper[i] = upper[i] < kInfinity ? 0.0 : open;
    }
  };
  cone(recession.lower, recession.upper, 1.0);
  cone(recession.row_lower, recession.row_upper, kInfinity);
  ClpSimplex model;
  configure(model, options_.tolerance, options_.max_iterations);
  load(recession, model);
  model.primal();
  result.iterations += model.numberIterations();
  Eigen::VectorXd ray = copy(model.primalColumnSolution(), scaled_.c.size());
  const double residual = normalise_ray(scaled_, ray);
  if (residual > options_.tolerance) return false;
  result.x = feasible_point;
  result.ray = ray;
  result.certificate_residual = residual;
  result.residuals.primal = feasibility;
  result.status = SolverStatus::dual_infeasible;
  return true;
}

void LinearProgramSolver::Implementation::unscale(LinearProgramResult& result) const {
  const auto drop = [](auto&... vectors) { (vectors.resize(0), ...); };
  if (result.status == SolverStatus::primal_infeasible) {
    // The certificate proves 0 <= -1 in scaled lengths; one length is what the user's proof is worth.
    result.y = result.y.cwiseProduct(scale_.row) / scale_.length;
    result.w = result.w.cwiseQuotient(scale_.column) / scale_.length;
    drop(result.x, result.ray);
    result.residuals = {};
    result.objective = kInfinity;
    return;
  }
  result.x = result.x.cwiseProduct(scale_.column) * scale_.length;
  if (result.status == SolverStatus::dual_infeasible) {
    result.ray = result.ray.cwiseProduct(scale_.column) * (scale_.length / scale_.cost);
    drop(result.y, result.w);
    result.objective = -kInfinity;
    return;
  }
  result.y = result.y.cwiseProduct(scale_.row) * (scale_.cost / scale_.length);
  result.w = result.w.cwiseQuotient(scale_.column) * (scale_.cost / scale_.length);
  drop(result.ray);
  result.certificate_residual = kInfinity;
  result.objective = program_.c.dot(result.x);
}

LinearProgramSolver::LinearProgramSolver(LinearProgram program, const LinearProgramOptions& options)
    : implementation_(std::make_unique<Implementation>(std::move(program), options)) {}
LinearProgramSolver::~LinearProgramSolver() = default;
LinearProgramSolver::LinearProgramSolver(LinearProgramSolver&&) noexcept = default;
LinearProgramSolver& LinearProgramSolver::operator=(LinearProgramSolver&&) noexcept = default;

// Each change is checked before it is made: a refused one leaves the solver as it was.
void LinearProgramSolver::set_objective(const Eigen::VectorXd& c) {
  validate_objective(c, implementation_->program_.c.size());
  implementation_->program_.c = c;
}

void LinearProgramSolver::set_bounds(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
  validate_bounds("x", lower, upper, implementation_->program_.c.size());
  implementation_->program_.lower = lower;
  implementation_->program_.upper = upper;
  implementation_->bounds_changed_ = true;
}

void LinearProgramSolver::set_row_bounds(const Eigen::VectorXd& row_lower, const Eigen::VectorXd& row_upper) {
  validate_bounds("the rows", row_lower, row_upper, implementation_->program_.A.rows());
  implementation_->program_.row_lower = row_lower;
  implementation_->program_.row_upper = row_upper;
  implementation_->bounds_changed_ = true;
}

const LinearProgram& LinearProgramSolver::program() const { return implementation_->program_; }

LinearProgramResult LinearProgramSolver::solve() { return implementation_->solve(); }

LinearProgramResult solve_linear_program(const LinearProgram& program, const LinearProgramOptions& options) {
  return LinearProgramSolver(program, options).solve();
}

std::string LinearProgramResult::brief_report() const {
  return math::brief_report(
      {"linear program", status, objective, residuals, certificate_residual, iterations});
}

}  // namespace prehend::math
