#include <algorithm>

#include <prehend/math/house/infinity.h>
#include <prehend/math/quadratic_program.h>
#include <prehend/math/solvers/proximal_multipliers.h>
#include <prehend/math/solvers/quadratic_program_check.h>

namespace prehend::math {

class QuadraticProgramSolver::Implementation {
 public:
  explicit Implementation(const QuadraticProgramOptions& options) : options_(options) { validate(options_); }
  QuadraticProgramResult solve(const QuadraticProgram& program);
  void forget() { has_last_ = false; }

 private:
  // One run from `start`, or cold; true when the answer or its certificate holds.
  bool run(double certificate_tolerance, const QuadraticProgramResult* start, QuadraticProgramResult& result);
  void unscale(const QuadraticProgram& program, QuadraticProgramResult& result) const;

  QuadraticProgramOptions options_;
  QuadraticProgramScale scale_;
  QuadraticProgram scaled_;
  ProximalMultipliers iteration_;
  ProximalMultipliers::Point point_;
  QuadraticProgramResult last_;  // in the user's units: scales differ from program to program
  bool has_last_{false};
};

bool QuadraticProgramSolver::Implementation::run(double certificate_tolerance,
                                                 const QuadraticProgramResult* start,
                                                 QuadraticProgramResult& result) {
  using Ending = ProximalMultipliers::Ending;
  ProximalMultipliers::Settings settings;
  settings.residual = std::max(1e-11, 0.1 * options_.tolerance);
  settings.certificate = certificate_tolerance;
  settings.warm = start != nullptr;
  // A start that is no good should not cost more than a cold solve.
  settings.max_outer = start != nullptr ? std::min(options_.max_iterations, 10) : options_.max_iterations;
  settings.max_newton = start != nullptr ? 30 : 100;
  if (start != nullptr) {
    point_ = {scale_.scale_x(start->x), scale_.scale_y(start->y), scale_.scale_z(start->z)};
  } else {
    point_ = {Eigen::VectorXd::Zero(scaled_.g.size()), Eigen::VectorXd::Zero(scaled_.b.size()),
              Eigen::VectorXd::Zero(scaled_.lower.size())};
  }
  const Ending ending = iteration_.solve(scaled_, settings, point_);
  result.iterations += point_.newton_steps;
  result.x = point_.x;
  result.y = point_.y;
  result.z = point_.z;
  if (ending == Ending::primal_infeasible) {
    result.certificate_residual = normalise_infeasibility(scaled_, result.y, result.z);
    result.status = SolverStatus::primal_infeasible;
    return result.certificate_residual <= options_.tolerance;
  }
  // A certified direction alone does not say that there is a feasible point: the linear programs decide that.
  if (ending == Ending::dual_infeasible) return false;
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
  if (last_.x.size() != program.g.size() || last_.y.size() != program.b.size() ||
      last_.z.size() != program.lower.size()) {
    has_last_ = false;
  }
  QuadraticProgramResult result;
  const double certificate = std::min(1e-7, options_.tolerance);
  bool settled = run(certificate, has_last_ ? &last_ : nullptr, result);
  if (!settled && has_last_) settled = run(certificate, nullptr, result);
  if (!settled) settled = settle_by_linear_programs(scaled_, options_.tolerance, result);
  if (!settled) {
    // Feasible and bounded as far as linear programs can tell: no certificate may stop the iteration now.
    settled = run(0.0, nullptr, result);
    if (!settled) {
      result.status = result.x.allFinite() ? SolverStatus::iteration_limit : SolverStatus::numerical_error;
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
