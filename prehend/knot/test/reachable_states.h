// States of a rope that tests walk through.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include <prehend/knot/moves.h>
#include <prehend/math/random.h>

namespace prehend::knot {

// A state after some random moves; never more than `most` crossings.
inline PData random_state(math::RandomStream& random, int steps, int most) {
  PData state;
  for (int k = 0; k < steps; ++k) {
    const std::vector<Move> moves = all_moves(state);
    const PData next = apply_listed(state, moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
    if (next.crossings() <= most) state = next;
  }
  return state;
}

struct ReachedState {
  PData state;
  int depth;  // fewest moves from the straight rope through states with at most `most` crossings
};

// All states that up to `steps` moves reach, plainly breadth first.
inline std::vector<ReachedState> reachable_states(int steps, int most) {
  std::vector<ReachedState> states{{PData{}, 0}};
  std::set<std::pair<std::vector<int>, std::vector<int>>> seen{{{}, {}}};
  std::size_t begin = 0;
  for (int k = 0; k < steps; ++k) {
    const std::size_t end = states.size();
    for (; begin < end; ++begin) {
      const PData state = states[begin].state;
      for (const Move& move : all_moves(state)) {
        PData next = apply_listed(state, move);
        if (next.crossings() <= most && seen.insert({next.sigma, next.attr}).second)
          states.push_back({std::move(next), k + 1});
      }
    }
  }
  return states;
}

}  // namespace prehend::knot
