// What was done to the rope between two states? (source L, 5.3)
//
// candidates() lists every single move that turns one state into the next, by taking the columns of the crossings in
// question out of the state with more crossings and comparing what remains. States do not show which one happened.
//
// recognise() does so for a recording. Which end of the rope counts as the first may be wrong in any frame (5.3.5): each
// state may be read from its other end, and of all ways that need the fewest moves the one with the fewest swapped states
// is taken (dynamic programming; a tie leaves the earlier states as they are). Where no single move fits, the shortest
// sequence is searched for (move_search.h).
//
// Cost: one transition at most quadratic in the crossings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <prehend/knot/move_search.h>
#include <prehend/knot/moves.h>

namespace prehend::knot {

// Misprints of 5.3, each shown in the tests:
//   5.3.2  i < j shuts out a segment laid over itself; i <= j.
//   5.3.3  2 <= i, j, k <= n(P_t) - 1 shuts out the last inner segment; <= n(P_t).
//   5.3.3  step 4 compares what is left without the six columns, so a crossing of the triangle could change height or
//          sign; their attributes must be compared too.
//   5.3.3  three segments that cross each other need not bound a face; sliding them then gives codes that no drawing has.
//   5.3.5  Propositions 14 and 15 write N(P) for n(P).
//
// Both states must have a sound table (find_table_problem). Neither is swapped.
std::vector<Move> candidates(const PData& before, const PData& after);

struct RecognitionOptions {
  MoveSearchOptions search;
};

struct Transition {
  SearchStatus status{SearchStatus::gave_up};
  bool swapped{false};           // the state after was read from its other end
  int moves{0};                  // 0: nothing changed; meaningless unless ok
  std::vector<Move> candidates;  // when one move does it
  std::vector<PData> between;    // when more are needed: the states passed through, as read here
  std::vector<Move> path;        // the moves through them, or the first candidate
};

// A state of a recorded rope and the frames that show it (seen_states.h).
struct SeenState {
  PData p_data;
  int first_frame{0}, last_frame{0};      // numbers in the file
  std::optional<double> t_first, t_last;  // [s]; none when the recording has no times
};

// "frames 3 to 4, 0.3 s to 0.4 s" for the move from a state to the next.
std::string when_text(const SeenState& before, const SeenState& after);

// ": R1 adds a loop ...\n", after " (other end)" where swapped.
std::string to_text(const Transition& transition);

struct Recognition {
  SearchStatus status{SearchStatus::gave_up};  // the worst of the transitions; ok for fewer than two states
  bool first_swapped{false};
  std::vector<Transition> transitions;
  std::vector<PData> states;  // as read, swapped where it says so
  int swaps{0};
  std::vector<SeenState> seen;  // of a recording, one per state; empty for states without frames
  // Of a recording: what was noticed on reading it, frames that could not be read, states that a single frame shows.
  std::vector<std::string> notes{};

  // Which transitions have no answer, in one sentence; empty when all have.
  std::string reason() const;
  // One line per transition; of a recording, with its frames and times.
  std::string brief_report() const;
  // {"status":..., "first_swapped":..., "transitions":[{"swapped":..., "candidates":[...], "between":[P, ...], ...}]}. Of a
  // recording, each transition has `last_frame_before`, `frame` (the first after it) and, where frames have times, `t0_s`,
  // `t1_s`; `first_frame` is the first state's.
  std::string to_json() const;
};

// std::invalid_argument names the first state that is no drawing's code.
Recognition recognise(std::span<const PData> states, const RecognitionOptions& options = {});

}  // namespace prehend::knot
