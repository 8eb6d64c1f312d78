// The only file that includes ProxQP: it takes half a minute to compile.
#include <algorithm>

#include <proxsuite/proxqp/dense/dense.hpp>

#include <prehend/math/infinity.h>
#include <prehend/math/quadratic_program.h>
#include <prehend/math/solvers/quadratic_program_check.h>

namespace prehend::math {
namespace {

// Inverse penalty of the first warm iteration, against 0.1 when cold: near the solution a stiff penalty finds
// the active set in one or two steps; measured on slowly changing programs, 5 to 40 times fewer steps than
// cold.
constexpr double kWarmPenalty = 1e-5;
// ProxQP's own defaults when cold; given each time, because it remembers the last ones.
constexpr double kColdPenaltyOfEquations = 1e-3, kColdPenaltyOfInequalities = 1e-1;
constexpr double kProxInfinity = 1e30;  // ProxQP calls bounds beyond 1e20 absent

using proxsuite::proxqp::InitialGuessStatus;
using proxsuite::proxqp::QPSolverOutput;

}  // namespace

class QuadraticProgramSolver::Implementation {
 public:
  explicit Implementation(const QuadraticProgramOptions& options) : options_(options) { validate(options_); }
  QuadraticProgramResult solve(const QuadraticProgram& program);
  void forget() { has_last_ = false; }

 private:
  // One run of ProxQP from `start`, or cold; true when the answer or its certificate holds.
  bool run(double infeasibility_tolerance, const QuadraticProgramResult* start,
           QuadraticProgramResult& result);
  void unscale(const QuadraticProgram& program, QuadraticProgramResult& result) const;

  QuadraticProgramOptions options_;
  QuadraticProgramScale scale_;
  QuadraticProgram scaled_;
  std::unique_ptr<proxsuite::proxqp::dense::QP<double>> workspace_;
  QuadraticProgramResult last_;  // in the user's units: scales differ from program to program
  bool has_last_{false};
};

bool QuadraticProgramSolver::Implementation::run(double infeasibility_tolerance,
                                                 const QuadraticProgramResult* start,
                                                 QuadraticProgramResult& result) {
  auto& qp = *workspace_;
  qp.settings.eps_abs = std::max(1e-11, 0.1 * options_.tolerance);
  qp.settings.eps_rel = 0.0;
  // Small residuals with large multipliers leave a wide gap; it is one of the conditions here.
  qp.settings.check_duality_gap = true;
  qp.settings.eps_duality_gap_abs = 0.5 * options_.tolerance;
  qp.settings.eps_duality_gap_rel = 0.1 * options_.tolerance;
  // A start that is no good should not cost more than a cold solve.
  qp.settings.max_iter = start != nullptr ? std::min(options_.max_iterations, 10) : options_.max_iterations;
  qp.settings.max_iter_in = start != nullptr ? 30 : 100;
  qp.settings.eps_primal_inf = infeasibility_tolerance;
  qp.settings.eps_dual_inf = infeasibility_tolerance;
  qp.settings.verbose = false;
  qp.settings.initial_guess = start != nullptr ? InitialGuessStatus::WARM_START
                                               : InitialGuessStatus::EQUALITY_CONSTRAINED_INITIAL_GUESS;
  const Eigen::VectorXd lower = scaled_.lower.cwiseMax(-kProxInfinity),
                        upper = scaled_.upper.cwiseMin(kProxInfinity);
  qp.init(scaled_.H, scaled_.g, scaled_.A, scaled_.b, scaled_.C, lower, upper, false, proxsuite::nullopt,
          start != nullptr ? kWarmPenalty : kColdPenaltyOfEquations,
          start != nullptr ? kWarmPenalty : kColdPenaltyOfInequalities);
  if (start != nullptr) {
    qp.solve(scale_.scale_x(start->x), scale_.scale_y(start->y), scale_.scale_z(start->z));
  } else {
    qp.solve();
  }
  result.iterations += static_cast<int>(qp.results.info.iter);
  result.x = qp.results.x;
  result.y = qp.results.y;
  result.z = qp.results.z;
  if (qp.results.info.status == QPSolverOutput::PROXQP_PRIMAL_INFEASIBLE) {
    result.certificate_residual = normalise_infeasibility(scaled_, result.y, result.z);
    result.status = SolverStatus::primal_infeasible;
    return result.certificate_residual <= options_.tolerance;
  }
  // A certified direction alone does not say that there is a feasible point: the linear programs decide that.
  if (qp.results.info.status == QPSolverOutput::PROXQP_DUAL_INFEASIBLE) return false;
  clean_multipliers(scaled_, result.z);
  result.residuals = optimality_residuals(scaled_, result.x, result.y, result.z);
  if (result.residuals.largest() > options_.tolerance) polish(scaled_, result);
  result.status = SolverStatus::optimal;
  return result.residuals.largest() <= options_.tolerance;
}

QuadraticProgramResult QuadraticProgramSolver::Implementation::solve(const QuadraticProgram& program) {
  validate(program);
  scale_ = equilibrate(program, scaled_);
  require_convex(scaled_, options_.convexity_tolerance);
  const Eigen::Index n = program.g.size(), p = program.b.size(), q = program.lower.size();
  if (!workspace_ || workspace_->model.dim != n || workspace_->model.n_eq != p ||
      workspace_->model.n_in != q) {
    workspace_ = std::make_unique<proxsuite::proxqp::dense::QP<double>>(n, p, q);
    has_last_ = false;
  }
  QuadraticProgramResult result;
  // ProxQP's default of 1e-4 for its certificates calls many feasible programs infeasible.
  bool settled = run(1e-7, has_last_ ? &last_ : nullptr, result);
  if (!settled && has_last_) settled = run(1e-7, nullptr, result);
  if (!settled) settled = settle_by_linear_programs(scaled_, options_.tolerance, result);
  if (!settled) {
    // Feasible and bounded as far as linear programs can tell: no certificate may stop the iteration now.
    settled = run(1e-15, nullptr, result);
    if (!settled) {
      result.status = workspace_->results.info.status == QPSolverOutput::PROXQP_MAX_ITER_REACHED
                          ? SolverStatus::iteration_limit
                          : SolverStatus::numerical_error;
    }
  }
  unscale(program, result);
  has_last_ = result.status == SolverStatus::optimal;
  if (has_last_) last_ = result;
  return result;
}

void QuadraticProgramSolver::Implementation::unscale(const QuadraticProgram& program,
                                                     QuadraticProgramResult& result) const {
  if (result.status == SolverStatus::primal_infeasible) {
    result.y = result.y.cwiseProduct(scale_.row_A) / scale_.length;
    result.z = result.z.cwiseProduct(scale_.row_C) / scale_.length;
    result.x.resize(0);
    result.residuals = {};
    result.objective = kInfinity;
    return;
  }
  result.x = result.x.cwiseProduct(scale_.column) * scale_.length;
  if (result.status == SolverStatus::dual_infeasible) {
    result.ray = result.ray.cwiseProduct(scale_.column) * (scale_.length / scale_.cost);
    result.y.resize(0);
    result.z.resize(0);
    result.objective = -kInfinity;
    return;
  }
  result.y = result.y.cwiseProduct(scale_.row_A) * (scale_.cost / scale_.length);
  result.z = result.z.cwiseProduct(scale_.row_C) * (scale_.cost / scale_.length);
  result.certificate_residual = kInfinity;
  result.objective = 0.5 * result.x.dot(program.H * result.x) + program.g.dot(result.x);
}

QuadraticProgramSolver::QuadraticProgramSolver(const QuadraticProgramOptions& options)
    : implementation_(std::make_unique<Implementation>(options)) {}
QuadraticProgramSolver::~QuadraticProgramSolver() = default;
QuadraticProgramSolver::QuadraticProgramSolver(QuadraticProgramSolver&&) noexcept = default;
QuadraticProgramSolver& QuadraticProgramSolver::operator=(QuadraticProgramSolver&&) noexcept = default;
QuadraticProgramResult QuadraticProgramSolver::solve(const QuadraticProgram& program) {
  return implementation_->solve(program);
}
void QuadraticProgramSolver::forget() { implementation_->forget(); }

QuadraticProgramResult solve_quadratic_program(const QuadraticProgram& program,
                                               const QuadraticProgramOptions& options) {
  return QuadraticProgramSolver(options).solve(program);
}

std::string QuadraticProgramResult::brief_report() const {
  return math::brief_report(
      {"quadratic program", status, objective, residuals, certificate_residual, iterations});
}

}  // namespace prehend::math
