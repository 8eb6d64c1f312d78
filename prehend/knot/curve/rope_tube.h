// A rope as a mesh to look at: a tube of regular polygons around its centre line, closed at the ends.
#pragma once

#include <span>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::knot {

// Points and radius in one unit of length; repeated points are passed over. At least two different points, or
// std::invalid_argument. Cross sections turn with the line without twisting (each frame is the last one, rotated by the least
// angle).
geometry::TriangleMesh tube_around(std::span<const Eigen::Vector3d> line, double radius, int sides = 10);

}  // namespace prehend::knot
