// Convex hull of points as a closed, outward triangle mesh.
//
// Qhull (quickhull, merged facets, then triangulated) on the points moved to their own centre and size, so
// the answer does not depend on scale or place. Hull vertices keep the coordinates of the input. Points
// inside a face or an edge of the hull (within rounding) are not vertices. Many points are given to a faster
// quickhull first (surface/quick_hull.h). Cost: O(n log n); about 1 ms per 1000 points.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

struct HullOptions {
  // Points that stay within this distance of a plane, a line or a point, relative to their extent, span no
  // volume. 1e-10 is above the rounding of coordinates 1e4 sizes away from the origin. In [1e-15, 0.1].
  double flatness{1e-10};
};

enum class HullStatus {
  failed,      // Qhull gave up; `message` says why
  not_finite,  // a coordinate is infinite or not a number
  empty,       // no points
  point,       // all points in one place
  collinear,   // all points on a line
  coplanar,    // all points in a plane
  ok,
};
const char* to_string(HullStatus status);

struct HullResult {
  HullStatus status{HullStatus::failed};
  TriangleMesh mesh;          // empty unless ok
  std::vector<int> point_of;  // for each vertex of the mesh, the index of its point
  std::string message;        // what is wrong, empty when ok
};

HullResult convex_hull(const std::vector<Eigen::Vector3d>& points, const HullOptions& options = {});

}  // namespace prehend::geometry
