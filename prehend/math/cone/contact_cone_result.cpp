// When ContactConeEngine has an answer, and the answer in the caller's units. What passes in equilibrated
// units is checked once more in the caller's, from the program's own numbers; if it fails there, the
// iteration goes on.
#include <algorithm>
#include <cmath>

#include <prehend/math/cone/contact_cone_engine.h>

namespace prehend::math {
namespace {
// A sum below this part of its terms is rounding.
constexpr double kCancelledShare = 1e-9;
}  // namespace

ContactConeEngine::Sizes ContactConeEngine::sizes() const {
  const int p = equalities_;
  Lanes s_size = Lanes::Zero(), z_size = Lanes::Zero(), residual = Lanes::Zero();
  for (const ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) residual = residual.max(pair.residual.v[k].abs());
    s_size = s_size.max(pair.s.v[0]);  // the first entry of a cone is its largest
    z_size = z_size.max(pair.z.v[0]);
  }
  double primal = 0.0, dual = residual.maxCoeff(), primal_size = s_size.maxCoeff(),
         dual_size = z_size.maxCoeff();
  for (int i = 0; i < p; ++i) {
    primal = std::max(primal, std::abs(residual_[i]));
    dual_size = std::max(dual_size, std::abs(point_[i]));
  }
  for (int j = p; j < order_; ++j) {
    dual = std::max(dual, std::abs(residual_[j]));
    primal_size = std::max(primal_size, std::abs(point_[j]));
  }
  Sizes sizes;
  sizes.primal = primal / std::max(tau_, primal_size);
  sizes.dual = dual / std::max(tau_, dual_size);
  // Without bounds or costs the optimum is zero, in no particular unit.
  const double smallest = bounds_ == 0.0 || costs_ == 0.0 ? 1.0 : 1e-6;
  sizes.gap = std::abs(cost_ + bound_) / std::max({smallest * tau_, cost_terms_, bound_terms_});
  sizes.infeasible = sizes.unbounded = HUGE_VAL;
  if (tau_ > kappa_) return sizes;  // no proof in sight
  if (bound_ < -kCancelledShare * bound_terms_) {
    double largest = 0.0;
    for (int j = p; j < order_; ++j) largest = std::max(largest, std::abs(residual_[j] - vector_[j] * tau_));
    Lanes of_cones = Lanes::Zero();
    for (const ConePair& pair : pairs_) {
      for (int k = 0; k < 3; ++k) of_cones = of_cones.max((pair.residual.v[k] - pair.cost.v[k] * tau_).abs());
    }
    sizes.infeasible = std::max(largest, of_cones.maxCoeff()) / std::min(-bound_, dual_size);
  }
  if (cost_ < -kCancelledShare * cost_terms_) {
    double largest = 0.0;
    for (int i = 0; i < p; ++i) largest = std::max(largest, std::abs(residual_[i] + vector_[i] * tau_));
    sizes.unbounded = largest / std::min(-cost_, primal_size);
  }
  return sizes;
}

bool ContactConeEngine::accept(const ConeProgram& program, const ConeOptions& options, ConeResult& result) {
  const Sizes now = sizes();
  if (std::max({now.primal, now.dual, now.gap}) <= options.tolerance) {
    result.primal_residual = now.primal;
    result.dual_residual = now.dual;
    result.gap = now.gap;
    return store_solution(program, options.tolerance, result);
  }
  if (now.infeasible <= options.certificate_tolerance && now.infeasible <= now.unbounded) {
    return store_infeasibility(program, options.certificate_tolerance, result);
  }
  return now.unbounded <= options.certificate_tolerance &&
         store_unboundedness(program, options.certificate_tolerance, result);
}

void ContactConeEngine::store_cones(double s_factor, double z_factor, ConeResult& result) const {
  for (int row = 0; row < 3 * cones_; ++row) {
    const ConePair& pair = pairs_[row / 6];
    const int lane = row / 3 % 2, k = row % 3;
    const double s = pair.s.v[k][lane] * pair.scale[lane] * s_factor;
    result.s[row] = s;
    result.x[column_of_row_[row]] = -s / pair.G.v[k][lane];
    result.z[row] = pair.z.v[k][lane] / pair.scale[lane] * z_factor;
  }
}

bool ContactConeEngine::store_solution(const ConeProgram& program, double tolerance,
                                       ConeResult& result) const {
  const int p = equalities_;
  const double s_factor = 1.0 / (bound_scale_ * tau_), z_factor = 1.0 / (cost_scale_ * tau_);
  store_cones(s_factor, z_factor, result);
  double primal = 0.0, primal_size = bounds_ > 0.0 ? bounds_ : 1.0;
  double dual = 0.0, dual_size = costs_ > 0.0 ? costs_ : 1.0;
  for (int i = 0; i < p; ++i) {
    result.y[i] = point_[i] * scale_[i] * z_factor;
    const double unit = s_factor / scale_[i];
    primal = std::max(primal, std::abs(residual_[i]) * unit);
    primal_size = std::max(primal_size, std::abs(residual_[i] + vector_[i] * tau_) * unit);
  }
  for (int j = 0; j < free_; ++j) {
    result.x[free_columns_[j]] = point_[p + j] * scale_[p + j] * s_factor;
    dual = std::max(dual, std::abs(residual_[p + j]) * z_factor / scale_[p + j]);
  }
  Lanes residual = Lanes::Zero(), size = Lanes::Zero(), s_size = Lanes::Zero();
  for (const ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) {
      const Lanes unit = pair.G.v[k].abs() / pair.scale * z_factor;
      residual = residual.max(pair.residual.v[k].abs() * unit);
      size = size.max(pair.z.v[k].abs() * unit);
    }
    s_size = s_size.max(pair.s.v[0] * pair.scale * s_factor);
  }
  primal_size = std::max(primal_size, s_size.maxCoeff());
  result.status = SolverStatus::optimal;
  result.primal_objective = program.c.dot(result.x);  // cost_ may have a share of a partner without force
  result.dual_objective = -bound_ * z_factor / bound_scale_;
  result.primal_residual = std::max(result.primal_residual, primal / primal_size);
  result.dual_residual = std::max(result.dual_residual,
                                  std::max(dual, residual.maxCoeff()) / std::max(dual_size, size.maxCoeff()));
  return result.primal_residual <= tolerance && result.dual_residual <= tolerance;
}

bool ContactConeEngine::store_infeasibility(const ConeProgram& program, double tolerance,
                                            ConeResult& result) const {
  const double factor = -bound_scale_ / bound_;
  store_cones(0.0, factor, result);
  for (int i = 0; i < equalities_; ++i) result.y[i] = point_[i] * scale_[i] * factor;
  result.x.setZero();
  double residual = 0.0, size = 0.0;
  using Entry = Eigen::SparseMatrix<double>::InnerIterator;
  for (Eigen::Index j = 0; j < program.A.cols(); ++j) {
    double sum = 0.0, terms = 0.0, unit = 0.0;
    const auto add = [&](double coefficient, double value) {
      sum += coefficient * value;
      terms += std::abs(coefficient * value);
      unit = std::max(unit, std::abs(coefficient));
    };
    for (Entry it(program.A, j); it; ++it) add(it.value(), result.y[it.row()]);
    for (Entry it(program.G, j); it; ++it) add(it.value(), result.z[it.row()]);
    if (unit == 0.0) continue;
    residual = std::max(residual, std::abs(sum) / unit);
    size = std::max(size, terms / unit);
  }
  result.status = SolverStatus::primal_infeasible;
  result.primal_objective = result.dual_objective = HUGE_VAL;
  result.gap = result.primal_residual = 0.0;
  result.dual_residual = residual == 0.0 ? 0.0 : residual / size;
  return result.dual_residual <= tolerance;
}

// G x + s = 0 holds as x is made from s.
bool ContactConeEngine::store_unboundedness(const ConeProgram& program, double tolerance,
                                            ConeResult& result) const {
  const int p = equalities_;
  const double factor = -cost_scale_ / cost_;
  store_cones(factor, 0.0, result);
  for (int j = 0; j < free_; ++j) result.x[free_columns_[j]] = point_[p + j] * scale_[p + j] * factor;
  result.y.setZero();
  result.z.setZero();
  double sum[kMostEqualities] = {}, terms[kMostEqualities] = {}, unit[kMostEqualities] = {};
  for (Eigen::Index j = 0; j < program.A.cols(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(program.A, j); it; ++it) {
      const double term = it.value() * result.x[j];
      sum[it.row()] += term;
      terms[it.row()] += std::abs(term);
      unit[it.row()] = std::max(unit[it.row()], std::abs(it.value()));
    }
  }
  double residual = 0.0, size = 0.0;
  for (int i = 0; i < p; ++i) {
    if (unit[i] == 0.0) continue;
    residual = std::max(residual, std::abs(sum[i]) / unit[i]);
    size = std::max(size, terms[i] / unit[i]);
  }
  result.status = SolverStatus::dual_infeasible;
  result.primal_objective = result.dual_objective = -HUGE_VAL;
  result.gap = result.dual_residual = 0.0;
  result.primal_residual = residual == 0.0 ? 0.0 : residual / size;
  return result.primal_residual <= tolerance;
}

}  // namespace prehend::math
