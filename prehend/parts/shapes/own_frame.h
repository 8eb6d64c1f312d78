// A frame that moves and turns with an object, so that what is computed in it does not depend on where the object lies.
//
// Origin: the mean. Axes: the principal ones of the spread, each towards the longer tail along it. What a symmetry of the second and
// third moments leaves open is decided among frames that the farthest points give, by sums over all points that only frames
// equal up to a symmetry of the whole share; between those, by the coordinates as given. A symmetric object that is turned can thus come
// out as another copy of itself. Cost: linear, times the number of frames that a symmetry leaves open.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::parts {

struct OwnFrame {
  Eigen::Vector3d origin{Eigen::Vector3d::Zero()};    // [m]
  Eigen::Matrix3d axes{Eigen::Matrix3d::Identity()};  // columns, right-handed
  Eigen::Vector3d to_own(const Eigen::Vector3d& p) const { return axes.transpose() * (p - origin); }
  Eigen::Vector3d from_own(const Eigen::Vector3d& p) const { return axes * p + origin; }
};

OwnFrame own_frame(const std::vector<Eigen::Vector3d>& points);
// By its triangles, weighted with their areas; those with a bad index or a vertex that is not finite do not count.
OwnFrame own_frame(const geometry::TriangleMesh& mesh);

// Along a direction in which no two points of a drawing are level: an order for things given in their own frame.
double own_rank(const Eigen::Vector3d& p);

}  // namespace prehend::parts
