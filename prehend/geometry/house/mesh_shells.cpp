#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>

#include <Eigen/Geometry>

#include <prehend/geometry/house/mesh_shells.h>
#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/surface/mesh_topology.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// Which triangles around an edge with more than two bound the same solid: from a triangle that runs along the edge forwards, the next
// backwards one through its inside. Faces of two solids that touch lie at the same angle and are a whole turn apart.
void unite_around(const TriangleMesh& mesh, const EdgeTable::Edge& edge, std::span<const int> half_edges,
                  DisjointSets& sets) {
  const Vector3d &low = mesh.vertices[edge.low], axis = (mesh.vertices[edge.high] - low).normalized();
  const Vector3d x = axis.unitOrthogonal(), y = axis.cross(x);
  const auto angle = [&](int h) {
    const Vector3d p = mesh.vertices[opposite_of(mesh, h)] - low;
    return std::atan2(y.dot(p), x.dot(p));
  };
  constexpr double kTurn = 2.0 * math::kPi;
  // [rad] Faces that touch are equal up to rounding, and overlap by some degrees where a round bar sits in a round hole with other
  // facets. A solid whose own edge is sharper than 10 degrees and touches another along it would be taken for that.
  constexpr double kTouching = 10.0 * math::kPi / 180.0;
  for (const int forward : half_edges) {
    if (start_of(mesh, forward) != edge.low) continue;
    int best = -1;
    double least = 2.0 * kTurn;
    for (const int backward : half_edges) {
      if (start_of(mesh, backward) == edge.low) continue;
      double gap = angle(forward) - angle(backward);
      while (gap < kTouching) gap += kTurn;
      if (gap < least) least = gap, best = backward;
    }
    if (best >= 0) sets.unite(forward / 3, best / 3);
  }
}

// Faces of two solids that touch have the same corners and opposite sides; they belong to their solids, not to a sheet.
std::vector<char> surface_triangles(const MeshTopology& topology) {
  std::vector<char> use(topology.kind.size());
  for (std::size_t t = 0; t < use.size(); ++t)
    use[t] = topology.in_surface[t] || topology.kind[t] == TriangleKind::cancelled ||
             topology.kind[t] == TriangleKind::duplicate;
  return use;
}

// Takes repeats out of use: the same corners and the same side as an earlier triangle.
void find_repeats(const TriangleMesh& mesh, std::vector<char>& use, std::vector<int>& repeat_of) {
  std::map<std::array<int, 3>, int> first;
  for (std::size_t t = 0; t < use.size(); ++t) {
    if (!use[t]) continue;
    std::array<int, 3> corners{mesh.triangles[t][0], mesh.triangles[t][1], mesh.triangles[t][2]};
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    const auto [at, is_new] = first.try_emplace(corners, static_cast<int>(t));
    if (is_new) continue;
    repeat_of[t] = at->second;
    use[t] = 0;
  }
}

void collect_shells(const std::vector<char>& use, MeshShells& result) {
  const EdgeTable table = build_edge_table(result.welded, use);
  const int count = static_cast<int>(result.welded.triangles.size());
  DisjointSets sets(count);
  for (const EdgeTable::Edge& edge : table.edges) {
    const auto half_edges = table.along(edge);
    if (half_edges.size() == 2) {
      sets.unite(half_edges[0] / 3, half_edges[1] / 3);
    } else if (half_edges.size() > 2 && half_edges.size() % 2 == 0) {
      unite_around(result.welded, edge, half_edges, sets);
    }
  }
  result.shell_of.assign(count, -1);
  for (int t = 0; t < count; ++t) {
    if (!use[t]) continue;
    const int root = sets.find(t);
    if (root == t) {
      result.shell_of[t] = static_cast<int>(result.shells.size());
      MeshShell& shell = result.shells.emplace_back();
      shell.is_closed = shell.is_oriented = true;
    }
    result.shell_of[t] = result.shell_of[root];  // the root is the smallest member: seen before
    result.shells[result.shell_of[t]].triangles.push_back(t);
  }
  for (const EdgeTable::Edge& edge : table.edges) {
    std::map<int, std::pair<int, int>> along;  // per shell: triangles and balance of directions
    for (const int h : table.along(edge)) {
      auto& [triangles, balance] = along[result.shell_of[h / 3]];
      ++triangles;
      balance += start_of(result.welded, h) == edge.low ? 1 : -1;
    }
    for (const auto& [s, sums] : along) {
      MeshShell& shell = result.shells[s];
      if (sums.first % 2 != 0) {
        shell.is_closed = false;
        shell.rim.push_back({edge.low, edge.high});
      }
      if (sums.first > 1 && std::abs(sums.second) > sums.first % 2) shell.is_oriented = false;
    }
  }
}

// Turns triangles of one closed shell until neighbours run along their edge in opposite directions: the smaller side of the
// disagreement. `neighbour`: per half-edge the other one of the shell at an edge that has two of them. Nothing is turned on a surface with one side only.
void orient_shell(const std::vector<int>& neighbour, TriangleMesh& mesh, std::vector<char>& side,
                  MeshShell& shell) {
  std::vector<int> turned;
  for (const int seed : shell.triangles) {
    if (side[seed] != 0) continue;
    std::vector<int> patch{seed};
    side[seed] = 1;  // as it is; 2: turned
    for (std::size_t i = 0; i < patch.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const int h = 3 * patch[i] + k, other = neighbour[h];
        if (other < 0) continue;
        const bool agrees = start_of(mesh, h) != start_of(mesh, other);
        const char wanted = agrees ? side[patch[i]] : static_cast<char>(3 - side[patch[i]]);
        if (side[other / 3] == 0) {
          side[other / 3] = wanted;
          patch.push_back(other / 3);
        } else if (side[other / 3] != wanted) {
          return;
        }
      }
    const auto against = std::count_if(patch.begin(), patch.end(), [&](int t) { return side[t] == 2; });
    const char flip = 2 * against <= std::ssize(patch) ? 2 : 1;
    for (const int t : patch)
      if (side[t] == flip) turned.push_back(t);
  }
  for (const int t : turned) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  shell.turned = static_cast<int>(turned.size());
  shell.is_oriented = true;
}

void orient_closed_shells(const std::vector<char>& use, MeshShells& result) {
  const auto needs = [](const MeshShell& shell) { return shell.is_closed && !shell.is_oriented; };
  if (std::none_of(result.shells.begin(), result.shells.end(), needs)) return;
  const EdgeTable table = build_edge_table(result.welded, use);
  std::vector<int> neighbour(3 * result.welded.triangles.size(), -1);
  std::vector<char> is_plain(result.shells.size(), 1);  // two triangles of the shell at each of its edges
  for (const EdgeTable::Edge& edge : table.edges) {
    std::map<int, std::vector<int>> along;  // per shell
    for (const int h : table.along(edge)) along[result.shell_of[h / 3]].push_back(h);
    for (const auto& [s, halves] : along) {
      if (halves.size() != 2) {
        is_plain[s] = 0;
        continue;
      }
      neighbour[halves[0]] = halves[1];
      neighbour[halves[1]] = halves[0];
    }
  }
  std::vector<char> side(result.welded.triangles.size(), 0);
  for (std::size_t s = 0; s < result.shells.size(); ++s)
    if (needs(result.shells[s]) && is_plain[s])
      orient_shell(neighbour, result.welded, side, result.shells[s]);
}

void measure_shell(const TriangleMesh& mesh, MeshShell& shell) {
  // Relative to the shell's own place, so that a crumb far away keeps its sign.
  const Vector3d& reference = mesh.vertices[mesh.triangles[shell.triangles.front()][0]];
  Vector3d sum = Vector3d::Zero();
  double volume = 0.0, reach = 0.0;
  for (const int t : shell.triangles) {
    const Eigen::Vector3i& v = mesh.triangles[t];
    const Vector3d &a = mesh.vertices[v[0]], n = (mesh.vertices[v[1]] - a).cross(mesh.vertices[v[2]] - a);
    volume += (a - reference).dot(n) / 6.0;
    sum += 0.5 * n;
    shell.area += 0.5 * n.norm();
    reach = std::max(reach, (a - reference).norm());
  }
  shell.closure = shell.area > 0.0 ? sum.norm() / shell.area : 1.0;
  if (!shell.is_closed || !shell.is_oriented) return;
  shell.volume = volume;
  shell.is_flat = std::abs(volume) <= 1e-12 * shell.area * reach;
}

class Nesting {
 public:
  explicit Nesting(MeshShells& shells) : shells_(shells), boxes_(shells.shells.size()) {
    for (std::size_t s = 0; s < boxes_.size(); ++s) {
      std::vector<Vector3d> corners;
      for (const int t : shells.shells[s].triangles)
        for (const int v : shells.welded.triangles[t]) corners.push_back(shells.welded.vertices[v]);
      boxes_[s] = bounding_box(corners);
    }
  }

  void find() {
    for (std::size_t s = 0; s < boxes_.size(); ++s) {
      if (!is_solid(s)) continue;
      for (std::size_t around = 0; around < boxes_.size(); ++around)
        if (around != s && is_solid(around) && contains(boxes_[around], boxes_[s]) && is_inside(s, around))
          shells_.shells[s].inside_of.push_back(static_cast<int>(around));
    }
    // Outermost first, so that a cavity can ask its containers.
    std::vector<int> by_depth(boxes_.size());
    for (std::size_t s = 0; s < by_depth.size(); ++s) by_depth[s] = static_cast<int>(s);
    std::stable_sort(by_depth.begin(), by_depth.end(), [&](int a, int b) {
      return shells_.shells[a].inside_of.size() < shells_.shells[b].inside_of.size();
    });
    // How often the place of a shell is material already: shells around it that face outwards, less those that face inwards, as they are
    // once the inside-out ones are turned.
    std::vector<int> sense(boxes_.size(), 0);
    for (const int s : by_depth) {
      MeshShell& shell = shells_.shells[s];
      if (!is_solid(s)) continue;
      int level = 0;
      for (const int around : shell.inside_of) level += sense[around];
      const bool all_inverted = !shell.inside_of.empty() &&
                                std::all_of(shell.inside_of.begin(), shell.inside_of.end(),
                                            [&](int other) { return shells_.shells[other].is_inside_out; });
      if (shell.volume < 0.0) {
        shell.is_inside_out = level <= 0;
      } else if (level > 0) {
        (all_inverted ? shell.is_inside_out : shell.is_nested_outward) = true;
      }
      sense[s] = (shell.volume > 0.0) != shell.is_inside_out ? 1 : -1;
    }
  }

 private:
  bool is_solid(std::size_t s) const {
    const MeshShell& shell = shells_.shells[s];
    return shell.is_closed && shell.is_oriented && !shell.is_flat;
  }
  static bool contains(const Aabb& outer, const Aabb& inner) {
    return (outer.lower.array() <= inner.lower.array()).all() &&
           (outer.upper.array() >= inner.upper.array()).all();
  }
  bool is_inside(std::size_t s, std::size_t around) {
    const auto [at, is_new] = trees_.try_emplace(around);
    if (is_new)
      at->second = std::make_unique<TriangleTree>(submesh(shells_.welded, shells_.shells[around].triangles));
    const std::vector<int>& triangles = shells_.shells[s].triangles;
    // Single points may lie on the other's surface, where parts touch.
    constexpr std::size_t kVotes = 9;
    int inside = 0;
    for (std::size_t k = 0; k < kVotes; ++k) {
      const Eigen::Vector3i& v =
          shells_.welded.triangles[triangles[k * (triangles.size() - 1) / (kVotes - 1)]];
      const Vector3d p =
          (shells_.welded.vertices[v[0]] + shells_.welded.vertices[v[1]] + shells_.welded.vertices[v[2]]) /
          3.0;
      inside += std::abs(at->second->winding_number(p)) > 0.5;
    }
    return 3 * inside > 2 * static_cast<int>(kVotes);
  }

  MeshShells& shells_;
  std::vector<Aabb> boxes_;
  std::map<std::size_t, std::unique_ptr<TriangleTree>> trees_;
};

}  // namespace

MeshShells find_shells(const TriangleMesh& mesh) {
  WeldResult weld = weld_vertices(mesh);
  const MeshTopology topology = analyse_topology(weld.mesh, weld.tolerance);
  MeshShells result;
  result.welded = std::move(weld.mesh);
  std::vector<char> use = surface_triangles(topology);
  result.repeat_of.assign(use.size(), -1);
  const auto is_duplicate = [](TriangleKind kind) {
    return kind == TriangleKind::duplicate || kind == TriangleKind::cancelled;
  };
  if (std::any_of(topology.kind.begin(), topology.kind.end(), is_duplicate))
    find_repeats(result.welded, use, result.repeat_of);
  collect_shells(use, result);
  orient_closed_shells(use, result);
  for (MeshShell& shell : result.shells) measure_shell(result.welded, shell);
  if (result.shells.size() > 1) {
    Nesting(result).find();
  } else if (!result.shells.empty()) {
    MeshShell& shell = result.shells.front();
    shell.is_inside_out = shell.is_closed && shell.is_oriented && !shell.is_flat && shell.volume < 0.0;
  }
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
