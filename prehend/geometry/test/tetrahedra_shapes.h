// Closed surfaces for the tetrahedra's tests and benchmark.
#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry::shapes {

inline TriangleMesh inverted(TriangleMesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

inline TriangleMesh moved(TriangleMesh mesh, double scale, const Eigen::Vector3d& shift) {
  for (auto& v : mesh.vertices) v = scale * v + shift;
  return mesh;
}

// Union of cells of a unit grid as a closed surface: every face between a full and an empty cell, two
// triangles each.
inline TriangleMesh voxels(const std::vector<Eigen::Vector3i>& cells) {
  std::map<std::array<int, 3>, int> index;
  std::map<std::array<int, 3>, bool> full;
  for (const auto& c : cells) full[{c.x(), c.y(), c.z()}] = true;
  TriangleMesh mesh;
  const auto vertex = [&](const Eigen::Vector3i& p) {
    const auto [it, fresh] = index.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(mesh.vertices.size()));
    if (fresh) mesh.vertices.push_back(p.cast<double>());
    return it->second;
  };
  for (const auto& c : cells) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int side = 0; side < 2; ++side) {
        Eigen::Vector3i n = Eigen::Vector3i::Zero(), u = n, v = n;
        n[axis] = side == 1 ? 1 : -1;
        u[(axis + 1) % 3] = 1;
        v[(axis + 2) % 3] = 1;
        const Eigen::Vector3i next = c + n;
        if (full.contains({next.x(), next.y(), next.z()})) continue;
        Eigen::Vector3i base = c;
        base[axis] += side;
        const int q[4] = {vertex(base), vertex(base + u), vertex(base + u + v), vertex(base + v)};
        for (const auto& t : {Eigen::Vector3i(q[0], q[1], q[2]), Eigen::Vector3i(q[0], q[2], q[3])}) {
          mesh.triangles.push_back(side == 1 ? t : Eigen::Vector3i(t[0], t[2], t[1]));
        }
      }
    }
  }
  return mesh;
}

inline TriangleMesh box_of_cells(int nx, int ny, int nz) {
  std::vector<Eigen::Vector3i> cells;
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      for (int z = 0; z < nz; ++z) cells.emplace_back(x, y, z);
  return voxels(cells);
}

// (R + r cos v) around z, `m` by `n` quads.
inline TriangleMesh torus(double R, double r, int m, int n) {
  TriangleMesh mesh;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      const double u = 2 * std::numbers::pi * i / m, v = 2 * std::numbers::pi * j / n;
      mesh.vertices.emplace_back((R + r * std::cos(v)) * std::cos(u), (R + r * std::cos(v)) * std::sin(u),
                                 r * std::sin(v));
      const int a = i * n + j, b = (i + 1) % m * n + j, c = (i + 1) % m * n + (j + 1) % n,
                d = i * n + (j + 1) % n;
      mesh.triangles.emplace_back(a, b, c);
      mesh.triangles.emplace_back(a, c, d);
    }
  }
  return mesh;
}

// A sphere whose radius waves: 2 n (n - 1) triangles from n rings of n.
inline TriangleMesh dented_sphere(int n, double dent) {
  TriangleMesh mesh;
  const auto at = [&](double theta, double phi) {
    const double radius = 1.0 + dent * std::cos(5 * theta) * std::sin(3 * phi) * std::sin(theta);
    mesh.vertices.emplace_back(radius * std::sin(theta) * std::cos(phi),
                               radius * std::sin(theta) * std::sin(phi), radius * std::cos(theta));
  };
  at(0, 0);
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < n; ++j) at(std::numbers::pi * i / n, 2 * std::numbers::pi * j / n);
  at(std::numbers::pi, 0);
  const int south = static_cast<int>(mesh.vertices.size()) - 1;
  for (int j = 0; j < n; ++j) {
    const int k = (j + 1) % n;
    mesh.triangles.emplace_back(0, 1 + j, 1 + k);
    for (int i = 1; i + 1 < n; ++i) {
      const int a = 1 + (i - 1) * n + j, b = 1 + i * n + j, c = 1 + i * n + k, d = 1 + (i - 1) * n + k;
      mesh.triangles.emplace_back(a, b, c);
      mesh.triangles.emplace_back(a, c, d);
    }
    mesh.triangles.emplace_back(1 + (n - 2) * n + j, south, 1 + (n - 2) * n + k);
  }
  return mesh;
}

// A prism over a regular or star-shaped polygon, its top turned by `twist` and its side diagonals bent
// inwards: for three points and -30 degrees Schoenhardt's polyhedron, which no tetrahedra of its own vertices
// fill.
inline TriangleMesh twisted_prism(const std::vector<double>& radii, double height, double twist) {
  TriangleMesh mesh;
  const int n = static_cast<int>(radii.size());
  for (int level = 0; level < 2; ++level) {
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n + level * twist;
      mesh.vertices.emplace_back(radii[i] * std::cos(angle), radii[i] * std::sin(angle), level * height);
    }
  }
  mesh.vertices.emplace_back(0, 0, 0);
  mesh.vertices.emplace_back(0, 0, height);
  const bool fan = n > 3;
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    // The diagonal that the twist makes concave.
    mesh.triangles.emplace_back(i, j, n + i);
    mesh.triangles.emplace_back(j, n + j, n + i);
    if (fan) {
      mesh.triangles.emplace_back(2 * n, j, i);
      mesh.triangles.emplace_back(2 * n + 1, n + i, n + j);
    }
  }
  if (!fan) {
    mesh.triangles.emplace_back(0, 2, 1);
    mesh.triangles.emplace_back(3, 4, 5);
    mesh.vertices.resize(6);
  }
  return mesh;
}

}  // namespace prehend::geometry::shapes
