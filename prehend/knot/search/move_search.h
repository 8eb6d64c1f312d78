// The shortest sequence of moves between two states of a rope, found from both sides.
//
// A lower bound directs the search. Sort crossings by their first passage: over/-, under/-, over/+, under/+. R3 keeps the
// four numbers, R1 and cross change one of them by one, R2 changes over/- and over/+ (or under/- and under/+) by one each,
// both up or both down. So two states whose numbers differ by (a, b) over and (c, d) under are at least
// reach(a, b) + reach(c, d) moves apart, reach being the larger of the two where both have one sign, else their sum.
//
// For lengths L = bound, bound + 1, ... all states are visited, breadth first from both ends, that can lie on a sequence of
// length L; the first L that joins is the shortest, and proven so. Limits are in moves and visited states, not in time,
// so that the answer is the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <prehend/knot/moves.h>

namespace prehend::knot {

struct MoveSearchOptions {
  // Longest sequence looked for. Three moves between two frames of a recording are already a missed stretch of it.
  int max_moves{4};
  // Visited, in all: about two seconds and 100 MB.
  std::size_t max_states{400000};

  void validate() const;
};

enum class SearchStatus {
  not_found,  // there is none up to max_moves: proven
  gave_up,    // max_states was reached first
  found,      // shortest: proven
};

struct MovePath {
  SearchStatus status{SearchStatus::gave_up};
  std::vector<Move> moves;
  std::vector<PData> states;  // one more than moves, from the first to the last state; empty unless found
  int lower_bound{0};         // no sequence is shorter
  std::size_t visited{0};
};

MovePath find_moves(const PData& from, const PData& to, const MoveSearchOptions& options = {});

// Crossings by the attribute of their first passage.
std::array<int, 4> count_crossings(const PData& data);
// The bound above.
int least_moves(const std::array<int, 4>& from, const std::array<int, 4>& to);
// What a move adds to the four numbers.
std::array<int, 4> count_change(const Move& move);

}  // namespace prehend::knot
