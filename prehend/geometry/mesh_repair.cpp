#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_repair.h>
#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/surface/hole_filling.h>
#include <prehend/geometry/surface/mesh_topology.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3i;

std::string counted(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

class Repair {
 public:
  Repair(MeshRepair& result, double tolerance)
      : mesh_(result.mesh), actions_(result.actions), tolerance_(tolerance) {}

  void drop_unusable() {
    const MeshTopology topology = analyse_topology(mesh_, tolerance_);
    int bad = 0, degenerate = 0, duplicate = 0, cancelled = 0;
    for (TriangleKind kind : topology.kind) {
      bad += kind == TriangleKind::bad_index || kind == TriangleKind::not_finite;
      degenerate += kind == TriangleKind::repeated_corner;
      duplicate += kind == TriangleKind::duplicate;
      cancelled += kind == TriangleKind::cancelled;
    }
    keep(topology.in_surface);
    say(bad, "dropped ", "triangle", "triangles", " with a vertex that does not exist or is not finite");
    say(degenerate, "dropped ", "triangle", "triangles", " with fewer than three different corners");
    say(duplicate, "dropped ", "repeated triangle", "repeated triangles", "");
    say(cancelled, "dropped ", "triangle", "triangles",
        " that lay back to back with another on the same corners");
  }

  // Neighbours across an edge of two triangles must run along it in opposite directions. In each patch
  // connected through such edges, the smaller side is turned.
  void orient() {
    const MeshTopology topology = analyse_topology(mesh_, tolerance_);
    const int count = static_cast<int>(mesh_.triangles.size());
    std::vector<int> neighbour(3 * count, -1);
    for (const EdgeTable::Edge& edge : topology.edges.edges) {
      if (edge.count != 2) continue;
      const auto h = topology.edges.along(edge);
      neighbour[h[0]] = h[1];
      neighbour[h[1]] = h[0];
    }
    std::vector<char> side(count, 0);  // 0 unseen, 1 as it is, 2 turned
    std::vector<int> patch;
    int turned = 0, one_sided = 0;
    for (int seed = 0; seed < count; ++seed) {
      if (side[seed] != 0) continue;
      patch.assign(1, seed);
      side[seed] = 1;
      bool is_orientable = true;
      for (std::size_t i = 0; i < patch.size(); ++i) {
        const int t = patch[i];
        for (int k = 0; k < 3; ++k) {
          const int h = 3 * t + k, other = neighbour[h];
          if (other < 0) continue;
          const bool agree = start_of(mesh_, h) != start_of(mesh_, other);
          const char wanted = agree ? side[t] : static_cast<char>(3 - side[t]);
          if (side[other / 3] == 0) {
            side[other / 3] = wanted;
            patch.push_back(other / 3);
          } else if (side[other / 3] != wanted) {
            is_orientable = false;
          }
        }
      }
      if (!is_orientable) {
        ++one_sided;
        continue;
      }
      const auto against = std::count_if(patch.begin(), patch.end(), [&](int t) { return side[t] == 2; });
      const char flip = 2 * against <= static_cast<long>(patch.size()) ? 2 : 1;
      for (int t : patch) {
        if (side[t] != flip) continue;
        std::swap(mesh_.triangles[t][1], mesh_.triangles[t][2]);
        ++turned;
      }
    }
    say(turned, "turned ", "triangle", "triangles", " to face the same way as the neighbours");
    say(one_sided, "left ", "surface with one side only as it is", "surfaces with one side only as they are",
        "");
  }

  // A flat triangle (a, b, m) with m on the side ab and its neighbour (b, a, d) become (b, m, d) and (m, a,
  // d).
  void resolve_flat() {
    int swapped = 0, dropped = 0;
    for (int pass = 0; pass < 50; ++pass) {
      math::check_interrupt();
      const MeshTopology topology = analyse_topology(mesh_, tolerance_);
      std::vector<char> kept(mesh_.triangles.size(), 1), touched(mesh_.triangles.size(), 0);
      int changes = 0;
      const auto edge_of = [&](int u, int v) -> const EdgeTable::Edge* {
        const auto& edges = topology.edges.edges;
        const std::pair<int, int> key = std::minmax(u, v);
        const auto at = std::lower_bound(edges.begin(), edges.end(), key,
                                         [](const EdgeTable::Edge& e, const auto& wanted) {
                                           return std::make_pair(e.low, e.high) < wanted;
                                         });
        return at != edges.end() && at->low == key.first && at->high == key.second ? &*at : nullptr;
      };
      std::unordered_set<std::uint64_t> added;
      for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        if (topology.kind[t] != TriangleKind::flat || touched[t]) continue;
        const Vector3i v = mesh_.triangles[t];
        int longest = 0;
        double best = -1.0;
        for (int k = 0; k < 3; ++k) {
          const double length = (mesh_.vertices[v[(k + 1) % 3]] - mesh_.vertices[v[k]]).squaredNorm();
          if (length > best) {
            best = length;
            longest = k;
          }
        }
        const int a = v[longest], b = v[(longest + 1) % 3], m = v[(longest + 2) % 3];
        const EdgeTable::Edge& edge = *edge_of(a, b);
        if (edge.count == 1) {
          kept[t] = 0;
          touched[t] = 1;
          ++dropped;
          ++changes;
          continue;
        }
        if (edge.count != 2) continue;
        const auto along = topology.edges.along(edge);
        const int other_half = along[0] / 3 == static_cast<int>(t) ? along[1] : along[0];
        const int other = other_half / 3, d = opposite_of(mesh_, other_half);
        if (touched[other] || start_of(mesh_, other_half) != b || d == m) continue;
        const auto [low, high] = std::minmax(m, d);
        const std::uint64_t key = static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high);
        if (edge_of(m, d) != nullptr || !added.insert(key).second) continue;
        mesh_.triangles[t] = {b, m, d};
        mesh_.triangles[other] = {m, a, d};
        touched[t] = touched[other] = 1;
        ++swapped;
        ++changes;
      }
      if (changes == 0) break;
      keep(kept);
    }
    say(swapped, "resolved ", "triangle", "triangles", " without area by swapping the longest edge");
    say(dropped, "dropped ", "triangle", "triangles", " without area at a free edge");
  }

  void turn_inside_out_shells() {
    const MeshTopology topology = analyse_topology(mesh_, tolerance_);
    const Shells shells = analyse_shells(mesh_, topology, build_triangle_bvh(mesh_, topology.in_surface));
    int turned = 0;
    for (const Shell& shell : shells.shells) turned += shell.is_inside_out;
    if (turned == 0) return;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const int shell = shells.shell_of[t];
      if (shell >= 0 && shells.shells[shell].is_inside_out)
        std::swap(mesh_.triangles[t][1], mesh_.triangles[t][2]);
    }
    say(turned, "turned ", "shell that was inside out", "shells that were inside out", "");
  }

  void fill(int max_edges) {
    if (max_edges == 0) return;
    const HoleFilling filling = fill_holes(mesh_, max_edges);
    if (filling.filled_holes == 0) return;
    actions_.push_back("filled " + counted(filling.filled_holes, "hole", "holes") + " with " +
                       counted(filling.added_triangles, "triangle", "triangles") + " of together " +
                       math::number_text(filling.added_area) + " m^2");
  }

  void drop_unused_vertices() {
    std::vector<int> index(mesh_.vertices.size(), -1);
    for (const Vector3i& t : mesh_.triangles) {
      for (int k = 0; k < 3; ++k) index[t[k]] = 0;
    }
    std::vector<Eigen::Vector3d> used;
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (index[i] < 0) continue;
      index[i] = static_cast<int>(used.size());
      used.push_back(mesh_.vertices[i]);
    }
    say(static_cast<int>(mesh_.vertices.size() - used.size()), "dropped ", "vertex", "vertices",
        " that no triangle uses");
    mesh_.vertices = std::move(used);
    for (Vector3i& t : mesh_.triangles) t = {index[t[0]], index[t[1]], index[t[2]]};
  }

 private:
  void keep(const std::vector<char>& kept) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      if (kept[t]) mesh_.triangles[count++] = mesh_.triangles[t];
    }
    mesh_.triangles.resize(count);
  }

  void say(int count, const char* verb, const char* one, const char* many, const char* rest) {
    if (count > 0) actions_.push_back(verb + counted(count, one, many) + rest);
  }

  TriangleMesh& mesh_;
  std::vector<std::string>& actions_;
  double tolerance_;
};

std::optional<double> enclosed_volume(const TriangleMesh& mesh) {
  const MassProperties properties = mass_properties(mesh);
  switch (properties.status) {
    case MassStatus::ok:
    case MassStatus::inside_out:
    case MassStatus::flat:
      return properties.volume;
    default:
      return std::nullopt;
  }
}

}  // namespace

MeshRepair repair_mesh(const TriangleMesh& mesh, const MeshRepairOptions& options) {
  math::OptionCheck("MeshRepairOptions").between("max_hole_edges", options.max_hole_edges, 0, 100);
  MeshRepair result;
  result.volume_before = enclosed_volume(mesh);
  WeldResult welded = weld_vertices(mesh, {.relative_tolerance = options.weld_tolerance});
  result.mesh = std::move(welded.mesh);
  if (welded.merged_vertices > 0) {
    std::string action = "merged " + counted(welded.merged_vertices, "vertex", "vertices") +
                         " with an earlier one in the same place";
    if (welded.merged_within_tolerance > 0) {
      action += " (" + std::to_string(welded.merged_within_tolerance) + " of them not exactly, but within " +
                math::number_text(welded.tolerance) + " m)";
    }
    result.actions.push_back(action);
  }
  Repair repair(result, welded.tolerance);
  repair.drop_unusable();
  repair.orient();
  repair.resolve_flat();
  repair.fill(options.max_hole_edges);
  repair.turn_inside_out_shells();
  repair.drop_unused_vertices();

  result.volume_after = enclosed_volume(result.mesh);
  if (result.volume_before && result.volume_after) {
    const double before = *result.volume_before, after = *result.volume_after;
    if (std::abs(after - before) > 1e-9 * std::max(std::abs(after), std::abs(before))) {
      result.actions.push_back("the enclosed volume changed from " + math::number_text(before) + " to " +
                               math::number_text(after) + " m^3");
    }
  } else if (result.volume_after) {
    result.actions.push_back("the mesh, not closed and oriented before, now encloses " +
                             math::number_text(*result.volume_after) + " m^3");
  } else if (result.volume_before) {
    result.actions.push_back("the mesh, which enclosed " + math::number_text(*result.volume_before) +
                             " m^3 before, is open now");
  }
  result.report = check_mesh(result.mesh, {.weld_tolerance = options.weld_tolerance,
                                           .find_self_intersections = options.find_self_intersections});
  result.status = result.report.status;
  return result;
}

std::string MeshRepair::brief_report() const {
  if (actions.empty()) return "nothing to mend; " + report.brief_report();
  std::string text;
  for (const std::string& action : actions) text += action + "; ";
  return text + "now " + report.brief_report();
}

}  // namespace prehend::geometry
