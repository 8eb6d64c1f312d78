// Triangle meshes as plain data; everything that computes on them is a free function.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>

namespace prehend::geometry {

// Triangles list their vertices counter-clockwise seen from outside. Nothing else is promised: a mesh may be open,
// duplicated or dirty. check_mesh() reports, repair_mesh() mends and says what it did.
struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;   // [m]
  std::vector<Eigen::Vector3i> triangles;  // indices into vertices
};

// All vertices mapped by X_AM; triangles unchanged.
TriangleMesh transformed(const TriangleMesh& mesh_M, const math::Pose& X_AM);

// Componentwise scaling. A mirroring scale (negative product) flips the triangles, so outside stays outside.
TriangleMesh scaled(const TriangleMesh& mesh, const Eigen::Vector3d& scale);

// Vertices and triangles of both, without welding.
TriangleMesh merged(const TriangleMesh& a, const TriangleMesh& b);

struct Aabb {
  Eigen::Vector3d lower{Eigen::Vector3d::Constant(1.0)};
  Eigen::Vector3d upper{Eigen::Vector3d::Constant(-1.0)};
  bool is_empty() const { return (upper.array() < lower.array()).any(); }
  double diagonal() const { return is_empty() ? 0.0 : (upper - lower).norm(); }
};

Aabb bounding_box(const std::vector<Eigen::Vector3d>& points);

}  // namespace prehend::geometry
