#include <algorithm>
#include <cmath>

#include <prehend/math/cone/cone_engine.h>
#include <prehend/math/interrupt.h>

namespace prehend::math {
namespace {
constexpr double kLongestFraction = 0.999;
// Residual of a direction, relative to its right side, that is still good enough without refining its parts.
constexpr double kAccurateDirection = 1e-10;

// Mehrotra's rule: the better the predictor, the less centring.
double centring(double reach) {
  const double left = 1.0 - reach;
  return std::clamp(left * left * left, 0.0, 1.0);
}
}  // namespace

ConeSolver::Engine::Engine(const ConeProgram& program, const ConeOptions& options)
    : c(program.c),
      b(program.b),
      h(program.h),
      options_(options),
      layout_(program.cones),
      n_(static_cast<int>(program.c.size())),
      p_(static_cast<int>(program.b.size())),
      m_(static_cast<int>(program.h.size())),
      A_(program.A),
      G_(program.G),
      equilibration_(layout_, n_, p_),
      kkt_(layout_, A_, G_, options.max_refinements),
      scaling_(layout_) {
  equilibration_.scale_matrices(layout_, options_.equilibration_passes, A_, G_);
  kkt_.set_values();
  const std::size_t total = static_cast<std::size_t>(n_) + p_ + m_;
  for (std::vector<double>* v :
       {&data_, &point_, &best_, &residual_, &constant_, &right_side_, &direction_, &unit_}) {
    v->assign(total, 0.0);
  }
  for (std::vector<double>* v :
       {&s_, &best_s_, &ds_, &scaled_dz_, &scaled_ds_, &complementarity_, &divided_}) {
    v->assign(m_, 0.0);
  }
  identity_.assign(m_, 0.0);
  layout_.set_identity(identity_.data());
  A_y_.assign(n_, 0.0);
  G_z_.assign(n_, 0.0);
  result_.x.setZero(n_);
  result_.s.setZero(m_);
  result_.y.setZero(p_);
  result_.z.setZero(m_);
}

void ConeSolver::Engine::set_matrix_values(const double* A_values, const double* G_values) {
  std::copy_n(A_values, A_.value.size(), A_.value.begin());
  std::copy_n(G_values, G_.value.size(), G_.value.begin());
  equilibration_.scale_matrices(layout_, options_.equilibration_passes, A_, G_);
  kkt_.set_values();
}

void ConeSolver::Engine::start() {
  equilibration_.scale_objective(c.data(), data_.data());
  for (int j = 0; j < n_; ++j) data_[j] = -data_[j];
  equilibration_.scale_bounds(b.data(), h.data(), data_.data() + n_, data_.data() + n_ + p_);
  std::fill(point_.begin(), point_.end(), 0.0);
  layout_.set_identity(point_.data() + n_ + p_);
  layout_.set_identity(s_.data());
  tau_ = kappa_ = 1.0;
  for (int j = 0; j < n_; ++j) unit_[j] = 1.0 / (equilibration_.column(j) * equilibration_.kappa_c());
  for (int i = 0; i < p_; ++i) unit_[n_ + i] = 1.0 / (equilibration_.equality(i) * equilibration_.kappa_b());
  for (int i = 0; i < m_; ++i) unit_[n_ + p_ + i] = 1.0 / (equilibration_.row(i) * equilibration_.kappa_b());
  scaling_.update(s_.data(), point_.data() + n_ + p_);
}

void ConeSolver::Engine::update_residuals() {
  const double *const x = point_.data(), *const y = x + n_, *const z = y + p_;
  double *const rx = residual_.data(), *const ry = rx + n_, *const rz = ry + p_;
  std::fill(ry, ry + p_ + m_, 0.0);
  for (int j = 0; j < n_; ++j) {
    double A_y = 0.0, G_z = 0.0;
    for (int k = A_.start[j]; k < A_.start[j + 1]; ++k) {
      A_y += A_.value[k] * y[A_.row[k]];
      ry[A_.row[k]] += A_.value[k] * x[j];
    }
    for (int k = G_.start[j]; k < G_.start[j + 1]; ++k) {
      G_z += G_.value[k] * z[G_.row[k]];
      rz[G_.row[k]] += G_.value[k] * x[j];
    }
    A_y_[j] = A_y;
    G_z_[j] = G_z;
  }
  double inner = 0.0;
  for (int j = 0; j < n_; ++j) {
    rx[j] = A_y_[j] + G_z_[j] - data_[j] * tau_;
    inner -= data_[j] * x[j];
  }
  for (int i = 0; i < p_; ++i) {
    ry[i] -= data_[n_ + i] * tau_;
    inner += data_[n_ + i] * y[i];
  }
  double s_z = 0.0;
  for (int i = 0; i < m_; ++i) {
    rz[i] += s_[i] - data_[n_ + p_ + i] * tau_;
    inner += data_[n_ + p_ + i] * z[i];
    s_z += s_[i] * z[i];
  }
  residual_tau_ = kappa_ + inner;
  mu_ = (s_z + tau_ * kappa_) / (layout_.degree + 1);
}

void ConeSolver::Engine::find_direction(double fraction, double d_kappa) {
  double* const rz = right_side_.data() + n_ + p_;
  scaling_.apply_transposed(divided_.data(), rz);
  for (int i = 0; i < m_; ++i) rz[i] -= fraction * residual_[n_ + p_ + i];
  for (int i = 0; i < n_ + p_; ++i) right_side_[i] = -fraction * residual_[i];
  solve_system(right_side_.data(), direction_.data());

  double inner = 0.0;
  for (int j = 0; j < n_; ++j) inner -= data_[j] * direction_[j];
  for (int i = n_; i < n_ + p_ + m_; ++i) inner += data_[i] * direction_[i];
  const double denominator = kappa_ / tau_ + constant_norm_;
  d_tau_ = (fraction * residual_tau_ - d_kappa / tau_ + inner) / denominator;
  d_kappa_ = -(d_kappa + kappa_ * d_tau_) / tau_;
  for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] += d_tau_ * constant_[i];
  update_scaled_direction();
}

void ConeSolver::Engine::update_scaled_direction() {
  scaling_.apply(direction_.data() + n_ + p_, scaled_dz_.data());
  for (int i = 0; i < m_; ++i) scaled_ds_[i] = -(divided_[i] + scaled_dz_[i]);
}

double ConeSolver::Engine::step_to_boundary(double limit) const {
  double step = scaling_.max_step(scaled_dz_.data(), limit);
  step = std::min(step, scaling_.max_step(scaled_ds_.data(), limit));
  if (d_tau_ < 0.0) step = std::min(step, -tau_ / d_tau_);
  if (d_kappa_ < 0.0) step = std::min(step, -kappa_ / d_kappa_);
  return step;
}

void ConeSolver::Engine::solve_system(const double* right_side, double* solution) {
  kkt_.solve(right_side, solution);
  if (careful_) kkt_.refine(right_side, solution);
}

// Predictor: straight to complementarity zero. Returns how far it gets.
double ConeSolver::Engine::predict() {
  solve_system(data_.data(), constant_.data());
  // -(c, b, h)'constant is |W z1|^2 plus what regularisation adds when the system is singular, which is just
  // what proofs of infeasibility need; rounding must not take it below the first term.
  scaling_.apply(constant_.data() + n_ + p_, scaled_dz_.data());
  double scaled_norm = 0.0, inner = 0.0;
  for (int i = 0; i < m_; ++i) scaled_norm += scaled_dz_[i] * scaled_dz_[i];
  for (int j = 0; j < n_; ++j) inner -= data_[j] * constant_[j];
  for (int i = n_; i < n_ + p_ + m_; ++i) inner += data_[i] * constant_[i];
  constant_norm_ = std::max(scaled_norm, -inner);
  std::copy_n(scaling_.lambda(), m_, divided_.begin());  // lambda \ (lambda o lambda)
  find_direction(1.0, tau_ * kappa_);
  return step_to_boundary(1.0);
}

// Corrector: re-centred, with the predictor's second-order error.
void ConeSolver::Engine::correct(double sigma) {
  scaling_.product(scaled_ds_.data(), scaled_dz_.data(), complementarity_.data());
  scaling_.product(scaling_.lambda(), scaling_.lambda(), divided_.data());
  for (int i = 0; i < m_; ++i) complementarity_[i] += divided_[i] - sigma * mu_ * identity_[i];
  scaling_.divide_by_lambda(complementarity_.data(), divided_.data());
  find_direction(1.0 - sigma, tau_ * kappa_ + d_tau_ * d_kappa_ - sigma * mu_);
}

bool ConeSolver::Engine::advance() {
  kkt_.factorise(scaling_);
  double reach = predict();
  correct(centring(reach));
  if (!careful_) {
    // One look at the equations of the final direction instead of one at each of the three solves.
    for (std::size_t i = 0; i < right_side_.size(); ++i) right_side_[i] += d_tau_ * data_[i];
    if (kkt_.refine(right_side_.data(), direction_.data()) > kAccurateDirection) {
      careful_ = true;
      reach = predict();
      correct(centring(reach));
    } else {
      update_scaled_direction();
    }
  }
  if (!(reach >= 0.0)) return false;

  // Near the end the predictor hardly leaves the path; going as far as it did saves the last iterations.
  const double fraction = std::max(options_.step_fraction, std::min(reach, kLongestFraction));
  double step = std::min(1.0, fraction * step_to_boundary(1.0 / fraction));
  if (!(step > 1e-10)) return false;
  scaling_.apply_transposed(scaled_ds_.data(), ds_.data());
  for (const double value : direction_) {
    if (!std::isfinite(value)) return false;
  }

  // Rounding may put the new point on the boundary; then shorten.
  for (int attempt = 0; attempt < 8; ++attempt) {
    for (std::size_t i = 0; i < point_.size(); ++i) point_[i] += step * direction_[i];
    for (int i = 0; i < m_; ++i) s_[i] += step * ds_[i];
    tau_ += step * d_tau_;
    kappa_ += step * d_kappa_;
    if (tau_ > 0.0 && kappa_ > 0.0 && scaling_.update(s_.data(), point_.data() + n_ + p_)) return true;
    const double back = 0.5 * step;
    for (std::size_t i = 0; i < point_.size(); ++i) point_[i] -= step * direction_[i];
    for (int i = 0; i < m_; ++i) s_[i] -= step * ds_[i];
    tau_ -= step * d_tau_;
    kappa_ -= step * d_kappa_;
    step = back;
  }
  return false;
}

// Follows the path to an answer, true, or to where rounding or the iteration limit ends it; the result says
// which.
bool ConeSolver::Engine::follow_path() {
  constexpr int kPatience = 15;  // iterations without progress before giving up
  start();
  double best_worst = HUGE_VAL;
  int best_iteration = 0;
  SolverStatus ending = SolverStatus::iteration_limit;
  for (int iteration = 0;; ++iteration) {
    check_interrupt();
    update_residuals();
    const Progress progress = measure();
    if (accept(progress, options_.tolerance, options_.certificate_tolerance)) return true;
    if (progress.worst() < best_worst) {
      if (progress.worst() < 0.9 * best_worst) best_iteration = iteration;
      best_worst = progress.worst();
      best_ = point_;
      best_s_ = s_;
      best_tau_ = tau_;
      best_kappa_ = kappa_;
    }
    if (result_.iterations == options_.max_iterations) break;
    if (iteration - best_iteration > kPatience || !advance()) {
      ending = SolverStatus::numerical_error;
      break;
    }
    ++result_.iterations;
  }
  if (std::isfinite(best_worst)) {
    point_ = best_;
    s_ = best_s_;
    tau_ = best_tau_;
    kappa_ = best_kappa_;
  }
  update_residuals();
  const Progress progress = measure();
  if (accept(progress, options_.stalled_tolerance, options_.stalled_tolerance)) return true;
  store_solution(progress, ending);
  return false;
}

const ConeResult& ConeSolver::Engine::solve() {
  // Little regularisation is fastest and almost always enough; where the system is too close to singular for
  // it, start again with more, and refine every solve.
  result_.iterations = 0;
  careful_ = false;
  for (double least_shift : {0.0, 1e-8, 1e-6}) {
    kkt_.set_least_shift(least_shift);
    if (follow_path() || result_.status == SolverStatus::iteration_limit) break;
    careful_ = true;
  }
  return result_;
}

}  // namespace prehend::math
