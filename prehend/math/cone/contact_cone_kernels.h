// The arithmetic of ContactConeEngine on two friction cones at once. `Pair` and `Triple` are its ConePair and
// Triple; formulas as in cone_scaling.h.
#pragma once

#include <array>
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
  return a.v[0] * a.v[0] - (a.v[1] * a.v[1] + a.v[2] * a.v[2]);
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

// Two sums over both lanes, side by side.
inline Lanes fold(const Lanes& a, const Lanes& b) { return Lanes(a[0], b[0]) + Lanes(a[1], b[1]); }

// The rows of one or two pairs that touch the same equalities (the four corners of an interface): B holds three entries
// a row, first those of one pair, then those of the other. `Rows` and `Pairs` are known to the compiler for one body (6
// equalities) and two (12), so that loops unroll.
template <class Rows, class Pairs>
struct Shape {
  Rows rows;
  Pairs pairs;
};

// The entry of B v in row i; v has three numbers for each pair.
template <class Rows, class Pairs>
inline Lanes row_times(const Lanes* B, Shape<Rows, Pairs> shape, int i, const Lanes* v) {
  const Lanes* const row = B + 3 * i;
  Lanes total = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
  if constexpr (Pairs::value == 2) {
    const Lanes* const other = B + 3 * (shape.rows + i);
    total += other[0] * v[3] + other[1] * v[4] + other[2] * v[5];
  }
  return total;
}

// sum += y B_i, a part of B'y.
template <class Rows, class Pairs>
inline void add_row(const Lanes* B, Shape<Rows, Pairs> shape, int i, double y, Lanes* sum) {
  const Lanes value = Lanes::Constant(y);
  for (int pair = 0; pair < Pairs::value; ++pair) {
    const Lanes* const row = B + 3 * (pair * shape.rows + i);
    for (int k = 0; k < 3; ++k) sum[3 * pair + k] += row[k] * value;
  }
}

// kernel(shape, first pair) for every group of pairs.
template <class ConePairs, class Kernel>
inline void for_groups(ConePairs& pairs, Kernel&& kernel) {
  using std::integral_constant;
  const auto with_rows = [&](auto rows, auto* members) {
    if (members->group == 2) {
      kernel(Shape<decltype(rows), integral_constant<int, 2>>{rows, {}}, members);
    } else {
      kernel(Shape<decltype(rows), integral_constant<int, 1>>{rows, {}}, members);
    }
  };
  for (auto& pair : pairs) {
    if (pair.group == 0) continue;
    if (pair.rows == 6) {
      with_rows(integral_constant<int, 6>{}, &pair);
    } else if (pair.rows == 12) {
      with_rows(integral_constant<int, 12>{}, &pair);
    } else {
      with_rows(pair.rows, &pair);
    }
  }
}

// A triple of each pair of a group, one after another, as row_times() and add_row() take them.
template <class Rows, class Pairs, class Pair, class Triple>
inline auto gathered(Shape<Rows, Pairs>, const Pair* members, Triple Pair::* triple) {
  std::array<Lanes, 3 * Pairs::value> values;
  for (int pair = 0; pair < Pairs::value; ++pair) {
    for (int k = 0; k < 3; ++k) values[3 * pair + k] = (members[pair].*triple).v[k];
  }
  return values;
}

template <class Rows, class Pairs, class Pair, class Triple, class Values>
inline void scatter(Shape<Rows, Pairs>, const Values& values, Pair* members, Triple Pair::* triple) {
  for (int pair = 0; pair < Pairs::value; ++pair) {
    for (int k = 0; k < 3; ++k) (members[pair].*triple).v[k] = values[3 * pair + k];
  }
}

template <class Rows, class Pairs>
inline auto zeros(Shape<Rows, Pairs>) {
  std::array<Lanes, 3 * Pairs::value> values;
  values.fill(Lanes::Zero());
  return values;
}

// sum += B v, where v is the pairs' member `triple`; and that member becomes B'y.
template <class ConePairs, class Triple, class Pair>
inline void add_products(ConePairs& pairs, const Lanes* all_B, const int* touched, Triple Pair::* triple,
                         Lanes* sum) {
  for_groups(pairs, [&](auto shape, auto* members) {
    const auto v = gathered(shape, members, triple);
    const Lanes* const B = all_B + members->B;
    const int* const row = touched + members->first;
    for (int i = 0; i < shape.rows; ++i) sum[row[i]] += row_times(B, shape, i, v.data());
  });
}

template <class ConePairs, class Triple, class Pair>
inline void transposed_products(ConePairs& pairs, const Lanes* all_B, const int* touched, const double* y,
                                Triple Pair::* triple) {
  for_groups(pairs, [&](auto shape, auto* members) {
    auto product = zeros(shape);
    const Lanes* const B = all_B + members->B;
    const int* const row = touched + members->first;
    for (int i = 0; i < shape.rows; ++i) add_row(B, shape, i, y[row[i]], product.data());
    scatter(shape, product, members, triple);
  });
}

}  // namespace prehend::math::contact_cone
