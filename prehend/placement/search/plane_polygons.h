// Convex polygons of a plane, for the search of free translations: hulls, sums, clips, distances.
//
// A polygon lists its corners counter-clockwise; two corners are a segment, one is a point.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

namespace prehend::placement {

using Corners2 = std::vector<Eigen::Vector2d>;  // [m]

// Corners of the hull, counter-clockwise; points within 1e-12 of the extent of a side are left out.
Corners2 hull2(Corners2 points);
// All a + b.
Corners2 sum2(const Corners2& a, const Corners2& b);
// The common part of two convex polygons, segments or points.
Corners2 clip2(const Corners2& a, const Corners2& b);
// [m] Positive inside: distance to the nearest side; negative outside, where it bounds the distance from below. Segments and points have no
// inside: 0 at most.
double depth2(const Corners2& polygon, const Eigen::Vector2d& p);
// The polygon with every side moved outwards; corners are mitred.
Corners2 grown2(const Corners2& polygon, double distance);
Eigen::Vector2d centroid2(const Corners2& polygon);
double area2(const Corners2& polygon);  // [m^2]
// Angles of the longest sides [rad], each direction once, at most so many.
std::vector<double> longest_sides(const std::vector<const Corners2*>& polygons, std::size_t most);

}  // namespace prehend::placement
