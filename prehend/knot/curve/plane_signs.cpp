#include <bit>
#include <cstdint>
#include <deque>

#include <prehend/knot/curve/plane_signs.h>

namespace prehend::knot {

std::vector<int> plane_signs(const std::vector<int>& sigma) {
  const std::size_t n = sigma.size(), crossings = n / 2, words = (crossings + 63) / 64;
  std::vector<std::size_t> first, crossing_of(n);  // first passage, from 0, of each crossing
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t other = static_cast<std::size_t>(sigma[i]) - 1;
    if (other > i) first.push_back(i);
    crossing_of[i] = other > i ? first.size() - 1 : crossing_of[other];
  }
  // Crossings passed once within the loop that crossing c closes.
  std::vector<std::vector<std::uint64_t>> interlaced(crossings, std::vector<std::uint64_t>(words, 0));
  for (std::size_t c = 0; c < crossings; ++c) {
    for (std::size_t i = first[c] + 1; i + 1 < static_cast<std::size_t>(sigma[first[c]]); ++i)
      interlaced[c][crossing_of[i] / 64] ^= std::uint64_t{1} << (crossing_of[i] % 64);
  }
  std::vector<int> turn(crossings, 0);
  for (std::size_t start = 0; start < crossings; ++start) {
    if (turn[start] != 0) continue;
    turn[start] = 1;
    std::deque<std::size_t> open{start};
    while (!open.empty()) {
      const std::size_t c = open.front();
      open.pop_front();
      for (std::size_t d = 0; d < crossings; ++d) {
        if (turn[d] != 0 || (interlaced[c][d / 64] >> (d % 64) & 1) == 0) continue;
        int common = 0;
        for (std::size_t w = 0; w < words; ++w) common += std::popcount(interlaced[c][w] & interlaced[d][w]);
        turn[d] = common % 2 == 1 ? turn[c] : -turn[c];
        open.push_back(d);
      }
    }
  }
  std::vector<int> signs(n);
  for (std::size_t i = 0; i < n; ++i) signs[i] = turn[crossing_of[i]];
  return signs;
}

}  // namespace prehend::knot
