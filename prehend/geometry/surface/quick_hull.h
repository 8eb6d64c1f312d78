// The convex hull of many points by quickhull (Barber, Dobkin, Huhdanpaa 1996), topology in flat arrays.
//
// Four to six times as fast as Qhull where thousands of points lie on the hull, and without its care for rounding: facets are not merged. It either gives a
// closed surface that is convex at every edge and bends at three edges of every vertex, or nothing (points inside faces and edges, several in one place):
// then Qhull is asked.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

// Triangles of point indices, counter-clockwise seen from outside; empty: not found. Points are of size about 1 and span a volume.
std::vector<Eigen::Vector3i> quick_hull(const std::vector<Eigen::Vector3d>& points);

}  // namespace prehend::geometry
