// Two points on a pair of features of the object, a given distance apart, with the line between them close to the centre of mass (N, 5.5.2).
//
// All in the object's frame. None: no such pair. Equations as printed and what is wrong with them:
//   (5.32) lacks p_c - p_e, and is then p_e itself.  (5.33) must divide by |o1 - o2|; (5.34) is right.
//   After (5.40) the centre of mass is not in the plane of o0, o1, o2: o1 lies on the trace of the plane (edge, centre) in the face.
//   (5.46), (5.47): the denominators are 1 - (u1 . u2)^2.
//   After (5.51): with L < |o1 - o2| there is no pair, for the pose cannot reach the second point.
#pragma once

#include <optional>

#include <Eigen/Core>

namespace prehend::placement {

struct Plane3 {
  Eigen::Vector3d n{Eigen::Vector3d::UnitZ()};  // unit
  double d{0.0};                                // [m] n . x = d
  Eigen::Vector3d foot(const Eigen::Vector3d& p) const { return p - (n.dot(p) - d) * n; }
};

struct Line3 {
  Eigen::Vector3d p{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d u{Eigen::Vector3d::UnitX()};  // unit
  Eigen::Vector3d foot(const Eigen::Vector3d& x) const { return p + u.dot(x - p) * u; }
};

struct PointPair {
  Eigen::Vector3d q, r;  // [m] on the first and on the second feature
};

// (5.26)-(5.28); `along` is a unit vector in the plane.
PointPair on_coplanar_faces(const Plane3& plane, const Eigen::Vector3d& along, const Eigen::Vector3d& com, double L);
// (5.29)-(5.34)
std::optional<PointPair> on_intersecting_faces(const Plane3& first, const Plane3& second, const Eigen::Vector3d& com, double L);
// (5.37)-(5.40) or, for an edge parallel to the face, (5.41)-(5.43)
std::optional<PointPair> on_face_and_edge(const Plane3& face, const Line3& edge, const Eigen::Vector3d& com, double L);
// (5.44)-(5.54): parallel, intersecting and skew
std::optional<PointPair> on_edges(const Line3& first, const Line3& second, const Eigen::Vector3d& com, double L);

// (5.46), (5.47): the points of two lines that are not parallel where they are nearest.
PointPair nearest_points(const Line3& first, const Line3& second);

}  // namespace prehend::placement
