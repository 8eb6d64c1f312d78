// Shapes for the sample pages.
#pragma once

#include <cmath>
#include <numbers>

#include <prehend/geometry/mesh.h>

namespace prehend::report {

// Every face is a grid of n x n squares with its own vertices, so that maps have something to vary on.
inline geometry::TriangleMesh sample_box(const Eigen::Vector3d& size, int n = 1) {
  geometry::TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int first = static_cast<int>(mesh.vertices.size());
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
          Eigen::Vector3d p;
          p[axis] = 0.5 * side * size[axis];
          p[u] = (static_cast<double>(i) / n - 0.5) * size[u];
          p[v] = (static_cast<double>(j) / n - 0.5) * size[v];
          mesh.vertices.push_back(p);
        }
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const int a = first + i * (n + 1) + j, b = a + n + 1;
          const Eigen::Vector3i lower(a, b, a + 1), upper(b, b + 1, a + 1);
          for (const Eigen::Vector3i& t : {lower, upper})
            mesh.triangles.push_back(side > 0.0 ? t : Eigen::Vector3i(t[0], t[2], t[1]));
        }
    }
  return mesh;
}

// A closed surface over a grid of u and v, both periodic (a torus) or v from pole to pole (a ball).
inline geometry::TriangleMesh sample_torus(double major, double minor, int around, int across) {
  geometry::TriangleMesh mesh;
  const double turn = 2.0 * std::numbers::pi;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = turn * i / around, v = turn * j / across, r = major + minor * std::cos(v);
      mesh.vertices.emplace_back(r * std::cos(u), r * std::sin(u), minor * std::sin(v));
      const int a = i * across + j, b = (i + 1) % around * across + j;
      const int c = (i + 1) % around * across + (j + 1) % across, d = i * across + (j + 1) % across;
      mesh.triangles.emplace_back(a, b, c);
      mesh.triangles.emplace_back(a, c, d);
    }
  return mesh;
}

inline geometry::TriangleMesh sample_ball(double radius, int around, int across) {
  geometry::TriangleMesh mesh;
  for (int i = 0; i <= across; ++i)
    for (int j = 0; j < around; ++j) {
      const double polar = std::numbers::pi * i / across, u = 2.0 * std::numbers::pi * j / around;
      mesh.vertices.emplace_back(radius * Eigen::Vector3d(std::sin(polar) * std::cos(u),
                                                          std::sin(polar) * std::sin(u), std::cos(polar)));
      if (i == across) continue;
      const int a = i * around + j, b = i * around + (j + 1) % around;
      mesh.triangles.emplace_back(a, a + around, b + around);
      mesh.triangles.emplace_back(a, b + around, b);
    }
  return mesh;
}

}  // namespace prehend::report
