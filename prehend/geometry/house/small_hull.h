// Volume and corners of the convex hull of few points: some hundred at most, many times.
//
// Incremental insertion, outermost points first; every point is compared with every facet. A point within 1e-9 of the extent of a
// facet's plane is not outside it, so that points on faces and edges are no corners and normals stay good to 1e-7. Cost: quadratic in the number of corners. convex_hull() of hull.h serves many points and gives the surface.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

struct SmallHull {
  double volume{0.0};  // [m^3]; 0 when the points span none
  std::vector<int>
      corners;  // indices of the points at the corners, ascending; all points where the volume is 0
};

// Points must be finite.
SmallHull small_hull(std::span<const Eigen::Vector3d> points);

}  // namespace prehend::geometry
