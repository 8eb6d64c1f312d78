// Points along a plane path set anew, so that they are about evenly spaced, without changing which strands cross.
#pragma once

#include <array>
#include <vector>

#include <prehend/knot/layout/orthogonal_drawing.h>

namespace prehend::knot {

// All points from end to end; a crossing's comes twice.
std::vector<int> path_of(const PlaneRope& rope);

// The points just before and just after a passage.
std::array<int, 2> strand_through(const PlaneRope& rope, int passage);

// Edges longer than 1.4 spacings are divided; a point whose edges are together shorter than 1.1 spacings is left out where
// the triangle it cuts off is empty. A segment keeps at least `least_inner` points between its ends, one that is a loop
// 2 least_inner + 1.
PlaneRope respaced(const PlaneRope& rope, double spacing, int least_inner);

}  // namespace prehend::knot
