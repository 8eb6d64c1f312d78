#include <utility>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

TriangleMesh transformed(const TriangleMesh& mesh_M, const math::Pose& X_AM) {
  TriangleMesh mesh_A = mesh_M;
  const Eigen::Matrix3d R_AM = X_AM.R();
  for (Eigen::Vector3d& vertex : mesh_A.vertices) vertex = X_AM.p() + R_AM * vertex;
  return mesh_A;
}

TriangleMesh scaled(const TriangleMesh& mesh, const Eigen::Vector3d& scale) {
  TriangleMesh result = mesh;
  for (Eigen::Vector3d& vertex : result.vertices) vertex = vertex.cwiseProduct(scale);
  if (scale.prod() < 0.0) {
    for (Eigen::Vector3i& triangle : result.triangles) std::swap(triangle[1], triangle[2]);
  }
  return result;
}

TriangleMesh merged(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh result = a;
  const int offset = static_cast<int>(a.vertices.size());
  result.vertices.insert(result.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Eigen::Vector3i& triangle : b.triangles)
    result.triangles.emplace_back(triangle.array() + offset);
  return result;
}

Aabb bounding_box(const std::vector<Eigen::Vector3d>& points) {
  Aabb box;
  if (points.empty()) return box;
  box.lower = box.upper = points.front();
  for (const Eigen::Vector3d& point : points) {
    box.lower = box.lower.cwiseMin(point);
    box.upper = box.upper.cwiseMax(point);
  }
  return box;
}

}  // namespace prehend::geometry
