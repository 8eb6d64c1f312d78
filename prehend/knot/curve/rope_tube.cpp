#include <cmath>
#include <stdexcept>
#include <vector>

#include <Eigen/Geometry>

#include <prehend/knot/curve/rope_tube.h>
#include <prehend/math/angles.h>
#include <prehend/math/so3.h>

namespace prehend::knot {

geometry::TriangleMesh tube_around(std::span<const Eigen::Vector3d> line, double radius, int sides) {
  if (!(radius > 0))
    throw std::invalid_argument("tube: radius is " + std::to_string(radius) + ", must be positive");
  if (sides < 3)
    throw std::invalid_argument("tube: sides are " + std::to_string(sides) + ", must be 3 or more");
  std::vector<Eigen::Vector3d> p;
  for (const Eigen::Vector3d& q : line) {
    if (p.empty() || (q - p.back()).norm() > 1e-6 * radius) p.push_back(q);
  }
  if (p.size() < 2) throw std::invalid_argument("tube: the line has fewer than two different points");
  geometry::TriangleMesh mesh;
  Eigen::Vector3d along = (p[1] - p[0]).normalized();
  Eigen::Vector3d across = along.unitOrthogonal();
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Eigen::Vector3d before = k > 0 ? (p[k] - p[k - 1]).normalized() : along;
    const Eigen::Vector3d after = k + 1 < p.size() ? (p[k + 1] - p[k]).normalized() : before;
    const Eigen::Vector3d sum = before + after;
    const Eigen::Vector3d tangent = sum.norm() > 1e-6 ? Eigen::Vector3d(sum.normalized()) : before;
    across = math::rotation_between(along, tangent) * across;
    along = tangent;
    const Eigen::Vector3d third = along.cross(across);
    for (int j = 0; j < sides; ++j) {
      const double angle = 2 * math::kPi * j / sides;
      mesh.vertices.push_back(p[k] + radius * (std::cos(angle) * across + std::sin(angle) * third));
    }
  }
  const int rings = static_cast<int>(p.size());
  for (int k = 0; k + 1 < rings; ++k) {
    for (int j = 0; j < sides; ++j) {
      const int a = k * sides + j, b = k * sides + (j + 1) % sides;
      mesh.triangles.emplace_back(a, b, a + sides);
      mesh.triangles.emplace_back(b, b + sides, a + sides);
    }
  }
  for (int j = 1; j + 1 < sides; ++j) {
    const int last = (rings - 1) * sides;
    mesh.triangles.emplace_back(0, j + 1, j);
    mesh.triangles.emplace_back(last, last + j, last + j + 1);
  }
  return mesh;
}

}  // namespace prehend::knot
