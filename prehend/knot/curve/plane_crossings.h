// Where a chain in the plane crosses itself, and whether it does so clearly.
//
// Every distance that decides is either above the tolerance, which is far above rounding, or the place is looked at as a
// meeting: a point of the chain on another strand. A meeting is a crossing when all pieces of the one strand there cross all
// pieces of the other in the same sense; otherwise the strands touch, or corners meet, and the view is degenerate.
#pragma once

#include <string>
#include <vector>

#include <prehend/knot/curve/plane_chain.h>

namespace prehend::knot {

struct PlaneCrossing {
  std::size_t a{0}, b{0};      // segments, a before b
  double t_a{0}, t_b{0};       // along them, 0 to 1
  double low_a{0}, high_a{0};  // [m] heights; a range where the rope runs along the looking direction
  double low_b{0}, high_b{0};  // [m]
  int turn{0};                 // +1: b leaves to the left of a
};

struct PlaneCrossings {
  std::vector<PlaneCrossing> crossings;
  std::string problem;  // a sentence when the view is degenerate; the crossings are then incomplete
};

PlaneCrossings find_plane_crossings(const PlaneChain& chain, std::size_t max_crossings);

// "points 12 to 13", by the rope's own numbers from 1.
std::string place_name(const PlaneSegment& segment);

}  // namespace prehend::knot
