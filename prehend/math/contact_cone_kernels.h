// The arithmetic of ContactConeEngine on two friction cones at once. `Pair` and `Triple` are its ConePair and
// Triple; formulas as in cone_scaling.h.
#pragma once

#include <type_traits>

#include <Eigen/Core>

namespace prehend::math::contact_cone {

using Lanes = Eigen::Array2d;

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

}  // namespace prehend::math::contact_cone
