// Exact arithmetic on sums of doubles ("expansions"), for the signs of determinants.
//
// An expansion is a list of doubles, smallest magnitude first, whose exact sum is the number and of which no
// two overlap in their bits; its last component carries the sign. Sums and products of expansions are again
// expansions, without rounding. Error-free transformations: Knuth's two-sum, Dekker's fast two-sum,
// two-product by fused multiply-add. Expansion sum and scaling: Shewchuk, "Adaptive Precision Floating-Point
// Arithmetic and Fast Robust Geometric Predicates", Discrete & Computational Geometry 18 (1997), theorems 13
// and 19. Zero components are dropped, so that numbers on coarse grids stay short.
//
// Assumes round-to-nearest-even and neither overflow nor underflow; see predicates.h for the range that
// follows.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#ifdef __FAST_MATH__
#error "exact predicates need IEEE arithmetic; compile without -ffast-math"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

namespace prehend::geometry::exact {

// A number as head + tail, both doubles, exactly.
struct Pair {
  double head;
  double tail;
};

inline Pair two_sum(double a, double b) {
  const double sum = a + b;
  const double b_virtual = sum - a;
  const double a_virtual = sum - b_virtual;
  return {sum, (a - a_virtual) + (b - b_virtual)};
}

// Needs |a| >= |b| or a == 0.
inline Pair fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

inline Pair two_difference(double a, double b) { return two_sum(a, -b); }

inline Pair two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// At most `Capacity` components; zero is the empty expansion.
template <std::size_t Capacity>
struct Expansion {
  std::array<double, Capacity> component;  // the first `size` are set
  std::size_t size{0};

  Expansion() {
  }  // leaves the components unset on purpose: clearing thousands of doubles would dominate the cost
  explicit Expansion(double value) { push(value); }
  explicit Expansion(const Pair& pair) {
    push(pair.tail);
    push(pair.head);
  }

  void push(double value) {
    if (value != 0.0) component[size++] = value;
  }
  int sign() const { return size == 0 ? 0 : (component[size - 1] > 0.0 ? 1 : -1); }
  // The nearest double up to a few units in the last place.
  double approximate() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i) sum += component[i];
    return sum;
  }
};

// Merges `count_a` and `count_b` components by magnitude and sums them exactly into `result`; returns the
// count.
inline std::size_t add_components(const double* a, std::size_t count_a, const double* b, std::size_t count_b,
                                  double* result) {
  std::size_t i = 0, j = 0, count = 0;
  const auto next = [&] {
    if (j >= count_b || (i < count_a && std::fabs(a[i]) <= std::fabs(b[j]))) return a[i++];
    return b[j++];
  };
  const std::size_t total = count_a + count_b;
  if (total == 0) return 0;
  double running = next();
  for (std::size_t k = 1; k < total; ++k) {
    const Pair step = two_sum(running, next());
    if (step.tail != 0.0) result[count++] = step.tail;
    running = step.head;
  }
  if (running != 0.0) result[count++] = running;
  return count;
}

// `factor` times the components, exactly; returns the count, at most twice that of `a`.
inline std::size_t scale_components(const double* a, std::size_t count_a, double factor, double* result) {
  if (count_a == 0 || factor == 0.0) return 0;
  std::size_t count = 0;
  const Pair first = two_product(a[0], factor);
  if (first.tail != 0.0) result[count++] = first.tail;
  double running = first.head;
  for (std::size_t i = 1; i < count_a; ++i) {
    const Pair product = two_product(a[i], factor);
    const Pair low = two_sum(running, product.tail);
    if (low.tail != 0.0) result[count++] = low.tail;
    const Pair high = fast_two_sum(product.head, low.head);
    if (high.tail != 0.0) result[count++] = high.tail;
    running = high.head;
  }
  if (running != 0.0) result[count++] = running;
  return count;
}

template <std::size_t N, std::size_t M>
Expansion<N + M> operator+(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<N + M> sum;
  sum.size = add_components(a.component.data(), a.size, b.component.data(), b.size, sum.component.data());
  return sum;
}

template <std::size_t N>
Expansion<N> operator-(const Expansion<N>& a) {
  Expansion<N> negated;
  negated.size = a.size;
  for (std::size_t i = 0; i < a.size; ++i) negated.component[i] = -a.component[i];
  return negated;
}

template <std::size_t N, std::size_t M>
Expansion<N + M> operator-(const Expansion<N>& a, const Expansion<M>& b) {
  return a + (-b);
}

template <std::size_t N>
Expansion<2 * N> operator*(const Expansion<N>& a, double factor) {
  Expansion<2 * N> product;
  product.size = scale_components(a.component.data(), a.size, factor, product.component.data());
  return product;
}

template <std::size_t N, std::size_t M>
Expansion<2 * N * M> operator*(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<2 * N * M> sum, previous;
  std::array<double, 2 * N> row;
  for (std::size_t j = 0; j < b.size; ++j) {
    const std::size_t row_size = scale_components(a.component.data(), a.size, b.component[j], row.data());
    for (std::size_t k = 0; k < sum.size; ++k) previous.component[k] = sum.component[k];
    previous.size = sum.size;
    sum.size =
        add_components(previous.component.data(), previous.size, row.data(), row_size, sum.component.data());
  }
  return sum;
}

}  // namespace prehend::geometry::exact
