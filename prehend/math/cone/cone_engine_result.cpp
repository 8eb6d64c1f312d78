// When the iteration of ConeSolver has an answer, and the answer in the caller's units.
#include <algorithm>
#include <cmath>

#include <prehend/math/cone/cone_engine.h>

namespace prehend::math {
namespace {
// A sum below this part of its terms is rounding: it proves nothing.
constexpr double kCancelled = 1e-9;
}  // namespace

double ConeSolver::Engine::Progress::worst() const {
  return std::min({std::max({primal, dual, gap}), infeasible, unbounded});
}

// Residuals count twice: in equilibrated units, where every row has coefficients near one, so that a row in
// millimetres is not drowned by one in kilometres; and in the caller's units, which is what the caller can
// check.
ConeSolver::Engine::Progress ConeSolver::Engine::measure() {
  const double *const x = point_.data(), *const y = x + n_, *const z = y + p_;
  const double *const rx = residual_.data(), *const ry = rx + n_, *const rz = ry + p_;
  const double kappa_c = equilibration_.kappa_c(), kappa_b = equilibration_.kappa_b();
  const auto grow = [](double &largest, double value) { largest = std::max(largest, std::abs(value)); };

  // [0] equilibrated, [1] caller's units (times tau).
  double primal[2] = {0, 0}, primal_reference[2] = {0, 0}, dual[2] = {0, 0}, dual_reference[2] = {0, 0};
  double bounds = 0.0, costs = 0.0, homogeneous_dual = 0.0, homogeneous_primal = 0.0;
  double cost = 0.0, bound = 0.0, cost_terms = 0.0, bound_terms = 0.0;
  for (int j = 0; j < n_; ++j) {
    const double unit = unit_[j];
    grow(dual[0], rx[j]);
    grow(dual[1], rx[j] * unit);
    grow(dual_reference[1], A_y_[j] * unit);
    grow(dual_reference[1], G_z_[j] * unit);
    grow(costs, c[j]);
    grow(primal_reference[0], x[j]);
    grow(homogeneous_dual, A_y_[j] + G_z_[j]);
    cost -= data_[j] * x[j];
    cost_terms += std::abs(data_[j] * x[j]);
  }
  for (int i = 0; i < p_; ++i) {
    const double unit = unit_[n_ + i], A_x = ry[i] + data_[n_ + i] * tau_;
    grow(primal[0], ry[i]);
    grow(primal[1], ry[i] * unit);
    grow(primal_reference[1], A_x * unit);
    grow(bounds, b[i]);
    grow(dual_reference[0], y[i]);
    grow(homogeneous_primal, A_x);
    bound += data_[n_ + i] * y[i];
    bound_terms += std::abs(data_[n_ + i] * y[i]);
  }
  for (int i = 0; i < m_; ++i) {
    const double unit = unit_[n_ + p_ + i];
    grow(primal[0], rz[i]);
    grow(primal[1], rz[i] * unit);
    grow(primal_reference[0], s_[i]);
    grow(primal_reference[1], s_[i] * unit);
    grow(bounds, h[i]);
    grow(dual_reference[0], z[i]);
    grow(homogeneous_primal, rz[i] + data_[n_ + p_ + i] * tau_);
    bound += data_[n_ + p_ + i] * z[i];
    bound_terms += std::abs(data_[n_ + p_ + i] * z[i]);
  }
  // A program without bounds (or costs) has no size of its own there; one is as good as any. Its optimum is
  // zero. Other optima may be small against one, but hardly more than this.
  const double smallest_objective = bounds == 0.0 || costs == 0.0 ? 1.0 : 1e-6;
  if (bounds == 0.0) bounds = 1.0;
  if (costs == 0.0) costs = 1.0;

  Progress progress;
  progress.primal = std::max(primal[0] / std::max(tau_, primal_reference[0]),
                             primal[1] / std::max(bounds * tau_, primal_reference[1]));
  progress.dual = std::max(dual[0] / std::max(tau_, dual_reference[0]),
                           dual[1] / std::max(costs * tau_, dual_reference[1]));
  progress.primal_objective = cost / tau_;
  progress.dual_objective = -bound / tau_;
  progress.gap = std::abs(cost + bound) / std::max({smallest_objective * tau_, cost_terms, bound_terms});
  progress.primal_objective /= kappa_b * kappa_c;
  progress.dual_objective /= kappa_b * kappa_c;
  // The residual of a proof must be small against its gap, and against its own terms. A gap that is but the
  // rounding of its terms proves nothing.
  progress.infeasible =
      bound < -kCancelled * bound_terms ? homogeneous_dual / std::min(-bound, dual_reference[0]) : HUGE_VAL;
  progress.unbounded =
      cost < -kCancelled * cost_terms ? homogeneous_primal / std::min(-cost, primal_reference[0]) : HUGE_VAL;
  if (progress.infeasible <= options_.stalled_tolerance) {
    progress.infeasible = std::max(progress.infeasible, infeasibility_in_given_units());
  }
  if (progress.unbounded <= options_.stalled_tolerance) {
    progress.unbounded = std::max(progress.unbounded, unboundedness_in_given_units());
  }
  return progress;
}

// Largest sum of a column of [A; G] times (y, z), against the largest terms of any column, each column
// divided by its largest coefficient as given. (Of A^ = E A D the factor D cancels.)
double ConeSolver::Engine::infeasibility_in_given_units() const {
  const double *const y = point_.data() + n_, *const z = y + p_;
  double residual = 0.0, size = 0.0;
  for (int j = 0; j < n_; ++j) {
    double terms = 0.0, unit = 0.0;
    for (int k = A_.start[j]; k < A_.start[j + 1]; ++k) {
      terms += std::abs(A_.value[k] * y[A_.row[k]]);
      unit = std::max(unit, std::abs(A_.value[k]) / equilibration_.equality(A_.row[k]));
    }
    for (int k = G_.start[j]; k < G_.start[j + 1]; ++k) {
      terms += std::abs(G_.value[k] * z[G_.row[k]]);
      unit = std::max(unit, std::abs(G_.value[k]) / equilibration_.row(G_.row[k]));
    }
    if (unit == 0.0) continue;
    residual = std::max(residual, std::abs(A_y_[j] + G_z_[j]) / unit);
    size = std::max(size, terms / unit);
  }
  return residual == 0.0 ? 0.0 : residual / size;
}

// The same for the rows of A x = 0, and those of G x + s = 0.
double ConeSolver::Engine::unboundedness_in_given_units() {
  // Both are written anew in the next step.
  double *const terms = right_side_.data() + n_, *const unit = direction_.data() + n_;
  std::fill_n(terms, p_ + m_, 0.0);
  std::fill_n(unit, p_ + m_, 0.0);
  const auto add = [&](const SparseColumns &M, int first, int j) {
    for (int k = M.start[j]; k < M.start[j + 1]; ++k) {
      const int i = first + M.row[k];
      terms[i] += std::abs(M.value[k] * point_[j]);
      unit[i] = std::max(unit[i], std::abs(M.value[k]) / equilibration_.column(j));
    }
  };
  for (int j = 0; j < n_; ++j) {
    add(A_, 0, j);
    add(G_, p_, j);
  }
  for (int i = 0; i < m_; ++i) terms[p_ + i] += std::abs(s_[i]);
  const auto relative = [&](int begin, int end) {
    double residual = 0.0, size = 0.0;
    for (int i = begin; i < end; ++i) {
      if (unit[i] == 0.0) continue;
      residual = std::max(residual, std::abs(residual_[n_ + i] + data_[n_ + i] * tau_) / unit[i]);
      size = std::max(size, terms[i] / unit[i]);
    }
    return residual == 0.0 ? 0.0 : residual / size;
  };
  return std::max(relative(0, p_), relative(p_, p_ + m_));
}

bool ConeSolver::Engine::accept(const Progress &progress, double tolerance, double certificate_tolerance) {
  if (std::max({progress.primal, progress.dual, progress.gap}) <= tolerance) {
    store_solution(progress, SolverStatus::optimal);
    return true;
  }
  if (progress.infeasible <= certificate_tolerance && progress.infeasible <= progress.unbounded) {
    store_infeasibility(progress);
    return true;
  }
  if (progress.unbounded <= certificate_tolerance) {
    store_unboundedness(progress);
    return true;
  }
  return false;
}

void ConeSolver::Engine::store_solution(const Progress &progress, SolverStatus status) {
  const double kappa_c = equilibration_.kappa_c(), kappa_b = equilibration_.kappa_b();
  const double *const x = point_.data(), *const y = x + n_, *const z = y + p_;
  result_.status = status;
  for (int j = 0; j < n_; ++j) result_.x[j] = x[j] * equilibration_.column(j) / (kappa_b * tau_);
  for (int i = 0; i < p_; ++i) result_.y[i] = y[i] * equilibration_.equality(i) / (kappa_c * tau_);
  for (int i = 0; i < m_; ++i) {
    result_.s[i] = s_[i] / (equilibration_.row(i) * kappa_b * tau_);
    result_.z[i] = z[i] * equilibration_.row(i) / (kappa_c * tau_);
  }
  result_.primal_objective = progress.primal_objective;
  result_.dual_objective = progress.dual_objective;
  result_.gap = progress.gap;
  result_.primal_residual = progress.primal;
  result_.dual_residual = progress.dual;
}

// The scaled proof has b^'y + h^'z = kappa_b (b'E y + h'E z); dividing makes the caller's sum -1.
void ConeSolver::Engine::store_infeasibility(const Progress &progress) {
  const double *const y = point_.data() + n_, *const z = y + p_;
  double total = 0.0;
  for (int i = 0; i < p_; ++i) total += b[i] * (result_.y[i] = y[i] * equilibration_.equality(i));
  for (int i = 0; i < m_; ++i) total += h[i] * (result_.z[i] = z[i] * equilibration_.row(i));
  result_.y /= -total;
  result_.z /= -total;
  result_.x.setZero();
  result_.s.setZero();
  result_.status = SolverStatus::primal_infeasible;
  result_.primal_objective = HUGE_VAL;
  result_.dual_objective = HUGE_VAL;
  result_.gap = 0.0;
  result_.primal_residual = 0.0;
  result_.dual_residual = progress.infeasible;
}

void ConeSolver::Engine::store_unboundedness(const Progress &progress) {
  double total = 0.0;
  for (int j = 0; j < n_; ++j) total += c[j] * (result_.x[j] = point_[j] * equilibration_.column(j));
  for (int i = 0; i < m_; ++i) result_.s[i] = s_[i] / equilibration_.row(i) / -total;
  result_.x /= -total;
  result_.y.setZero();
  result_.z.setZero();
  result_.status = SolverStatus::dual_infeasible;
  result_.primal_objective = -HUGE_VAL;
  result_.dual_objective = -HUGE_VAL;
  result_.gap = 0.0;
  result_.primal_residual = progress.unbounded;
  result_.dual_residual = 0.0;
}

}  // namespace prehend::math
