// Distance between two triangles in space, with a nearest point on each.
#pragma once

#include <Eigen/Core>

namespace prehend::geometry {

struct TriangleDistance {
  double squared_distance{0.0};
  Eigen::Vector3d p_a{Eigen::Vector3d::Zero()};
  Eigen::Vector3d p_b{Eigen::Vector3d::Zero()};
};

// Of triangles that do not intersect (triangles_meet() tells): the minimum over nine pairs of edges and six
// pairs of corner and face. Of triangles that do, an upper bound.
TriangleDistance triangle_distance(const Eigen::Vector3d (&a)[3], const Eigen::Vector3d (&b)[3]);

// The point of triangle abc nearest to p; weights of the corners in `barycentric`.
Eigen::Vector3d closest_on_triangle(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                                    const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                                    Eigen::Vector3d& barycentric);

}  // namespace prehend::geometry
