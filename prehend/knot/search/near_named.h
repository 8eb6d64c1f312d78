// Named knots a few Reidemeister moves away: a finger that lies over the rope by chance, or a strand slid across a crossing,
// makes another code of the same knot.
//
// From the rope's smoothed code all states are visited that R3 and the undoing of R2 lead to, breadth first; loops (R1) count
// nothing. The first named knots met, the nearest, are the answer. R2 is never added: a rope that lacks a finger of a slip
// knot is not tied yet. The ends never pass a strand, so the answer is the same knot, not only a like one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <prehend/knot/p_data.h>

namespace prehend::knot {

struct NearNamedOptions {
  // Longest sequence. Each frame of a hand's motion makes one move or two; four are a finger and what it was slid across.
  int most_moves{4};
  // Visited: about 50 ms.
  std::size_t most_states{2000};
};

struct NearNamed {
  std::vector<std::string> names;  // all of the nearest; empty when there is none
  int moves{0};                    // R2 and R3 from the rope's smoothed code
};

NearNamed near_named(const PData& data, const NearNamedOptions& options = {});

}  // namespace prehend::knot
