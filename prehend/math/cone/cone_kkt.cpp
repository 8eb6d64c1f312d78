#include <algorithm>
#include <cmath>
#include <type_traits>

#include <prehend/math/cone/cone_kkt.h>

namespace prehend::math {
namespace {
// Residual, relative to the right side, below which a solve needs no correction.
constexpr double kAccurate = 1e-11;
constexpr int kLargestBlock = 16;  // as owned cones are limited in the analysis

// In place, by Gauss-Jordan elimination with row pivoting; false when nearly singular. `d` is small: 3 for a
// contact.
bool invert(double* a, int d) {
  int pivot_row[kLargestBlock];
  double largest = 0.0;
  for (int i = 0; i < d * d; ++i) largest = std::max(largest, std::abs(a[i]));
  for (int k = 0; k < d; ++k) {
    int best = k;
    for (int i = k + 1; i < d; ++i) {
      if (std::abs(a[k * d + i]) > std::abs(a[k * d + best])) best = i;
    }
    if (!(std::abs(a[k * d + best]) > 1e-6 * largest)) return false;
    pivot_row[k] = best;
    for (int j = 0; j < d; ++j) std::swap(a[j * d + k], a[j * d + best]);
    const double inverse = 1.0 / a[k * d + k];
    a[k * d + k] = 1.0;
    for (int j = 0; j < d; ++j) a[j * d + k] *= inverse;
    for (int i = 0; i < d; ++i) {
      if (i == k) continue;
      const double factor = a[k * d + i];
      a[k * d + i] = 0.0;
      for (int j = 0; j < d; ++j) a[j * d + i] -= factor * a[j * d + k];
    }
  }
  for (int k = d - 1; k >= 0; --k) {
    if (pivot_row[k] == k) continue;
    for (int i = 0; i < d; ++i) std::swap(a[k * d + i], a[pivot_row[k] * d + i]);
  }
  return true;
}

double largest_entry(const double* v, std::size_t size) {
  double largest = 0.0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, std::abs(v[i]));
  return largest;
}

// sum = M v and sum = M' v for column-major M with `rows` rows; fixed sizes where contacts are.
template <class Rows, class Columns>
inline void multiply_add(const double* M, const double* v, Rows rows, Columns columns, double* sum) {
  for (int k = 0; k < columns; ++k) {
    for (int i = 0; i < rows; ++i) sum[i] += M[k * rows + i] * v[k];
  }
}
template <class Rows, class Columns>
inline void multiply_transposed(const double* M, const double* v, Rows rows, Columns columns, double* out) {
  for (int k = 0; k < columns; ++k) {
    double sum = 0.0;
    for (int i = 0; i < rows; ++i) sum += M[k * rows + i] * v[i];
    out[k] = sum;
  }
}

// One free body has 6 equalities, two have 12; a contact force has 3 components.
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

}  // namespace

void ConeKkt::set_values() {
  while (true) {
    std::fill(blocks_.begin(), blocks_.end(), 0.0);
    for (const Gathered& entry : gathered_G_) blocks_[entry.target] = G_.value[entry.source];
    for (const Gathered& entry : gathered_A_) blocks_[entry.target] = A_.value[entry.source];
    if (invert_owned_blocks()) break;
    analyse();
  }
  std::fill(base_values_.begin(), base_values_.end(), 0.0);
  for (const Copied& entry : copied_) {
    base_values_[entry.location] = entry.from_A ? A_.value[entry.source] : G_.value[entry.source];
  }
}

// G_K becomes its inverse, A_K becomes B = A_K G_K^-1.
bool ConeKkt::invert_owned_blocks() {
  bool all = true;
  for (const Group& group : groups_) {
    for (int c = group.first; c < group.first + group.count; ++c) {
      const Owned& owned = owned_[c];
      const int d = owned.cone.dimension, r = group.row_count;
      double* const inverse = blocks_.data() + owned.inverse;
      if (!invert(inverse, d)) {
        int number = owned.cone.index;  // place in list_cones()
        if (owned.cone.kind != Kind::orthant) number += layout_.nonnegative;
        if (owned.cone.kind == Kind::psd) number += static_cast<int>(layout_.second_order.size());
        may_own_[number] = 0;
        all = false;
        continue;
      }
      double* const B = blocks_.data() + owned.B;
      for (int i = 0; i < r; ++i) {
        double row[kLargestBlock];
        for (int k = 0; k < d; ++k) {
          row[k] = 0.0;
          for (int l = 0; l < d; ++l) row[k] += B[l * r + i] * inverse[k * d + l];
        }
        for (int k = 0; k < d; ++k) B[k * r + i] = row[k];
      }
    }
  }
  return all;
}

// Right side of the reduced system: what x, y and kept cones bring, and eliminated cones add to x.
void ConeKkt::reduce_right_side(const double* right_side) {
  const double *const rx = right_side, *const ry = rx + n_, *const rz = ry + p_;
  const int x_count = static_cast<int>(n_ - owned_columns_.size());
  double* const u = reduced_.data();
  for (int j = 0; j < n_; ++j) {
    if (reduced_of_column_[j] >= 0) u[reduced_of_column_[j]] = rx[j];
  }
  std::copy(ry, ry + p_, u + x_count);
  std::fill(reduced_.begin() + x_count + p_, reduced_.end(), 0.0);
  for (const Kept& kept : kept_) {
    const int* const rows = reduced_of_row_.data() + kept.cone.offset;
    for (int i = 0; i < kept.cone.dimension; ++i) u[rows[i]] = rz[kept.cone.offset + i];
  }
  if (eliminated_.empty()) return;
  scaling_->apply_inverse_squared(rz, cone_work_.data());
  for (const Eliminated& e : eliminated_) {
    const double *const G = blocks_.data() + e.G, *const v = cone_work_.data() + e.cone.offset;
    for (int k = 0; k < e.column_count; ++k) {
      double sum = 0.0;
      for (int i = 0; i < e.cone.dimension; ++i) sum += G[k * e.cone.dimension + i] * v[i];
      u[reduced_of_column_[eliminated_columns_[e.columns + k]]] += sum;
    }
  }
}

// What owned cones take from the equalities. z holds q = G_K^-T r_x on owned rows from here until y is known.
void ConeKkt::reduce_owned(const double* right_side, double* z) {
  const double *const rx = right_side, *const rz = rx + n_ + p_;
  for (const Owned& owned : owned_) {
    const int* const columns = owned_columns_.data() + owned.columns;
    with_dimension(owned.cone.dimension, [&](auto d) {
      double r[kLargestBlock];
      for (int k = 0; k < d; ++k) r[k] = rx[columns[k]];
      multiply_transposed(blocks_.data() + owned.inverse, r, d, d, z + owned.cone.offset);
    });
  }
  if (owned_.empty()) return;
  for (const Eliminated& e : eliminated_) std::fill_n(z + e.cone.offset, e.cone.dimension, 0.0);
  for (const Kept& k : kept_) std::fill_n(z + k.cone.offset, k.cone.dimension, 0.0);
  scaling_->apply_squared(z, cone_work2_.data());
  double* const u_y = reduced_.data() + (n_ - owned_columns_.size());
  for (const Group& group : groups_) {
    const int r = group.row_count;
    double* const sum = group_vector_.data();
    std::fill_n(sum, r, 0.0);
    for (int c = group.first; c < group.first + group.count; ++c) {
      const Owned& owned = owned_[c];
      with_dimension(owned.cone.dimension, [&](auto d) {
        double v[kLargestBlock];
        for (int k = 0; k < d; ++k) v[k] = rz[owned.cone.offset + k] + cone_work2_[owned.cone.offset + k];
        with_rows(r, [&](auto rows) { multiply_add(blocks_.data() + owned.B, v, rows, d, sum); });
      });
    }
    for (int i = 0; i < r; ++i) u_y[group_rows_[group.rows + i]] -= sum[i];
  }
}

// z = q - B'y on owned rows.
void ConeKkt::recover_owned_multipliers(const double* y, double* z) {
  for (const Group& group : groups_) {
    const int r = group.row_count;
    double* const y_group = group_vector_.data();
    for (int i = 0; i < r; ++i) y_group[i] = y[group_rows_[group.rows + i]];
    for (int c = group.first; c < group.first + group.count; ++c) {
      const Owned& owned = owned_[c];
      with_dimension(owned.cone.dimension, [&](auto d) {
        double v[kLargestBlock];
        with_rows(r, [&](auto rows) { multiply_transposed(blocks_.data() + owned.B, y_group, rows, d, v); });
        for (int k = 0; k < d; ++k) z[owned.cone.offset + k] -= v[k];
      });
    }
  }
}

// z = (W'W)^-1 (G_K x - r_z) on eliminated rows.
void ConeKkt::recover_eliminated(const double* rz, const double* x, double* z) {
  if (eliminated_.empty()) return;
  for (const Eliminated& e : eliminated_) {
    const double* const G = blocks_.data() + e.G;
    double* const v = cone_work_.data() + e.cone.offset;
    for (int i = 0; i < e.cone.dimension; ++i) v[i] = -rz[e.cone.offset + i];
    for (int k = 0; k < e.column_count; ++k) {
      const double factor = x[eliminated_columns_[e.columns + k]];
      for (int i = 0; i < e.cone.dimension; ++i) v[i] += G[k * e.cone.dimension + i] * factor;
    }
  }
  scaling_->apply_inverse_squared(cone_work_.data(), cone_work2_.data());
  for (const Eliminated& e : eliminated_) {
    std::copy_n(cone_work2_.data() + e.cone.offset, e.cone.dimension, z + e.cone.offset);
  }
}

// x = G_K^-1 (r_z + W'W z) in owned columns.
void ConeKkt::recover_owned_unknowns(const double* rz, const double* z, double* x) {
  if (owned_.empty()) return;
  scaling_->apply_squared(z, cone_work2_.data());
  for (const Owned& owned : owned_) {
    const int offset = owned.cone.offset;
    const int* const columns = owned_columns_.data() + owned.columns;
    with_dimension(owned.cone.dimension, [&](auto d) {
      double v[kLargestBlock], sum[kLargestBlock] = {};
      for (int k = 0; k < d; ++k) v[k] = rz[offset + k] + cone_work2_[offset + k];
      multiply_add(blocks_.data() + owned.inverse, v, d, d, sum);
      for (int i = 0; i < d; ++i) x[columns[i]] = sum[i];
    });
  }
}

void ConeKkt::solve_reduced(const double* right_side, double* solution) {
  const double* const rz = right_side + n_ + p_;
  double *const x = solution, *const y = x + n_, *const z = y + p_;
  const int x_count = static_cast<int>(n_ - owned_columns_.size());
  double* const u = reduced_.data();
  reduce_right_side(right_side);
  reduce_owned(right_side, z);

  ldl_.solve(u);

  for (int j = 0; j < n_; ++j) {
    if (reduced_of_column_[j] >= 0) x[j] = u[reduced_of_column_[j]];
  }
  std::copy(u + x_count, u + x_count + p_, y);
  recover_owned_multipliers(y, z);
  recover_eliminated(rz, x, z);
  for (const Kept& kept : kept_) {
    const int* const rows = reduced_of_row_.data() + kept.cone.offset;
    for (int i = 0; i < kept.cone.dimension; ++i) z[kept.cone.offset + i] = u[rows[i]];
  }
  recover_owned_unknowns(rz, z, x);
}

// Residual of the full system; its largest entry.
double ConeKkt::update_residual(const double* right_side, const double* solution) {
  const double *const x = solution, *const y = x + n_, *const z = y + p_;
  double *const ex = residual_.data(), *const ey = ex + n_, *const ez = ey + p_;
  std::copy_n(right_side + n_, p_, ey);
  scaling_->apply_squared(z, ez);
  for (int i = 0; i < m_; ++i) ez[i] += right_side[n_ + p_ + i];
  for (int j = 0; j < n_; ++j) {
    const double factor = x[j];
    double sum = right_side[j];
    for (int k = A_.start[j]; k < A_.start[j + 1]; ++k) {
      sum -= A_.value[k] * y[A_.row[k]];
      ey[A_.row[k]] -= A_.value[k] * factor;
    }
    for (int k = G_.start[j]; k < G_.start[j + 1]; ++k) {
      sum -= G_.value[k] * z[G_.row[k]];
      ez[G_.row[k]] -= G_.value[k] * factor;
    }
    ex[j] = sum;
  }
  return largest_entry(residual_.data(), residual_.size());
}

double ConeKkt::refine(const double* right_side, double* solution) {
  const std::size_t total = residual_.size();
  const double reference = largest_entry(right_side, total);
  double error = update_residual(right_side, solution);
  for (int step = 0; step < max_refinements_ && error > kAccurate * reference; ++step) {
    solve_reduced(residual_.data(), correction_.data());
    for (std::size_t i = 0; i < total; ++i) trial_[i] = solution[i] + correction_[i];
    const double new_error = update_residual(right_side, trial_.data());
    if (!(new_error < error)) break;
    std::copy(trial_.begin(), trial_.end(), solution);
    const bool slow = new_error > 0.5 * error;
    error = new_error;
    if (slow) break;
  }
  if (!std::isfinite(error)) return HUGE_VAL;
  return error > 0.0 ? error / reference : 0.0;
}

}  // namespace prehend::math
