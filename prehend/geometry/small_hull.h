// Volume and corners of the convex hull of few points: some hundred at most, many times.
//
// Incremental insertion with exact signs, so that no arrangement of points breaks it; points on a face or an edge are no
// corners. Every point is compared with every facet: 10 us for 100 points, quadratic beyond. convex_hull() of hull.h serves
// many points and gives the surface.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

struct SmallHull {
  double volume{0.0};        // [m^3]; 0 when the points span none
  std::vector<int> corners;  // indices of the points at the corners, ascending; all points where the volume is 0
};

// Points must be finite.
SmallHull small_hull(std::span<const Eigen::Vector3d> points);

}  // namespace prehend::geometry
