// One interior-point step of ContactConeEngine; formulas of the scaling as in cone_scaling.h.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include <prehend/math/contact_cone_engine.h>

namespace prehend::math {
namespace {
using Lanes = Eigen::Array2d;
constexpr double kLongestFraction = 0.9999;
// A pivot below this part of its diagonal is rounding noise; this part of it in its place keeps the step
// bounded.
constexpr double kPivotFloor = 1e-15, kReplacement = 1e-12;
// Error of a direction against the residual it shall take away, or against the program's own size, that does
// not matter.
constexpr double kDirectionError = 1e-2, kSmallError = 1e-11;

template <class Triple>
inline Lanes dot(const Triple& a, const Triple& b) {
  return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

template <class Triple>
inline Lanes determinant(const Triple& a) {
  const Lanes tail = (a.v[1] * a.v[1] + a.v[2] * a.v[2]).sqrt();
  return (a.v[0] - tail) * (a.v[0] + tail);
}

// W v.
template <class Pair, class Triple>
inline Triple apply(const Pair& pair, const Triple& v) {
  const Lanes along = pair.w.v[1] * v.v[1] + pair.w.v[2] * v.v[2];
  const Lanes shared = v.v[0] + along * pair.inverse_one_plus_w0;
  Triple out;
  out.v[0] = pair.eta * (pair.w.v[0] * v.v[0] + along);
  for (int k = 1; k < 3; ++k) out.v[k] = pair.eta * (v.v[k] + shared * pair.w.v[k]);
  return out;
}

// W^2 v.
template <class Pair, class Triple>
inline Triple apply_squared(const Pair& pair, const Triple& v) {
  const Lanes along = 2.0 * dot(pair.w, v);
  Triple out;
  out.v[0] = pair.eta_squared * (along * pair.w.v[0] - v.v[0]);
  for (int k = 1; k < 3; ++k) out.v[k] = pair.eta_squared * (along * pair.w.v[k] + v.v[k]);
  return out;
}

// 1/t for the largest step t with lambda + t d in the cones.
template <class Pair, class Triple>
inline Lanes exit(const Pair& pair, const Triple& d) {
  const Lanes along =
      (pair.lambda.v[0] * d.v[0] - pair.lambda.v[1] * d.v[1] - pair.lambda.v[2] * d.v[2]) * pair.inverse_root;
  const Lanes shared = (along + d.v[0]) * pair.step_factor;
  const Lanes r1 = d.v[1] - shared * pair.lambda.v[1], r2 = d.v[2] - shared * pair.lambda.v[2];
  return ((r1 * r1 + r2 * r2).sqrt() - along) * pair.inverse_root;
}

// sum += B v, both cones in one sum each.
template <class Rows, class Triple>
inline void add_product(const Lanes* B, Rows rows, const int* row, const Triple& v, Lanes* sum) {
  for (int i = 0; i < rows; ++i) {
    sum[row[i]] += B[i] * v.v[0] + B[rows + i] * v.v[1] + B[2 * rows + i] * v.v[2];
  }
}

// B'y.
template <class Triple, class Rows>
inline Triple transposed_product(const Lanes* B, Rows rows, const int* row, const double* y) {
  Triple out;
  Lanes t0 = Lanes::Zero(), t1 = Lanes::Zero(), t2 = Lanes::Zero();
  for (int i = 0; i < rows; ++i) {
    const double value = y[row[i]];
    t0 += B[i] * value;
    t1 += B[rows + i] * value;
    t2 += B[2 * rows + i] * value;
  }
  out.v[0] = t0;
  out.v[1] = t1;
  out.v[2] = t2;
  return out;
}

// One body has 6 equalities, two have 12: loops of known length unroll.
template <class Kernel>
inline void with_rows(int rows, Kernel&& kernel) {
  if (rows == 6) {
    kernel(std::integral_constant<int, 6>{});
  } else if (rows == 12) {
    kernel(std::integral_constant<int, 12>{});
  } else {
    kernel(rows);
  }
}

template <class Order, class Value>
inline void solve_in_place(const double* L, const double* inverse_pivots, Order n, int stride, Value* x) {
  for (int j = 0; j < n; ++j) {
    const double* const column = L + j * stride;
    const Value value = x[j];
    for (int i = j + 1; i < n; ++i) x[i] -= column[i] * value;
    x[j] = value * inverse_pivots[j];
  }
  for (int j = n - 2; j >= 0; --j) {
    const double* const column = L + j * stride;
    Value value = x[j];
    for (int i = j + 1; i < n; ++i) value -= column[i] * x[i];
    x[j] = value;
  }
}
}  // namespace

void ContactConeEngine::start() {
  for (ConePair& pair : pairs_) {
    for (int k = 0; k < 3; ++k) pair.s.v[k] = pair.z.v[k] = Lanes::Constant(k == 0 ? 1.0 : 0.0);
  }
  std::fill(point_.begin(), point_.end(), 0.0);
  tau_ = kappa_ = 1.0;
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
    pair.eta = pair.eta_squared.sqrt();
    pair.inverse_one_plus_w0 = 1.0 / (1.0 + w.v[0]);
    pair.lambda = apply(pair, z);
    pair.inverse_determinant = inverse_product;
    pair.inverse_root = inverse_product.sqrt();
    pair.step_factor = pair.inverse_root / (pair.lambda.v[0] * pair.inverse_root + 1.0);
  }
  return smallest.minCoeff() > 0.0;
}

void ContactConeEngine::update_residuals() {
  const int p = equalities_;
  const double *const y = point_.data(), *const u = y + p;
  std::fill(sum_.begin(), sum_.end(), Lanes::Zero());
  Lanes cost = Lanes::Zero(), cost_terms = Lanes::Zero(), s_z = Lanes::Zero();
  for (ConePair& pair : pairs_) {
    with_rows(pair.rows, [&](auto rows) {
      const Lanes* const B = B_.data() + pair.B;
      add_product(B, rows, row_of(pair), pair.s, sum_.data());
      pair.residual = transposed_product<Triple>(B, rows, row_of(pair), y);
    });
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

// M from the scaling, then L D L' of the whole.
void ContactConeEngine::factorise() {
  const int p = equalities_;
  std::fill(M_.begin(), M_.end(), Lanes::Zero());
  for (const ConePair& pair : pairs_) {
    with_rows(pair.rows, [&](auto rows) {
      const Lanes* const B = B_.data() + pair.B;
      const Lanes* constant = BJB_.data() + pair.constant;
      const int* const row = row_of(pair);
      const Lanes eta_squared = pair.eta_squared, twice = 2.0 * eta_squared;
      Lanes q[kMostEqualities];
      for (int i = 0; i < rows; ++i) {
        q[i] = B[i] * pair.w.v[0] + B[rows + i] * pair.w.v[1] + B[2 * rows + i] * pair.w.v[2];
      }
      for (int j = 0; j < rows; ++j) {
        const Lanes factor = twice * q[j];
        Lanes* const column = M_.data() + row[j] * p;
        for (int i = j; i < rows; ++i) column[row[i]] += q[i] * factor - eta_squared * *constant++;
      }
    });
  }
  double* const K = K_.front().data();
  double growth[kMostEqualities + kMostFree];
  for (int j = 0; j < p; ++j) {
    double* const column = K + j * stride_;
    for (int i = j; i < p; ++i) column[i] = M_[j * p + i].sum();
    for (int k = 0; k < free_; ++k) column[p + k] = -U_[k * p + j];
    growth[j] = column[j];
  }
  for (int j = p; j < order_; ++j) {
    std::fill_n(K + j * stride_ + j, order_ - j, 0.0);
    growth[j] = 0.0;
  }
  eliminate(growth);
}

// L D L' in place, three columns at a time, two rows at a time (the row above an odd diagonal entry is not
// used). Pivots of free columns are negative. `growth`: how large each diagonal entry has been.
void ContactConeEngine::eliminate(double* growth) {
  constexpr int kBlock = 3;
  const int n = order_, half = stride_ / 2;
  for (int first = 0; first < n; first += kBlock) {
    const int end = std::min(first + kBlock, n);
    double pivot[kBlock];
    for (int j = first; j < end; ++j) {
      Lanes* const column = K_.data() + j * half;
      for (int k = first; k < j; ++k) {
        const Lanes* const earlier = K_.data() + k * half;
        const double entry = earlier->data()[j], factor = entry * pivot[k - first];
        for (int i = j / 2; i < half; ++i) column[i] -= factor * earlier[i];
        if (j >= equalities_) growth[j] += std::abs(factor * entry);
      }
      const double sign = j < equalities_ ? 1.0 : -1.0;
      double& diagonal = column->data()[j];
      if (!(sign * diagonal > kPivotFloor * growth[j])) {
        diagonal = sign * std::max(kReplacement * growth[j], 1e-12);
      }
      pivot[j - first] = diagonal;
      const double inverse = inverse_pivots_[j] = 1.0 / diagonal;
      for (int i = j / 2; i < half; ++i) column[i] *= inverse;
    }
    if (end == n) return;
    const Lanes *const L0 = K_.data() + first * half, *const L1 = L0 + half, *const L2 = L1 + half;
    for (int c = end; c < n; ++c) {
      const double l0 = L0->data()[c], l1 = L1->data()[c], l2 = L2->data()[c];
      if (l0 == 0.0 && l1 == 0.0 && l2 == 0.0) continue;  // bodies that do not touch
      const double f0 = l0 * pivot[0], f1 = l1 * pivot[1], f2 = l2 * pivot[2];
      Lanes* const column = K_.data() + c * half;
      for (int i = c / 2; i < half; ++i) column[i] -= f0 * L0[i] + f1 * L1[i] + f2 * L2[i];
      if (c >= equalities_) growth[c] += std::abs(f0 * l0) + std::abs(f1 * l1) + std::abs(f2 * l2);
    }
  }
}

template <class Value>
void ContactConeEngine::solve_dense(Value* x) const {
  if (order_ == 7) {  // one body, one push
    solve_in_place(K_.front().data(), inverse_pivots_.data(), std::integral_constant<int, 7>{}, stride_, x);
  } else {
    solve_in_place(K_.front().data(), inverse_pivots_.data(), order_, stride_, x);
  }
}

// d_tau and d_kappa from the last equation of the embedding; `inner` is c'ds + d'du + b'dy without d_tau.
void ContactConeEngine::combine(double inner, double fraction, double d_kappa) {
  d_tau_ = (fraction * residual_tau_ - d_kappa / tau_ + inner) / (kappa_ / tau_ + scaled_norm_);
  d_kappa_ = -(d_kappa + kappa_ * d_tau_) / tau_;
}

// The right sides (-b, c, d), whose answer belongs to d_tau, and the predictor's, in one solve.
void ContactConeEngine::solve_constant_and_predictor() {
  const int p = equalities_, n = order_;
  std::fill(sum_.begin(), sum_.end(), Lanes::Zero());
  Lanes* const of_constant = sum_.data();
  Lanes* const of_predictor = sum_.data() + p;
  for (ConePair& pair : pairs_) {
    pair.W_cost = apply(pair, pair.cost);
    const Triple W2_cost = apply(pair, pair.W_cost);
    pair.W2_residual = apply_squared(pair, pair.residual);
    Triple predictor;
    for (int k = 0; k < 3; ++k) predictor.v[k] = pair.s.v[k] + pair.W2_residual.v[k];
    with_rows(pair.rows, [&](auto rows) {
      const Lanes* const B = B_.data() + pair.B;
      add_product(B, rows, row_of(pair), W2_cost, of_constant);
      add_product(B, rows, row_of(pair), predictor, of_predictor);
    });
  }
  for (int i = 0; i < p; ++i) {
    solved_[i] = Lanes(-of_constant[i].sum() - vector_[i], -of_predictor[i].sum() + residual_[i]);
  }
  for (int i = p; i < n; ++i) solved_[i] = Lanes(vector_[i], residual_[i]);
  solve_dense(solved_.data());

  double inner = 0.0;
  for (int i = 0; i < n; ++i) {
    constant_[i] = solved_[i][0];
    direction_[i] = solved_[i][1];
    inner += vector_[i] * direction_[i];
  }
  Lanes norm = Lanes::Zero(), inner_cones = Lanes::Zero();
  for (ConePair& pair : pairs_) {
    with_rows(pair.rows, [&](auto rows) {
      const Lanes* const B = B_.data() + pair.B;
      pair.dz_constant = transposed_product<Triple>(B, rows, row_of(pair), constant_.data());
      pair.dz = transposed_product<Triple>(B, rows, row_of(pair), direction_.data());
    });
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
    Triple right = apply(pair, pair.divided);
    for (int k = 0; k < 3; ++k) right.v[k] += fraction * pair.W2_residual.v[k];
    with_rows(pair.rows,
              [&](auto rows) { add_product(B_.data() + pair.B, rows, row_of(pair), right, sum_.data()); });
  }
  for (int i = 0; i < p; ++i) direction_[i] = fraction * residual_[i] - sum_[i].sum();
  for (int i = p; i < n; ++i) direction_[i] = fraction * residual_[i];
  solve_dense(direction_.data());

  double inner = 0.0;
  for (int i = 0; i < n; ++i) inner += vector_[i] * direction_[i];
  Lanes inner_cones = Lanes::Zero();
  for (ConePair& pair : pairs_) {
    with_rows(pair.rows, [&](auto rows) {
      pair.dz = transposed_product<Triple>(B_.data() + pair.B, rows, row_of(pair), direction_.data());
    });
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
bool ContactConeEngine::refine(double fraction) {
  const int p = equalities_, n = order_;
  double wanted = 0.0;
  for (int i = 0; i < n; ++i) wanted = std::max(wanted, std::abs(residual_[i]));
  wanted = std::max(kDirectionError * wanted, kSmallError * tau_);
  double last = HUGE_VAL;
  while (true) {
    std::fill(sum_.begin(), sum_.begin() + p, Lanes::Zero());
    for (ConePair& pair : pairs_) {
      pair.ds = apply(pair, pair.scaled_ds);
      with_rows(pair.rows, [&](auto rows) {
        add_product(B_.data() + pair.B, rows, row_of(pair), pair.ds, sum_.data());
      });
    }
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
    if (!(largest < 0.5 * last)) return false;
    last = largest;
    solve_dense(error);
    for (int i = 0; i < n; ++i) direction_[i] += error[i];
    for (ConePair& pair : pairs_) {
      Triple change;
      with_rows(pair.rows, [&](auto rows) {
        change = transposed_product<Triple>(B_.data() + pair.B, rows, row_of(pair), error);
      });
      const Triple scaled_change = apply(pair, change);
      for (int k = 0; k < 3; ++k) {
        pair.dz.v[k] += change.v[k];
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

bool ContactConeEngine::advance(double step_fraction) {
  factorise();
  solve_constant_and_predictor();
  const double reach = 1.0 / exit_rate(1.0), left = 1.0 - reach;
  if (!(reach >= 0.0)) return false;
  const double sigma = left * left * left;
  solve_corrector(sigma);
  if (!refine(1.0 - sigma)) return false;
  // Near the end the predictor hardly leaves the path; going as far as it did saves the last iterations.
  const double fraction = std::max(step_fraction, std::min(reach, kLongestFraction));
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
