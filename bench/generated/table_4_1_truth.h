// Limits derived by hand for the scenes of source N's table 4.1.
//
// One square face on another. A body of weight W stands with a square of half side h on a plane, its centre of mass
// above the square's middle; it is pushed horizontally along +x, at the height z and the lateral offset y, by F.
// Where F lies beyond what friction and weight can hold follows from one body, one face: see the .cpp, which has the
// derivation. A tower of such faces is a chain: what every face must carry follows from equilibrium alone, so the
// tower's limit is the least of its faces' limits, each with the weight that stands on it.
//
// These are limits of the true contact (all of the square, exact cones): no contact points, no solver.
#pragma once

#include <prehend/model/scene.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

struct SquareFace {
  double half_side{0.0};  // [m]
  double weight{0.0};     // [N] of all that stands on it
  double friction{0.0};   // [-]
};

// [N] Largest horizontal push square to a side, at the height z >= 0 above the face [m], at most half_side off the
// middle.
double sideways_limit(const SquareFace& face, double z, double y);
// [N] Largest upward push under the face's plane, at (x, y) from the middle, both within half_side.
double upward_limit(const SquareFace& face, double x, double y);

// [N] The limit of a push along an inward normal anywhere on cube_scene() or cube_stack_scene(); infinite where nothing
// moves. Throws std::invalid_argument for scenes that are not aligned stacks of equal cubes.
double cube_stack_limit(const model::Scene& scene, const Push& push);

}  // namespace prehend::stability
