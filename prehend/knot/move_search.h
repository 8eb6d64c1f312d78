// The shortest sequence of moves between two states of a rope, found from both sides.
//
// For lengths L = bound, bound + 1, ... (search/move_bound.h has the bound) all states are visited, breadth first from both
// ends, that can lie on a sequence of length L; the first L that joins is the shortest, and proven so. Limits are in moves
// and visited states, not in time, so that the answer is the same on every machine.
#pragma once

#include <cstddef>
#include <vector>

#include <prehend/knot/moves.h>

namespace prehend::knot {

struct MoveSearchOptions {
  // Longest sequence searched for. Three moves between two frames of a recording are already a missed stretch of it.
  int max_moves{4};
  // Visited, in all: about two seconds and 100 MB.
  std::size_t max_states{400000};

  void validate() const;
};

enum class SearchStatus {
  not_found,  // there is none up to max_moves: proven
  gave_up,    // max_states was reached first
  ok,         // shortest: proven
};
const char* to_string(SearchStatus status);

struct MovePath {
  SearchStatus status{SearchStatus::gave_up};
  std::vector<Move> moves;
  std::vector<PData> states;  // one more than moves, from the first to the last state; empty unless ok
  int lower_bound{0};         // no sequence is shorter
  std::size_t visited{0};
};

// std::invalid_argument when a state is no drawing's code.
MovePath find_moves(const PData& from, const PData& to, const MoveSearchOptions& options = {});

}  // namespace prehend::knot
