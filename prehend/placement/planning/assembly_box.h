// The smallest box, in any orientation, around all movable bodies: how dense an assembly stands (N, 5.6.2).
#pragma once

#include <prehend/placement/planning/problem.h>

namespace prehend::placement {

// [m^3] With the object at X_WO. One side of the box lies in a face of the convex hull, as in the least box it does nearly always (a least
// box has a face flush with an edge of each of two sides at least: O'Rourke 1985); exact for boxes and prisms.
double assembly_volume(const Problem& problem, const math::Pose& X_WO);

}  // namespace prehend::placement
