#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/surface/mesh_topology.h>
#include <prehend/geometry/surface/triangle_overlap.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

TriangleKind classify(const TriangleMesh& mesh, const Vector3i& t, double tolerance) {
  const auto count = static_cast<unsigned>(mesh.vertices.size());
  for (int k = 0; k < 3; ++k) {
    if (static_cast<unsigned>(t[k]) >= count) return TriangleKind::bad_index;
  }
  const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  if (!a.allFinite() || !b.allFinite() || !c.allFinite()) return TriangleKind::not_finite;
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return TriangleKind::repeated_corner;
  const Vector3d u = b - a, v = c - a;
  const double longest = std::sqrt(std::max({u.squaredNorm(), v.squaredNorm(), (c - b).squaredNorm()}));
  const double twice_area = u.cross(v).norm();
  // Clear cases need no exact arithmetic.
  if (twice_area > std::max(tolerance, 1e-12 * longest) * longest) return TriangleKind::good;
  return twice_area <= tolerance * longest || is_collinear(a, b, c) ? TriangleKind::flat
                                                                    : TriangleKind::good;
}

bool same_side(const Vector3i& a, const Vector3i& b) {
  for (int k = 0; k < 3; ++k) {
    if (a[0] == b[k]) return a[1] == b[(k + 1) % 3];
  }
  return false;
}

// Marks repeated triangles; true when there were any. A triangle is looked at from the edge opposite its
// largest vertex, so each group of equal triangles is seen once.
bool mark_duplicates(const TriangleMesh& mesh, MeshTopology& topology) {
  bool any = false;
  std::vector<int> group;
  for (const EdgeTable::Edge& edge : topology.edges.edges) {
    if (edge.count < 2) continue;
    const auto half_edges = topology.edges.along(edge);
    for (std::size_t i = 0; i < half_edges.size(); ++i) {
      const int apex = opposite_of(mesh, half_edges[i]), t = half_edges[i] / 3;
      if (apex < edge.high || !topology.in_surface[t]) continue;
      group.assign(1, t);
      for (std::size_t j = i + 1; j < half_edges.size(); ++j) {
        if (opposite_of(mesh, half_edges[j]) == apex && topology.in_surface[half_edges[j] / 3])
          group.push_back(half_edges[j] / 3);
      }
      if (group.size() == 1) continue;
      any = true;
      // Opposite sides cancel; of what is left over on one side, one stays.
      int balance = 0;
      for (int other : group) balance += same_side(mesh.triangles[t], mesh.triangles[other]) ? 1 : -1;
      bool kept = balance == 0;
      for (int other : group) {
        const bool is_forward = same_side(mesh.triangles[t], mesh.triangles[other]);
        if (!kept && is_forward == (balance > 0)) {
          kept = true;
          continue;
        }
        topology.kind[other] = balance == 0 ? TriangleKind::cancelled : TriangleKind::duplicate;
        topology.in_surface[other] = 0;
      }
    }
  }
  return any;
}

}  // namespace

MeshTopology analyse_topology(const TriangleMesh& mesh, double tolerance) {
  MeshTopology topology;
  const std::size_t count = mesh.triangles.size();
  topology.kind.resize(count);
  topology.in_surface.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    topology.kind[i] = classify(mesh, mesh.triangles[i], tolerance);
    topology.in_surface[i] =
        topology.kind[i] == TriangleKind::good || topology.kind[i] == TriangleKind::flat;
  }
  topology.edges = build_edge_table(mesh, topology.in_surface);
  if (mark_duplicates(mesh, topology)) topology.edges = build_edge_table(mesh, topology.in_surface);
  return topology;
}

}  // namespace prehend::geometry
