#include <algorithm>
#include <cstdlib>

#include <prehend/knot/search/move_bound.h>

namespace prehend::knot {
namespace {

using MoveCounts = std::array<int, 4>;

int reach(int a, int b) {
  const bool together = (a >= 0) == (b >= 0);
  return together ? std::max(std::abs(a), std::abs(b)) : std::abs(a) + std::abs(b);
}

}  // namespace

std::array<int, 4> count_crossings(const PData& data) {
  MoveCounts counts{};
  for (int i = 1; i <= data.passages(); ++i) {
    if (data.other(i) > i) ++counts[static_cast<std::size_t>(data.attribute(i)) - 1];
  }
  return counts;
}

int least_moves(const std::array<int, 4>& from, const std::array<int, 4>& to) {
  return reach(to[0] - from[0], to[2] - from[2]) + reach(to[1] - from[1], to[3] - from[3]);
}

std::array<int, 4> count_change(const Move& move) {
  MoveCounts change{};
  const int step = move.adds ? 1 : -1;
  // The last end's passage comes after the one that it crosses.
  const bool first_over = move.end == RopeEnd::last ? !move.over : move.over;
  if (move.kind == MoveKind::r2) {
    change[first_over ? 0 : 1] = step;
    change[first_over ? 2 : 3] = step;
  } else if (move.kind != MoveKind::r3) {
    change[static_cast<std::size_t>(attribute_of(first_over, move.sign)) - 1] = step;
  }
  return change;
}

}  // namespace prehend::knot
