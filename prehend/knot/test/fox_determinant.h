// The knot's determinant modulo a prime (up to sign), by Fox colourings: at every crossing twice the over strand's colour is
// the sum of the two under strands' colours. A knot invariant, computed by another route than any in the library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <prehend/knot/closure.h>

namespace prehend::knot {

inline std::int64_t fox_determinant(const ClosedDiagram& diagram) {
  constexpr std::int64_t p = 1000003;
  const int c = diagram.crossings(), n = diagram.passages();
  if (c < 2) return 1;
  std::vector<int> colour(static_cast<std::size_t>(n) + 1, 0);  // of the segment after each passage
  int current = 0;
  for (int i = 1; i <= n; ++i) {
    if (!diagram.loop.is_over(i)) current = (current + 1) % c;
    colour[static_cast<std::size_t>(i)] = current;
  }
  std::vector<std::vector<std::int64_t>> a(static_cast<std::size_t>(c),
                                           std::vector<std::int64_t>(static_cast<std::size_t>(c), 0));
  int row = 0;
  for (int i = 1; i <= n; ++i) {
    if (diagram.loop.is_over(i)) continue;
    auto& equation = a[static_cast<std::size_t>(row++)];
    equation[static_cast<std::size_t>(colour[static_cast<std::size_t>(diagram.loop.other(i))])] += 2;
    equation[static_cast<std::size_t>(colour[static_cast<std::size_t>(i)])] += p - 1;
    equation[static_cast<std::size_t>((colour[static_cast<std::size_t>(i)] + c - 1) % c)] += p - 1;
  }
  const auto power = [](std::int64_t base, std::int64_t exponent) {
    std::int64_t result = 1;
    for (base %= p; exponent > 0; exponent /= 2, base = base * base % p) {
      if (exponent % 2 == 1) result = result * base % p;
    }
    return result;
  };
  std::int64_t product = 1;
  const std::size_t m = static_cast<std::size_t>(c) - 1;  // the minor without the last row and column
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t pivot = k;
    while (pivot < m && a[pivot][k] % p == 0) ++pivot;
    if (pivot == m) return 0;
    if (pivot != k) std::swap(a[pivot], a[k]);
    product = product * (a[k][k] % p) % p;
    const std::int64_t inverse = power(a[k][k], p - 2);
    for (std::size_t r = k + 1; r < m; ++r) {
      const std::int64_t factor = a[r][k] % p * inverse % p;
      for (std::size_t col = k; col < m; ++col) a[r][col] = (a[r][col] + (p - factor) * (a[k][col] % p)) % p;
    }
  }
  return std::min(product, p - product);
}

}  // namespace prehend::knot
