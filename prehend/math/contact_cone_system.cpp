// The dense system of ContactConeEngine: assembled, factorised, solved.
#include <algorithm>
#include <cmath>

#include <prehend/math/contact_cone_engine.h>
#include <prehend/math/contact_cone_kernels.h>

namespace prehend::math {
namespace {
using namespace contact_cone;
// A pivot below this part of its diagonal is rounding noise; this part of it in its place keeps the step
// bounded.
constexpr double kPivotFloor = 1e-15, kReplacement = 1e-12;

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

template void ContactConeEngine::solve_dense(double*) const;
template void ContactConeEngine::solve_dense(Lanes*) const;

}  // namespace prehend::math
