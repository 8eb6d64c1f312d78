// How is a wanted knot tied from a straight rope, in the fewest moves? (beyond source L)
//
// Every knot of c crossings can be tied in c cross moves, for its ends can be drawn back one crossing at a time; only R2,
// which lays two crossings at once, saves moves. A first plan takes crossings away with a beam of the most promising
// states. Then all lengths from the lower bound (search/move_bound.h) up to one less than this plan are searched in full, with
// every kind of move in both directions, so that also detours (laying a finger, sliding, taking it away) are seen.
//
// `proven_shortest` is true when that search ended; else the plan is valid, and `lower_bound` says what is proven.
// "Shortest" counts moves of this room; it says nothing about how easy they are for a hand. Same answer on every machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <prehend/knot/moves.h>

namespace prehend::knot {

struct PlanOptions {
  // Of the first plan. A wider beam rarely helps: the search after it sees everything for small knots.
  int beam_width{64};
  // Visited in the search for something shorter: about half a second.
  std::size_t max_states{100000};

  void validate() const;
};

enum class PlanStatus { not_computed, ok };  // every drawing's code has a plan
const char* to_string(PlanStatus status);

struct KnotPlan {
  PlanStatus status{PlanStatus::not_computed};
  std::vector<Move> moves;
  std::vector<PData> states;  // from the straight rope to the wanted state: one more than moves
  bool proven_shortest{false};
  int lower_bound{0};
  std::size_t visited{0};

  std::string brief_report() const;
  // {"status":..., "moves":[...], "states":[P, ...], "proven_shortest":..., "lower_bound":...}
  std::string to_json() const;
};

// std::invalid_argument when `wanted` is no drawing's code; otherwise there is always a plan.
KnotPlan plan_knot(const PData& wanted, const PlanOptions& options = {});

}  // namespace prehend::knot
