// The dense system of ContactConeEngine: assembled, factorised, solved.
#include <algorithm>
#include <cmath>

#include <prehend/math/cone/contact_cone_engine.h>
#include <prehend/math/cone/contact_cone_kernels.h>

namespace prehend::math {
namespace {
using namespace contact_cone;
// A pivot below this part of its diagonal is rounding noise; this part of it in its place keeps the step
// bounded.
constexpr double kContactPivotFloor = 1e-15, kContactPivot = 1e-12;

// L D L' x = b in place, four columns at a time: four independent chains of operations instead of one.
template <class Order, class Value>
inline void solve_in_place(const double* L, const double* inverse_pivots, Order n, int stride, Value* x) {
  const int whole = n - n % 4;
  for (int j = 0; j < whole; j += 4) {
    const double *const l0 = L + j * stride, *const l1 = l0 + stride, *const l2 = l1 + stride,
                        *const l3 = l2 + stride;
    const Value x0 = x[j], x1 = x[j + 1] - l0[j + 1] * x0, x2 = x[j + 2] - l0[j + 2] * x0 - l1[j + 2] * x1,
                x3 = x[j + 3] - l0[j + 3] * x0 - l1[j + 3] * x1 - l2[j + 3] * x2;
    for (int i = j + 4; i < n; ++i) x[i] -= l0[i] * x0 + l1[i] * x1 + (l2[i] * x2 + l3[i] * x3);
    x[j] = x0 * inverse_pivots[j];
    x[j + 1] = x1 * inverse_pivots[j + 1];
    x[j + 2] = x2 * inverse_pivots[j + 2];
    x[j + 3] = x3 * inverse_pivots[j + 3];
  }
  for (int j = whole; j < n; ++j) {
    const Value value = x[j];
    for (int i = j + 1; i < n; ++i) x[i] -= L[j * stride + i] * value;
    x[j] = value * inverse_pivots[j];
  }
  for (int j = n - 2; j >= whole; --j) {
    for (int i = j + 1; i < n; ++i) x[j] -= L[j * stride + i] * x[i];
  }
  for (int j = whole - 4; j >= 0; j -= 4) {
    const double *const l0 = L + j * stride, *const l1 = l0 + stride, *const l2 = l1 + stride,
                        *const l3 = l2 + stride;
    Value x0 = x[j], x1 = x[j + 1], x2 = x[j + 2], x3 = x[j + 3];
    for (int i = j + 4; i < n; ++i) {
      const Value value = x[i];
      x0 -= l0[i] * value;
      x1 -= l1[i] * value;
      x2 -= l2[i] * value;
      x3 -= l3[i] * value;
    }
    x[j + 3] = x3;
    x[j + 2] = x2 = x2 - l2[j + 3] * x3;
    x[j + 1] = x1 = x1 - l1[j + 3] * x3 - l1[j + 2] * x2;
    x[j] = x0 - l0[j + 3] * x3 - l0[j + 2] * x2 - l0[j + 1] * x1;
  }
}
}  // namespace

// M from the scaling, then L D L' of the whole.
void ContactConeEngine::factorise() {
  const int p = equalities_;
  double* const K = K_.front().data();
  for (int j = 0; j < p; ++j) std::fill(K + j * stride_ + j, K + j * stride_ + p, 0.0);
  for_groups(pairs_, [&](auto shape, const ConePair* members) {
    constexpr int kPairs = decltype(shape.pairs)::value;
    const int* const row = row_of(*members);
    Lanes q[kPairs][kMostEqualities], eta_squared[kPairs];
    const Lanes* constant[kPairs];
    for (int of = 0; of < kPairs; ++of) {
      const ConePair& member = members[of];
      const Lanes* const B = B_.data() + member.B;
      for (int i = 0; i < shape.rows; ++i) {
        q[of][i] = B[3 * i] * member.w.v[0] + B[3 * i + 1] * member.w.v[1] + B[3 * i + 2] * member.w.v[2];
      }
      eta_squared[of] = member.eta_squared;
      constant[of] = BJB_.data() + member.constant;
    }
    for (int j = 0; j < shape.rows; ++j) {
      Lanes factor[kPairs];
      for (int of = 0; of < kPairs; ++of) factor[of] = 2.0 * eta_squared[of] * q[of][j];
      double* const column = K + row[j] * stride_;
      for (int i = j; i < shape.rows; ++i) {
        Lanes entry = q[0][i] * factor[0] - eta_squared[0] * *constant[0]++;
        if constexpr (kPairs == 2) entry += q[1][i] * factor[1] - eta_squared[1] * *constant[1]++;
        column[row[i]] += entry.sum();
      }
    }
  });
  double growth[kMostEqualities + kMostFree];
  for (int j = 0; j < p; ++j) {
    double* const column = K + j * stride_;
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
      if (!(sign * diagonal > kContactPivotFloor * growth[j])) {
        diagonal = sign * std::max(kContactPivot * growth[j], 1e-12);
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
