#include <algorithm>
#include <cmath>

#include <prehend/math/cone/quasidefinite_ldl.h>

namespace prehend::math {
namespace {
// Of the growth, as the size of a replaced pivot: half the digits of a double, so that the unknown neither moves by
// much nor spoils the others.
constexpr double kReplacement = 1e-8;
}  // namespace

int QuasidefiniteLdl::location(int row, int column) const {
  int i = position_[row], j = position_[column];
  if (i < j) std::swap(i, j);
  const Front& front = fronts_[front_of_column_[j]];
  const int* rows = front_rows_.data() + front.rows;
  const int local = static_cast<int>(std::lower_bound(rows, rows + front.height, i) - rows);
  return front.values + (j - front.first) * front.height + local;
}

int QuasidefiniteLdl::factorise(double pivot_floor) {
  for (int j = 0; j < size(); ++j) growth_[j] = std::abs(values_[diagonal_location_[j]]);
  int replaced = 0;
  for (const Front& front : fronts_) {
    replaced += factorise_front(front, pivot_floor);
    if (front.parent >= 0) add_to_parent(front);
  }
  return replaced;
}

// Dense elimination of the front's own columns, four at a time: the trailing part is then read and written
// once for four columns.
int QuasidefiniteLdl::factorise_front(const Front& front, double pivot_floor) {
  constexpr int kBlock = 4;
  const int height = front.height;
  double* const F = values_.data() + front.values;
  // How large the diagonal has been on the way: what is left is known to that times the rounding unit, no
  // better.
  double* const growth = gathered_.data();
  const int* const rows = front_rows_.data() + front.rows;
  for (int i = 0; i < height; ++i) growth[i] = growth_[rows[i]];
  int replaced = 0;
  for (int j0 = 0; j0 < front.width; j0 += kBlock) {
    const int j1 = std::min(j0 + kBlock, front.width);
    double pivots[kBlock];
    for (int j = j0; j < j1; ++j) {
      double* const column = F + static_cast<std::size_t>(j) * height;
      for (int k = j0; k < j; ++k) {
        const double* const earlier = F + static_cast<std::size_t>(k) * height;
        const double factor = earlier[j] * pivots[k - j0];
        for (int i = j; i < height; ++i) column[i] -= factor * earlier[i];
        growth[j] += std::abs(factor * earlier[j]);
      }
      const int global = front.first + j;
      const double sign = signs_[global];
      double pivot = column[j];
      // Rounding noise has eaten this pivot; a modest one of the right sign keeps the solve bounded, and
      // iterative refinement repairs the rest.
      if (!(sign * pivot > pivot_floor * growth[j])) {
        pivot = sign * std::max(kReplacement * growth[j], 1e-12);
        ++replaced;
      }
      pivots[j - j0] = pivot;
      const double inverse = 1.0 / pivot;
      inverse_pivots_[global] = inverse;
      column[j] = 1.0;
      for (int i = j + 1; i < height; ++i) column[i] *= inverse;
    }
    const double* const L0 = F + static_cast<std::size_t>(j0) * height;
    if (j1 - j0 == kBlock) {
      const double *const L1 = L0 + height, *const L2 = L1 + height, *const L3 = L2 + height;
      for (int c = j1; c < height; ++c) {
        double* const column = F + static_cast<std::size_t>(c) * height;
        const double a0 = L0[c] * pivots[0], a1 = L1[c] * pivots[1], a2 = L2[c] * pivots[2],
                     a3 = L3[c] * pivots[3];
        for (int i = c; i < height; ++i) column[i] -= a0 * L0[i] + a1 * L1[i] + a2 * L2[i] + a3 * L3[i];
        growth[c] +=
            std::abs(a0 * L0[c]) + std::abs(a1 * L1[c]) + std::abs(a2 * L2[c]) + std::abs(a3 * L3[c]);
      }
    } else {
      for (int k = j0; k < j1; ++k) {
        const double* const L = F + static_cast<std::size_t>(k) * height;
        for (int c = j1; c < height; ++c) {
          double* const column = F + static_cast<std::size_t>(c) * height;
          const double a = L[c] * pivots[k - j0];
          for (int i = c; i < height; ++i) column[i] -= a * L[i];
          growth[c] += std::abs(a * L[c]);
        }
      }
    }
  }
  for (int i = front.width; i < height; ++i) growth_[rows[i]] = growth[i];
  return replaced;
}

void QuasidefiniteLdl::add_to_parent(const Front& front) {
  const Front& parent = fronts_[front.parent];
  const int* const to = parent_row_.data() + front.to_parent - front.width;
  const double* const F = values_.data() + front.values;
  double* const P = values_.data() + parent.values;
  for (int j = front.width; j < front.height; ++j) {
    const double* const column = F + static_cast<std::size_t>(j) * front.height;
    double* const target = P + static_cast<std::size_t>(to[j]) * parent.height;
    for (int i = j; i < front.height; ++i) target[to[i]] += column[i];
  }
}

void QuasidefiniteLdl::solve(double* right_side) {
  const int n = size();
  double* const x = work_.data();
  for (int i = 0; i < n; ++i) x[position_[i]] = right_side[i];
  for (const Front& front : fronts_) {
    const int height = front.height, width = front.width;
    const int* const rows = front_rows_.data() + front.rows;
    const double* const L = values_.data() + front.values;
    double* const own = x + front.first;
    double* const below = gathered_.data();
    std::fill(below + width, below + height, 0.0);
    for (int j = 0; j < width; ++j) {
      const double* const column = L + static_cast<std::size_t>(j) * height;
      const double value = own[j];
      for (int i = j + 1; i < width; ++i) own[i] -= column[i] * value;
      for (int i = width; i < height; ++i) below[i] += column[i] * value;
    }
    for (int i = width; i < height; ++i) x[rows[i]] -= below[i];
  }
  for (int i = 0; i < n; ++i) x[i] *= inverse_pivots_[i];
  for (std::size_t f = fronts_.size(); f-- > 0;) {
    const Front& front = fronts_[f];
    const int height = front.height, width = front.width;
    const int* const rows = front_rows_.data() + front.rows;
    const double* const L = values_.data() + front.values;
    double* const own = x + front.first;
    double* const below = gathered_.data();
    for (int i = width; i < height; ++i) below[i] = x[rows[i]];
    for (int j = width - 1; j >= 0; --j) {
      const double* const column = L + static_cast<std::size_t>(j) * height;
      double sum = own[j];
      for (int i = j + 1; i < width; ++i) sum -= column[i] * own[i];
      for (int i = width; i < height; ++i) sum -= column[i] * below[i];
      own[j] = sum;
    }
  }
  for (int i = 0; i < n; ++i) right_side[i] = x[position_[i]];
}

}  // namespace prehend::math
