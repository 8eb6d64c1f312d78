#include <algorithm>
#include <unordered_map>

#include <Eigen/Geometry>

#include <prehend/geometry/mesh_shells.h>
#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/surface/mesh_topology.h>

namespace prehend::geometry {

MeshShells find_shells(const TriangleMesh& mesh) {
  WeldResult weld = weld_vertices(mesh);
  const MeshTopology topology = analyse_topology(weld.mesh, weld.tolerance);
  const TriangleBvh bvh = build_triangle_bvh(weld.mesh, topology.in_surface);
  Shells found = analyse_shells(weld.mesh, topology, bvh);
  MeshShells result;
  result.shells.resize(found.shells.size());
  for (std::size_t s = 0; s < found.shells.size(); ++s) {
    Shell& from = found.shells[s];
    MeshShell& to = result.shells[s];
    to.is_closed = from.is_closed;
    to.is_oriented = from.is_oriented;
    to.is_flat = from.is_flat;
    to.volume = from.volume;
    to.inside_of = std::move(from.inside_of);
    to.is_inside_out = from.is_inside_out;
    to.is_nested_outward = from.is_nested_outward;
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (found.shell_of[t] < 0) continue;
    MeshShell& shell = result.shells[found.shell_of[t]];
    shell.triangles.push_back(static_cast<int>(t));
    const Eigen::Vector3i& v = weld.mesh.triangles[t];
    const Eigen::Vector3d& a = weld.mesh.vertices[v[0]];
    shell.area += 0.5 * (weld.mesh.vertices[v[1]] - a).cross(weld.mesh.vertices[v[2]] - a).norm();
  }
  for (const EdgeTable::Edge& edge : topology.edges.edges) {
    if (edge.count % 2 == 0) continue;
    MeshShell& shell = result.shells[found.shell_of[topology.edges.along(edge)[0] / 3]];
    shell.rim.push_back(edge.low);
    shell.rim.push_back(edge.high);
  }
  for (MeshShell& shell : result.shells) {
    std::sort(shell.rim.begin(), shell.rim.end());
    shell.rim.erase(std::unique(shell.rim.begin(), shell.rim.end()), shell.rim.end());
  }
  result.shell_of = std::move(found.shell_of);
  result.welded = std::move(weld.mesh);
  return result;
}

TriangleMesh submesh(const TriangleMesh& mesh, const std::vector<int>& triangles) {
  TriangleMesh part;
  part.triangles.reserve(triangles.size());
  std::unordered_map<int, int> number;
  number.reserve(triangles.size());
  for (const int t : triangles) {
    Eigen::Vector3i corners;
    for (int k = 0; k < 3; ++k) {
      const auto [at, is_new] =
          number.try_emplace(mesh.triangles[t][k], static_cast<int>(part.vertices.size()));
      if (is_new) part.vertices.push_back(mesh.vertices[mesh.triangles[t][k]]);
      corners[k] = at->second;
    }
    part.triangles.push_back(corners);
  }
  return part;
}

}  // namespace prehend::geometry
