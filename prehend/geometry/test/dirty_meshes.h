// Meshes with one known defect each, for the tests of check, repair and the trees.
#pragma once

#include <utility>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/pose.h>

namespace prehend::geometry::dirty {

// As an STL file lists it: three vertices of its own for every triangle.
inline TriangleMesh exploded(const TriangleMesh& mesh) {
  TriangleMesh soup;
  for (const auto& t : mesh.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(mesh.vertices[t[k]]);
    soup.triangles.emplace_back(first, first + 1, first + 2);
  }
  return soup;
}

inline TriangleMesh inverted(TriangleMesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

inline TriangleMesh moved(const TriangleMesh& mesh, const Eigen::Vector3d& by) {
  return transformed(mesh, math::Pose::translation(by));
}

// A unit box whose top face has a vertex in the middle of its edge on one side only, closed by a triangle of
// no area.
inline TriangleMesh box_with_flat_triangle() {
  TriangleMesh mesh = make_box({1, 1, 1});
  // Find the triangle with the edge 4-5 (top front edge) on top: vertices 4, 5, 7, 6 are the top.
  mesh.vertices.emplace_back(0.0, -0.5, 0.5);  // the middle of 4-5
  for (auto& t : mesh.triangles) {
    if (t == Eigen::Vector3i(4, 5, 7)) t = Eigen::Vector3i(8, 5, 7);
  }
  mesh.triangles.emplace_back(4, 8, 7);
  mesh.triangles.emplace_back(4, 5, 8);  // no area: joins the split edge to the whole one
  return mesh;
}

}  // namespace prehend::geometry::dirty
