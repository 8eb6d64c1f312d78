// How many moves lie at least between two states of a rope.
//
// Sort crossings by their first passage: over/-, under/-, over/+, under/+. R3 keeps the four numbers, R1 and cross change
// one of them by one, R2 changes over/- and over/+ (or under/- and under/+) by one each, both up or both down. So two states
// whose numbers differ by (a, b) over and (c, d) under are at least reach(a, b) + reach(c, d) moves apart, reach being the
// larger of the two where both have one sign, else their sum.
#pragma once

#include <array>

#include <prehend/knot/moves.h>

namespace prehend::knot {

// Crossings by the attribute of their first passage.
std::array<int, 4> count_crossings(const PData& data);
// The bound above.
int least_moves(const std::array<int, 4>& from, const std::array<int, 4>& to);
// What a move adds to the four numbers.
std::array<int, 4> count_change(const Move& move);

}  // namespace prehend::knot
