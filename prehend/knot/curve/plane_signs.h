// Which way strands cross when a drawing in the plane is known only by which passages meet.
#pragma once

#include <vector>

namespace prehend::knot {

// sigma: the two passages of every crossing of a closed loop, as in P-data; one of the two is odd, the other even. Per
// passage +1 or -1, the sign of (odd passage's direction x even passage's direction), the same at both; the first crossing
// of every part that can be turned over by itself has +1. Meaningless when no drawing in the plane exists.
//
// Two crossings are interlaced when each is passed once between the other's passages. In the plane, interlaced crossings
// turn the same way when they have an odd number of crossings interlaced with both, and opposite ways otherwise (after Gauss,
// Rosenstiehl and Read: for interlaced pairs "even" must be a cut). Cost: O(c^3 / 64) for c crossings.
std::vector<int> plane_signs(const std::vector<int>& sigma);

}  // namespace prehend::knot
