// One interior-point step of ContactConeEngine; formulas of the scaling as in cone_scaling.h.
#include <algorithm>
#include <cmath>

#include <prehend/math/cone/contact_cone_engine.h>
#include <prehend/math/cone/contact_cone_kernels.h>

namespace prehend::math {
namespace {
using namespace contact_cone;
// Of the way to the boundary that a step may go: nearer saves iterations and costs digits, which the general route has
// when this one gives up.
constexpr double kLongestContactFraction = 0.9999;
// Where the iteration starts. Loads are scaled to one and several contacts share each, so a contact's force s/tau starts
// at a quarter: on random walls of one to five interfaces 5% fewer iterations than from ones.
constexpr double kFirstForce = 0.5, kFirstTau = 2.0;
// Error of a direction, as part of the residual it shall take away: what is corrected no further, and what is
// bearable when it cannot be corrected; and as part of the tolerance, in a program's own size.
constexpr double kGoodDirection = 1e-2, kBearableDirection = 0.3, kOfTolerance = 0.1;

}  // namespace

void ContactConeEngine::start() {
  for (ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) {
      pair.s.v[k] = Lanes::Constant(k == 0 ? kFirstForce : 0.0);
      pair.z.v[k] = Lanes::Constant(k == 0 ? 1.0 : 0.0);
    }
  }
  std::fill(point_.begin(), point_.end(), 0.0);
  tau_ = kFirstTau;
  kappa_ = 1.0;
}

bool ContactConeEngine::update_scaling() {
  Lanes smallest = Lanes::Constant(1.0);
  for (ConePair& pair : pairs_) {
    const Triple &s = pair.s, &z = pair.z;
    const Lanes s_det = determinant(s), z_det = determinant(z);
    smallest = smallest.min(s_det).min(z_det).min(s.v[0]).min(z.v[0]);
    const Lanes s_root = s_det.sqrt(), z_root = z_det.sqrt();
    const Lanes inverse_product = 1.0 / (s_root * z_root);
    const Lanes half = 0.5 * inverse_product / (0.5 * (1.0 + dot(s, z) * inverse_product)).sqrt();
    const Lanes s_factor = half * z_root, z_factor = half * s_root;
    Triple& w = pair.w;
    for (int k = 1; k < 3; ++k) w.v[k] = s.v[k] * s_factor - z.v[k] * z_factor;
    w.v[0] = (1.0 + w.v[1] * w.v[1] + w.v[2] * w.v[2]).sqrt();
    pair.eta_squared = s_det * inverse_product;
    pair.inverse_root = inverse_product.sqrt();
    pair.eta = s_root * pair.inverse_root;
    pair.inverse_one_plus_w0 = 1.0 / (1.0 + w.v[0]);
    pair.lambda = apply(pair, z);
    pair.inverse_determinant = inverse_product;
    pair.step_factor = pair.inverse_root / (pair.lambda.v[0] * pair.inverse_root + 1.0);
  }
  return smallest.minCoeff() > 0.0;
}

void ContactConeEngine::update_residuals() {
  const int p = equalities_;
  const double *const y = point_.data(), *const u = y + p;
  std::fill(sum_.begin(), sum_.end(), Lanes::Zero());
  Lanes cost = Lanes::Zero(), cost_terms = Lanes::Zero(), s_z = Lanes::Zero();
  for_groups(pairs_, [&](auto shape, ConePair* members) {
    const auto s = gathered(shape, members, &ConePair::s);
    auto product = zeros(shape);
    const Lanes* const B = B_.data() + members->B;
    const int* const row = row_of(*members);
    for (int i = 0; i < shape.rows; ++i) {
      sum_[row[i]] += row_times(B, shape, i, s.data());
      add_row(B, shape, i, y[row[i]], product.data());
    }
    scatter(shape, product, members, &ConePair::residual);
  });
  for (ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) {
      const Lanes term = pair.cost.v[k] * pair.s.v[k];
      cost += term;
      cost_terms += term.abs();
      pair.residual.v[k] += pair.cost.v[k] * tau_ - pair.z.v[k];
    }
    s_z += dot(pair.s, pair.z);
  }
  cost_ = cost.sum();
  cost_terms_ = cost_terms.sum();
  bound_ = bound_terms_ = 0.0;
  for (int i = 0; i < p; ++i) {
    residual_[i] = sum_[i].sum() - vector_[i] * tau_;
    bound_ += vector_[i] * y[i];
    bound_terms_ += std::abs(vector_[i] * y[i]);
  }
  for (int j = 0; j < free_; ++j) {
    const double* const column = U_.data() + j * p;
    double total = vector_[p + j] * tau_;
    for (int i = 0; i < p; ++i) {
      total += column[i] * y[i];
      residual_[i] += column[i] * u[j];
    }
    residual_[p + j] = total;
    cost_ += vector_[p + j] * u[j];
    cost_terms_ += std::abs(vector_[p + j] * u[j]);
  }
  residual_tau_ = kappa_ + cost_ + bound_;
  mu_ = (s_z.sum() + tau_ * kappa_) / (2.0 * static_cast<double>(pairs_.size()) + 1.0);
}

// d_tau and d_kappa from the last equation of the embedding; `inner` is c'ds + d'du + b'dy without d_tau.
void ContactConeEngine::combine(double inner, double fraction, double d_kappa) {
  d_tau_ = (fraction * residual_tau_ - d_kappa / tau_ + inner) / (kappa_ / tau_ + scaled_norm_);
  d_kappa_ = -(d_kappa + kappa_ * d_tau_) / tau_;
}

// The right sides (-b, c, d), whose answer belongs to d_tau, and the predictor's, in one solve.
void ContactConeEngine::solve_constant_and_predictor() {
  const int p = equalities_, n = order_;
  for (ConePair& pair : pairs_) {
    pair.W_cost = apply(pair, pair.cost);
    pair.dz_constant = apply(pair, pair.W_cost);
    pair.W2_residual = apply_squared(pair, pair.residual);
    for (int k = 0; k < 3; ++k) pair.dz.v[k] = pair.s.v[k] + pair.W2_residual.v[k];
  }
  for (int i = 0; i < n; ++i) solved_[i] = Lanes(i < p ? -vector_[i] : vector_[i], residual_[i]);
  for_groups(pairs_, [&](auto shape, ConePair* members) {
    const auto of_constant = gathered(shape, members, &ConePair::dz_constant);
    const auto of_predictor = gathered(shape, members, &ConePair::dz);
    const Lanes* const B = B_.data() + members->B;
    const int* const row = row_of(*members);
    for (int i = 0; i < shape.rows; ++i) {
      solved_[row[i]] -=
          fold(row_times(B, shape, i, of_constant.data()), row_times(B, shape, i, of_predictor.data()));
    }
  });
  solve_dense(solved_.data());

  double inner = 0.0;
  for (int i = 0; i < n; ++i) {
    constant_[i] = solved_[i][0];
    direction_[i] = solved_[i][1];
    inner += vector_[i] * direction_[i];
  }
  Lanes norm = Lanes::Zero(), inner_cones = Lanes::Zero();
  for_groups(pairs_, [&](auto shape, ConePair* members) {
    auto of_constant = zeros(shape), of_predictor = zeros(shape);
    const Lanes* const B = B_.data() + members->B;
    const int* const row = row_of(*members);
    for (int i = 0; i < shape.rows; ++i) {
      add_row(B, shape, i, constant_[row[i]], of_constant.data());
      add_row(B, shape, i, direction_[row[i]], of_predictor.data());
    }
    scatter(shape, of_constant, members, &ConePair::dz_constant);
    scatter(shape, of_predictor, members, &ConePair::dz);
  });
  for (ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) {
      pair.dz_constant.v[k] += pair.cost.v[k];
      pair.dz.v[k] += pair.residual.v[k];
    }
    pair.scaled_constant = apply(pair, pair.dz_constant);
    pair.scaled_dz = apply(pair, pair.dz);
    norm += dot(pair.scaled_constant, pair.scaled_constant);
    for (int k = 0; k < 3; ++k) {
      inner_cones -= pair.W_cost.v[k] * (pair.lambda.v[k] + pair.scaled_dz.v[k]);
    }
  }
  scaled_norm_ = norm.sum();
  combine(inner + inner_cones.sum(), 1.0, tau_ * kappa_);
  for (ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) {
      pair.scaled_dz.v[k] += d_tau_ * pair.scaled_constant.v[k];
      pair.scaled_ds.v[k] = -(pair.lambda.v[k] + pair.scaled_dz.v[k]);
    }
  }
}

// Re-centred, with the predictor's second-order error.
void ContactConeEngine::solve_corrector(double sigma) {
  const int p = equalities_, n = order_;
  const double fraction = 1.0 - sigma;
  std::fill(sum_.begin(), sum_.begin() + p, Lanes::Zero());
  for (ConePair& pair : pairs_) {
    const Triple &l = pair.lambda, &a = pair.scaled_ds, &b = pair.scaled_dz;
    // lambda o lambda + ds o dz - sigma mu e, then divided by lambda.
    const Lanes v0 = dot(l, l) + dot(a, b) - sigma * mu_;
    const Lanes v1 = 2.0 * l.v[0] * l.v[1] + a.v[0] * b.v[1] + b.v[0] * a.v[1];
    const Lanes v2 = 2.0 * l.v[0] * l.v[2] + a.v[0] * b.v[2] + b.v[0] * a.v[2];
    const Lanes head = (l.v[0] * v0 - l.v[1] * v1 - l.v[2] * v2) * pair.inverse_determinant;
    const Lanes inverse = 1.0 / l.v[0];
    pair.divided.v[0] = head;
    pair.divided.v[1] = (v1 - head * l.v[1]) * inverse;
    pair.divided.v[2] = (v2 - head * l.v[2]) * inverse;
    pair.dz = apply(pair, pair.divided);
    for (int k = 0; k < 3; ++k) pair.dz.v[k] += fraction * pair.W2_residual.v[k];
  }
  add_products(pairs_, B_.data(), touched_.data(), &ConePair::dz, sum_.data());
  for (int i = 0; i < p; ++i) direction_[i] = fraction * residual_[i] - sum_[i].sum();
  for (int i = p; i < n; ++i) direction_[i] = fraction * residual_[i];
  solve_dense(direction_.data());

  double inner = 0.0;
  for (int i = 0; i < n; ++i) inner += vector_[i] * direction_[i];
  Lanes inner_cones = Lanes::Zero();
  transposed_products(pairs_, B_.data(), touched_.data(), direction_.data(), &ConePair::dz);
  for (ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) pair.dz.v[k] += fraction * pair.residual.v[k];
    pair.scaled_dz = apply(pair, pair.dz);
    for (int k = 0; k < 3; ++k) {
      inner_cones -= pair.W_cost.v[k] * (pair.divided.v[k] + pair.scaled_dz.v[k]);
    }
  }
  combine(inner + inner_cones.sum(), fraction, tau_ * kappa_ + d_tau_ * d_kappa_ - sigma * mu_);
  for (int i = 0; i < n; ++i) direction_[i] += d_tau_ * constant_[i];
  for (ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) {
      pair.dz.v[k] += d_tau_ * pair.dz_constant.v[k];
      pair.scaled_dz.v[k] += d_tau_ * pair.scaled_constant.v[k];
      pair.scaled_ds.v[k] = -(pair.divided.v[k] + pair.scaled_dz.v[k]);
    }
  }
}

// Where M is nearly singular the direction may miss the equilibrium equations B ds + U du, U'dy that it was
// made for (the others hold by construction). Corrects it until the error does not matter; false when it does
// and will not shrink.
bool ContactConeEngine::refine(double fraction, double tolerance) {
  const int p = equalities_, n = order_;
  double to_remove = 0.0;
  for (int i = 0; i < n; ++i) to_remove = std::max(to_remove, std::abs(residual_[i]));
  const double wanted = std::max(kGoodDirection * to_remove, kOfTolerance * tolerance * tau_);
  double last = HUGE_VAL;
  while (true) {
    std::fill(sum_.begin(), sum_.begin() + p, Lanes::Zero());
    for (ConePair& pair : pairs_) pair.ds = apply(pair, pair.scaled_ds);
    add_products(pairs_, B_.data(), touched_.data(), &ConePair::ds, sum_.data());
    double* const error = error_.data();
    for (int i = 0; i < p; ++i) error[i] = sum_[i].sum() + fraction * residual_[i] - d_tau_ * vector_[i];
    for (int j = 0; j < free_; ++j) {
      const double* const column = U_.data() + j * p;
      double total = fraction * residual_[p + j] + d_tau_ * vector_[p + j];
      for (int i = 0; i < p; ++i) {
        total += column[i] * direction_[i];
        error[i] += column[i] * direction_[p + j];
      }
      error[p + j] = total;
    }
    double largest = 0.0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(error[i]));
    if (largest <= wanted) return true;
    if (!(largest < 0.5 * last)) return largest <= kBearableDirection * to_remove;
    last = largest;
    solve_dense(error);
    for (int i = 0; i < n; ++i) direction_[i] += error[i];
    transposed_products(pairs_, B_.data(), touched_.data(), error, &ConePair::change);
    for (ConePair& pair : pairs_) {
      const Triple scaled_change = apply(pair, pair.change);
      for (int k = 0; k < 3; ++k) {
        pair.dz.v[k] += pair.change.v[k];
        pair.scaled_dz.v[k] += scaled_change.v[k];
        pair.scaled_ds.v[k] -= scaled_change.v[k];
      }
    }
  }
}

// 1/t, the largest over cones, tau and kappa; at least `least`.
double ContactConeEngine::exit_rate(double least) const {
  Lanes worst = Lanes::Constant(least);
  for (const ConePair& pair : pairs_) {
    worst = worst.max(exit(pair, pair.scaled_dz)).max(exit(pair, pair.scaled_ds));
  }
  return std::max({worst.maxCoeff(), -d_tau_ / tau_, -d_kappa_ / kappa_});
}

bool ContactConeEngine::advance(const ConeOptions& options) {
  factorise();
  solve_constant_and_predictor();
  const double reach = 1.0 / exit_rate(1.0), left = 1.0 - reach;
  if (!(reach >= 0.0)) return false;
  // The square, not the usual cube: contacts that share a load leave the path easily, and a little more centring pays.
  const double sigma = left * left;
  solve_corrector(sigma);
  if (!refine(1.0 - sigma, options.tolerance)) return false;
  // Near the end the predictor hardly leaves the path; going as far as it did saves the last iterations.
  const double fraction = std::max(options.step_fraction, std::min(reach, kLongestContactFraction));
  const double step = std::min(1.0, fraction / exit_rate(fraction));
  if (!(step > 1e-6)) return false;
  for (ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) {
      pair.s.v[k] += step * pair.ds.v[k];
      pair.z.v[k] += step * pair.dz.v[k];
    }
  }
  for (int i = 0; i < order_; ++i) point_[i] += step * direction_[i];
  tau_ += step * d_tau_;
  kappa_ += step * d_kappa_;
  return tau_ > 0.0 && kappa_ > 0.0 && update_scaling();
}

}  // namespace prehend::math
