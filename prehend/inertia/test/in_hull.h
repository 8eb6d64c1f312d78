// Whether a point lies in the convex hull of others: a centre of mass always does.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include <prehend/geometry/hull.h>

namespace prehend::inertia {

// ... or outside by at most `tolerance` of their extent. Flat and collinear sets are seen as such.
inline bool is_in_hull(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& p,
                       double tolerance = 1e-9) {
  if (points.empty() || !p.allFinite()) return false;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& q : points) mean += q / static_cast<double>(points.size());
  double extent = 0.0;
  for (const Eigen::Vector3d& q : points) extent = std::max(extent, (q - mean).norm());
  const double slack = 2.0 * tolerance * extent;
  const geometry::HullResult hull = geometry::convex_hull(points);
  if (hull.status == geometry::HullStatus::ok) {
    for (const Eigen::Vector3i& t : hull.mesh.triangles) {
      const Eigen::Vector3d a = hull.mesh.vertices[t[0]];
      const Eigen::Vector3d n = (hull.mesh.vertices[t[1]] - a).cross(hull.mesh.vertices[t[2]] - a);
      // Slivers of the triangulated hull lie in faces whose larger triangles decide.
      if (n.norm() > 1e-12 * extent * extent && n.dot(p - a) > slack * n.norm()) return false;
    }
    return true;
  }
  // A flat set: thicken it across its plane or line, where the point must lie within the slack anyway.
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3d& q : points) spread += (q - mean) * (q - mean).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(spread);
  const int flat = hull.status == geometry::HullStatus::coplanar    ? 1
                   : hull.status == geometry::HullStatus::collinear ? 2
                                                                    : 3;
  for (int k = 0; k < flat; ++k)
    if (std::abs(axes.eigenvectors().col(k).dot(p - mean)) > std::max(slack, 1e-9 * extent)) return false;
  if (flat == 3) return true;
  std::vector<Eigen::Vector3d> thick;
  for (const Eigen::Vector3d& q : points)
    for (int corner = 0; corner < (1 << flat); ++corner) {
      Eigen::Vector3d moved = q;
      for (int k = 0; k < flat; ++k)
        moved += ((corner >> k) & 1 ? extent : -extent) * axes.eigenvectors().col(k);
      thick.push_back(moved);
    }
  return is_in_hull(thick, p, tolerance);
}

}  // namespace prehend::inertia
