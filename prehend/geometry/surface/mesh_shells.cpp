#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <Eigen/Geometry>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/surface/mesh_topology.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

void grow(Aabb& box, const Vector3d& p) {
  if (box.is_empty()) box.lower = box.upper = p;
  box.lower = box.lower.cwiseMin(p);
  box.upper = box.upper.cwiseMax(p);
}

bool contains(const Aabb& outer, const Aabb& inner) {
  return (outer.lower.array() <= inner.lower.array()).all() &&
         (outer.upper.array() >= inner.upper.array()).all();
}

bool segment_meets_box(const Vector3d& p, const Vector3d& d, const TriangleBvh::Node& box) {
  // Local coordinates are of order 1; the pad covers the rounding of p and d.
  constexpr double kPad = 1e-12;
  double enter = 0.0, leave = 1.0;
  for (int k = 0; k < 3; ++k) {
    const double t0 = (box.lower[k] - kPad - p[k]) / d[k], t1 = (box.upper[k] + kPad - p[k]) / d[k];
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
  }
  return enter <= leave * (1.0 + 1e-12);
}

// Signed crossings of the segment pq, per shell: its winding numbers around p when q lies outside all of
// them. Empty when the segment touches an edge or a vertex or runs along a triangle, so that another
// direction is needed.
std::optional<std::map<int, int>> crossings(const TriangleMesh& mesh, const Shells& shells,
                                            const TriangleBvh& bvh, const Vector3d& p, const Vector3d& q,
                                            int own_shell) {
  std::map<int, int> winding;
  std::vector<int> stack{0};
  const Vector3d p_local = bvh.to_local(p), d_local = bvh.to_local(q) - p_local;
  while (!stack.empty()) {
    const TriangleBvh::Node& node = bvh.nodes[stack.back()];
    stack.pop_back();
    if (!segment_meets_box(p_local, d_local, node)) continue;
    if (!node.is_leaf()) {
      stack.push_back(node.first);
      stack.push_back(node.first + 1);
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int triangle = bvh.order[i];
      const int shell = shells.shell_of[triangle];
      if (shell < 0 || shell == own_shell) continue;
      if (!shells.shells[shell].is_closed || !shells.shells[shell].is_oriented) continue;
      const Vector3i& t = mesh.triangles[triangle];
      const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
      const int ab = orient3d(p, q, a, b), bc = orient3d(p, q, b, c), ca = orient3d(p, q, c, a);
      if (std::min({ab, bc, ca}) < 0 && std::max({ab, bc, ca}) > 0) continue;  // the line passes by
      const int sp = orient3d(a, b, c, p), sq = orient3d(a, b, c, q);
      if (sp * sq > 0) continue;
      if (sp == 0 || sq == 0 || ab == 0 || bc == 0 || ca == 0) return std::nullopt;
      winding[shell] += sq > 0 ? 1 : -1;
    }
  }
  return winding;
}

std::vector<int> containing_shells(const TriangleMesh& mesh, const Shells& shells, const TriangleBvh& bvh,
                                   int own) {
  const Vector3i& t = mesh.triangles[shells.shells[own].first_triangle];
  const Vector3d p = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3.0;
  // Directions without any relation to the axes of a drawing; a second one is needed only when the first
  // meets an edge.
  for (int attempt = 0; attempt < 20; ++attempt) {
    const double angle = 0.7548776662 + 2.3999632297 * attempt, height = 0.5698402910 - 0.0914159 * attempt;
    const Vector3d direction(std::cos(angle), std::sin(angle), height);
    const auto winding = crossings(mesh, shells, bvh, p, p + 6.0 * bvh.unit * direction, own);
    if (!winding) continue;
    std::vector<int> containing;
    for (const auto& [shell, number] : *winding) {
      // A shell that merely cuts through this one is no container; the self-intersections tell of it.
      if (number != 0 && contains(shells.shells[shell].box, shells.shells[own].box))
        containing.push_back(shell);
    }
    return containing;
  }
  return {};
}

void collect(const TriangleMesh& mesh, const MeshTopology& topology, Shells& result) {
  const int count = static_cast<int>(mesh.triangles.size());
  DisjointSets sets(count);
  for (const EdgeTable::Edge& edge : topology.edges.edges) {
    const auto half_edges = topology.edges.along(edge);
    for (std::size_t i = 1; i < half_edges.size(); ++i) sets.unite(half_edges[0] / 3, half_edges[i] / 3);
  }
  result.shell_of.assign(count, -1);
  for (int t = 0; t < count; ++t) {
    if (!topology.in_surface[t]) continue;
    const int root = sets.find(t);
    if (root == t) {
      result.shell_of[t] = static_cast<int>(result.shells.size());
      result.shells.emplace_back().first_triangle = t;
    }
    result.shell_of[t] = result.shell_of[root];  // the root is the smallest member: seen before
    Shell& shell = result.shells[result.shell_of[t]];
    ++shell.triangles;
    for (int k = 0; k < 3; ++k) grow(shell.box, mesh.vertices[mesh.triangles[t][k]]);
  }
  for (const EdgeTable::Edge& edge : topology.edges.edges) {
    const auto half_edges = topology.edges.along(edge);
    Shell& shell = result.shells[result.shell_of[half_edges[0] / 3]];
    int balance = 0;
    for (int h : half_edges) balance += start_of(mesh, h) == edge.low ? 1 : -1;
    if (edge.count % 2 != 0) shell.is_closed = false;
    if (edge.count > 1 && std::abs(balance) > edge.count % 2) shell.is_oriented = false;
  }
}

void compute_volumes(const TriangleMesh& mesh, Shells& result) {
  std::vector<double> area(result.shells.size(), 0.0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (result.shell_of[t] < 0) continue;
    Shell& shell = result.shells[result.shell_of[t]];
    if (!shell.is_closed || !shell.is_oriented) continue;
    // Relative to the shell's own place, so that a crumb far away keeps its sign.
    const Vector3d& reference = mesh.vertices[mesh.triangles[shell.first_triangle][0]];
    const Vector3i& v = mesh.triangles[t];
    const Vector3d a = mesh.vertices[v[0]] - reference;
    const Vector3d n =
        (mesh.vertices[v[1]] - mesh.vertices[v[0]]).cross(mesh.vertices[v[2]] - mesh.vertices[v[0]]);
    shell.volume += a.dot(n) / 6.0;
    area[result.shell_of[t]] += 0.5 * n.norm();
  }
  for (std::size_t s = 0; s < result.shells.size(); ++s) {
    Shell& shell = result.shells[s];
    shell.is_flat = shell.is_closed && shell.is_oriented &&
                    std::abs(shell.volume) <= 1e-12 * area[s] * shell.box.diagonal();
  }
}

}  // namespace

Shells analyse_shells(const TriangleMesh& mesh, const MeshTopology& topology, const TriangleBvh& bvh) {
  Shells result;
  collect(mesh, topology, result);
  compute_volumes(mesh, result);
  if (result.shells.size() > 1) {
    for (std::size_t s = 0; s < result.shells.size(); ++s) {
      Shell& shell = result.shells[s];
      if (shell.is_closed && shell.is_oriented && !shell.is_flat) {
        shell.inside_of = containing_shells(mesh, result, bvh, static_cast<int>(s));
      }
    }
  }
  // Outermost first, so that a cavity can ask its containers.
  std::vector<int> by_depth(result.shells.size());
  for (std::size_t s = 0; s < by_depth.size(); ++s) by_depth[s] = static_cast<int>(s);
  std::stable_sort(by_depth.begin(), by_depth.end(), [&](int a, int b) {
    return result.shells[a].inside_of.size() < result.shells[b].inside_of.size();
  });
  for (int s : by_depth) {
    Shell& shell = result.shells[s];
    if (!shell.is_closed || !shell.is_oriented || shell.is_flat) continue;
    if (shell.inside_of.size() % 2 == 0) {
      shell.is_inside_out = shell.volume < 0.0;
    } else if (shell.volume > 0.0) {
      const bool all_inverted = std::all_of(shell.inside_of.begin(), shell.inside_of.end(),
                                            [&](int other) { return result.shells[other].is_inside_out; });
      (all_inverted ? shell.is_inside_out : shell.is_nested_outward) = true;
    }
  }
  return result;
}

}  // namespace prehend::geometry
