// The moves that change a rope's drawing: Reidemeister I, II, III, and the cross move of a free end (source L, 5.2).
//
//   R1     a segment makes a small loop (one crossing more)
//   R2     a finger of one segment is laid over or under another one, or over itself (two more)
//   R3     a strand is slid across a crossing of two others, above or below both (as many)
//   cross  a free end passes over or under a segment (one more)
// R1, R2 and cross also backwards. Parameters number the segments of the state with fewer crossings.
//
// Cost: applying is linear in the crossings; the number of moves from a state is quadratic.
#pragma once

#include <array>
#include <compare>
#include <string>
#include <vector>

#include <prehend/knot/diagram.h>
#include <prehend/knot/p_data.h>

namespace prehend::knot {

enum class MoveKind { r1, r2, r3, cross };
enum class RopeEnd { none, first, last };  // first: the selected end

struct Move {
  MoveKind kind{MoveKind::r1};
  bool adds{true};             // crossings; false for removals and for R3
  RopeEnd end{RopeEnd::none};  // of a cross move
  // R1, cross: the segment. R2: two, not descending. R3: top, middle, bottom. The rest is 0.
  std::array<int, 3> segments{0, 0, 0};
  // R1: the loop's first passage; R2: the first segment; cross: the end's strand. R3: false.
  bool over{false};
  bool same_direction{false};  // R2: both segments pass the two crossings in the same order
  // Of the crossing in question; R2: of the one that the first segment passes first. R3: 0.
  int sign{0};

  friend auto operator<=>(const Move&, const Move&) = default;
};

// A move is possible where the drawing allows it: R2 needs two sides of segments that border one face, cross a segment
// that borders the face in which the end lies, R3 a three-sided face with a top, a middle and a bottom strand. R1 and all
// removals of matching columns are always possible. Two segments can meet in two faces (or in one, from both sides), and
// then the segments alone do not fix the result: `sign` says which it is.
//
// Why the move cannot be made from this state, in one sentence; empty when it can.
std::string find_problem(const PData& data, const Move& move);
// The state after the move; std::invalid_argument with the sentence above.
PData apply(const PData& data, const Move& move);
// The same without looking whether the faces allow it: for moves that all_moves() listed.
PData apply_listed(const PData& data, const Move& move);
// Takes the state after a move back to the state before it.
Move inverse(const Move& move);

// Every move from a state, each once, in a fixed order. Two moves may lead to the same state.
std::vector<Move> adding_moves(const Diagram& diagram);
std::vector<Move> sliding_moves(const Diagram& diagram);  // R3
std::vector<Move> removing_moves(const PData& data);
std::vector<Move> all_moves(const PData& data);

// "R1", "R2", "R3", "cross": as knot theory writes them.
const char* to_string(MoveKind kind);
// "R1 adds a loop in segment 3 (over first, +)", ...
std::string to_text(const Move& move);

}  // namespace prehend::knot
