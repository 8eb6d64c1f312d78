#include <algorithm>
#include <cmath>

#include <prehend/math/house/infinity.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/solvers/program_scale.h>
#include <prehend/math/solvers/proximal_multipliers.h>
#include <prehend/math/solvers/quadratic_program_check.h>

namespace prehend::math {
namespace {

// All in equilibrated units, where entries are of the order of one. ProxQP's defaults, but for the penalty of inequalities
// (ten times stiffer) and its decrease; checked on the programs of solver_oracle_test.py (its slow run) and timed with
// bench/solvers_bench.cpp (10 to 100 unknowns).
// Weight of the proximal term: small, so that x moves freely; 1e-6 leaves the Cholesky factorisation ten digits.
constexpr double kProximal = 1e-6;
// Penalty (inverse) at the start: soft when cold, so that active constraints are found while x still moves; near the
// solution a stiff one finds them in one or two steps.
constexpr double kColdPenaltyOfEquations = 1e-3, kColdPenaltyOfInequalities = 1e-2, kWarmPenalty = 1e-5;
constexpr double kLeastPenalty = 1e-8;  // stiffer ones cost the Newton system its last digits
// The penalty becomes ten times stiffer when an outer iteration leaves more than this share of the violation.
constexpr double kPenaltyFactor = 0.1, kSufficientDecrease = 0.1;

}  // namespace

// Gradient of the augmented Lagrangian at x, the multipliers it implies, and the constraints it counts.
void ProximalMultipliers::evaluate(const Point& point) {
  const QuadraticProgram& program = *program_;
  Hx_.noalias() = program.H * point.x;
  shifted_.noalias() = program.C * point.x;
  shifted_ += inequality_penalty_ * point.z;
  next_y_ = point.y;
  if (next_y_.size() > 0) {
    Ax_.noalias() = program.A * point.x;
    next_y_ += (Ax_ - program.b) / equality_penalty_;
  }
  for (Eigen::Index i = 0; i < shifted_.size(); ++i) {
    const double above = shifted_[i] - program.upper[i], below = shifted_[i] - program.lower[i];
    next_z_[i] = above > 0.0 ? above / inequality_penalty_ : below < 0.0 ? below / inequality_penalty_ : 0.0;
    active_[static_cast<std::size_t>(i)] = next_z_[i] != 0.0;
  }
  gradient_ = Hx_ + program.g + proximal_ * (point.x - centre_);
  if (next_y_.size() > 0) gradient_.noalias() += program.A.transpose() * next_y_;
  if (next_z_.size() > 0) gradient_.noalias() += program.C.transpose() * next_z_;
}

void ProximalMultipliers::factorise() {
  const QuadraticProgram& program = *program_;
  if (factorised_ && active_ == assembled_) return;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (active_[i] == assembled_[i]) continue;
    const auto row = program.C.row(static_cast<Eigen::Index>(i));
    active_gram_.selfadjointView<Eigen::Lower>().rankUpdate(row.transpose(), active_[i] ? 1.0 : -1.0);
  }
  assembled_ = active_;
  do {
    newton_ = program.H + equality_gram_ / equality_penalty_ + active_gram_ / inequality_penalty_;
    newton_.diagonal().array() += proximal_;
    cholesky_.compute(newton_);
    if (cholesky_.info() != Eigen::Success) proximal_ *= 10.0;  // H is negative by rounding
  } while (cholesky_.info() != Eigen::Success && proximal_ < 1.0);
  factorised_ = true;
}

// Derivative of the augmented Lagrangian along the step, times one.
double ProximalMultipliers::slope_at(double step) const {
  double slope = 0.0;
  for (Eigen::Index i = 0; i < shifted_.size(); ++i) {
    const double value = shifted_[i] + step * C_step_[i];
    const double above = value - program_->upper[i], below = value - program_->lower[i];
    if (above > 0.0) slope += above * C_step_[i];
    if (below < 0.0) slope += below * C_step_[i];
  }
  return slope / inequality_penalty_;
}

// Along the step the augmented Lagrangian is convex and piecewise quadratic: its minimum lies between two of the points
// at which a constraint meets its bound, where the derivative is linear.
double ProximalMultipliers::exact_step() const {
  const double at_zero = gradient_.dot(step_) - slope_at(0.0);
  const double curvature =
      H_step_.dot(step_) + proximal_ * step_.squaredNorm() + A_step_.squaredNorm() / equality_penalty_;
  const auto slope = [&](double t) { return at_zero + t * curvature + slope_at(t); };
  breaks_.clear();
  for (Eigen::Index i = 0; i < shifted_.size(); ++i) {
    if (C_step_[i] == 0.0) continue;
    for (const double bound : {program_->lower[i], program_->upper[i]}) {
      const double t = (bound - shifted_[i]) / C_step_[i];
      if (t > 0.0 && t < kInfinity) breaks_.push_back(t);
    }
  }
  std::sort(breaks_.begin(), breaks_.end());
  std::size_t low = 0,
              high = breaks_.size();  // slope is negative at breaks_[low - 1], not so at breaks_[high]
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (slope(breaks_[middle]) < 0.0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const double left = low == 0 ? 0.0 : breaks_[low - 1];
  const double right = low == breaks_.size() ? std::max(1.0, 2.0 * left) : breaks_[low];
  const double slope_left = slope(left), slope_right = slope(right);
  if (!(slope_right > slope_left)) return left;
  return left - slope_left * (right - left) / (slope_right - slope_left);
}

void ProximalMultipliers::minimise(Point& point, double tolerance, int max_newton) {
  const QuadraticProgram& program = *program_;
  evaluate(point);
  for (int newton = 0; newton < max_newton && largest_entry(gradient_) > tolerance; ++newton) {
    check_interrupt();
    factorise();
    step_ = -cholesky_.solve(gradient_);
    if (!step_.allFinite()) return;
    H_step_.noalias() = program.H * step_;
    A_step_.noalias() = program.A * step_;
    C_step_.noalias() = program.C * step_;
    const double length = exact_step();
    if (!(length > 0.0)) return;  // rounding
    const double before = largest_entry(gradient_);
    point.x += length * step_;
    ++point.newton_steps;
    evaluate(point);
    // With the same constraints the step was exact, and what is left is rounding.
    if (active_ == assembled_ && largest_entry(gradient_) > 0.5 * before) return;
  }
}

ProximalMultipliers::Ending ProximalMultipliers::solve(const QuadraticProgram& scaled,
                                                       const Settings& settings, Point& point) {
  program_ = &scaled;
  const Eigen::Index n = scaled.g.size(), q = scaled.lower.size();
  equality_penalty_ = settings.warm ? kWarmPenalty : kColdPenaltyOfEquations;
  inequality_penalty_ = settings.warm ? kWarmPenalty : kColdPenaltyOfInequalities;
  proximal_ = kProximal;
  active_.assign(static_cast<std::size_t>(q), 0);
  assembled_ = active_;
  factorised_ = false;
  active_gram_.setZero(n, n);
  equality_gram_.noalias() = scaled.A.transpose() * scaled.A;
  next_z_.resize(q);

  const double inner = 0.3 * settings.residual;
  double violation = kInfinity, tolerance = 0.1;
  for (int outer = 0; outer < settings.max_outer; ++outer) {
    centre_ = point.x;
    minimise(point, std::max(inner, tolerance), settings.max_newton);
    if (settings.certificate > 0.0) {
      Eigen::VectorXd y = next_y_ - point.y, z = next_z_ - point.z, ray = point.x - centre_;
      if (normalise_infeasibility(scaled, y, z) <= settings.certificate) {
        point.y = y;
        point.z = z;
        return Ending::primal_infeasible;
      }
      if (normalise_ray(scaled, ray) <= settings.certificate) return Ending::dual_infeasible;
    }
    point.y = next_y_;
    point.z = next_z_;
    const SolverResiduals residuals = optimality_residuals(scaled, point.x, point.y, point.z);
    if (residuals.largest() <= settings.residual) return Ending::converged;
    if (residuals.primal > std::max(kSufficientDecrease * violation, 0.1 * settings.residual) &&
        inequality_penalty_ > kLeastPenalty) {
      equality_penalty_ = std::max(kLeastPenalty, kPenaltyFactor * equality_penalty_);
      inequality_penalty_ = std::max(kLeastPenalty, kPenaltyFactor * inequality_penalty_);
      factorised_ = false;
    }
    violation = residuals.primal;
    tolerance = 0.1 * std::min(tolerance, residuals.primal);
  }
  return Ending::iteration_limit;
}

}  // namespace prehend::math
