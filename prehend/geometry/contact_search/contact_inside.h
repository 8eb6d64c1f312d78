// Inside tests on one side of a pair. Internal to the room.
#pragma once

#include <Eigen/Core>

#include <prehend/geometry/contact_search/contact_pair.h>

namespace prehend::geometry {

// Winding number of the surface around a point of P above one half: sums the solid angles of all triangles,
// O(n).
bool is_inside(const ContactSide& side, const Eigen::Vector3d& p);

// [m] How far the material goes on from a surface point against the outward direction n: to the first face
// that the ray leaves through. At most the size of the shape.
double depth_below(const ContactSide& side, const Eigen::Vector3d& p, const Eigen::Vector3d& n);

}  // namespace prehend::geometry
