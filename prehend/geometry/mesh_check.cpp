#include <algorithm>
#include <stdexcept>

#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/surface/mesh_topology.h>
#include <prehend/geometry/surface/self_intersection.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {
namespace {

std::string counted(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void count_triangles(const MeshTopology& topology, MeshReport& report, std::array<int, 7>& first) {
  first.fill(-1);
  for (std::size_t t = 0; t < topology.kind.size(); ++t) {
    const TriangleKind kind = topology.kind[t];
    int& first_of_kind = first[static_cast<std::size_t>(kind)];
    if (first_of_kind < 0) first_of_kind = static_cast<int>(t);
    switch (kind) {
      case TriangleKind::good:
        break;
      case TriangleKind::bad_index:
        ++report.bad_index_triangles;
        break;
      case TriangleKind::not_finite:
        ++report.nonfinite_triangles;
        break;
      case TriangleKind::flat:
      case TriangleKind::repeated_corner:
        ++report.degenerate_triangles;
        break;
      case TriangleKind::duplicate:
      case TriangleKind::cancelled:
        ++report.duplicate_triangles;
        break;
    }
  }
}

void count_edges(const TriangleMesh& mesh, const MeshTopology& topology, MeshReport& report) {
  report.is_closed = report.is_oriented = !topology.edges.edges.empty();
  for (const EdgeTable::Edge& edge : topology.edges.edges) {
    int balance = 0;
    for (int h : topology.edges.along(edge)) balance += start_of(mesh, h) == edge.low ? 1 : -1;
    if (edge.count == 1) ++report.boundary_edges;
    if (edge.count == 2 && balance != 0) ++report.inconsistent_edges;
    if (edge.count > 2) ++report.nonmanifold_edges;
    if (edge.count % 2 != 0) report.is_closed = false;
    if (edge.count > 1 && std::abs(balance) > edge.count % 2) report.is_oriented = false;
  }
}

// Corners around a vertex that are joined through edges form a fan; a surface has one fan per vertex.
int count_nonmanifold_vertices(const TriangleMesh& mesh, const MeshTopology& topology) {
  DisjointSets fans(static_cast<int>(3 * mesh.triangles.size()));
  const auto corner_at = [&](int half_edge, int vertex) {
    return start_of(mesh, half_edge) == vertex ? half_edge : half_edge - half_edge % 3 + (half_edge + 1) % 3;
  };
  for (const EdgeTable::Edge& edge : topology.edges.edges) {
    const auto half_edges = topology.edges.along(edge);
    for (std::size_t i = 1; i < half_edges.size(); ++i) {
      fans.unite(corner_at(half_edges[0], edge.low), corner_at(half_edges[i], edge.low));
      fans.unite(corner_at(half_edges[0], edge.high), corner_at(half_edges[i], edge.high));
    }
  }
  std::vector<int> fan_count(mesh.vertices.size(), 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (!topology.in_surface[t]) continue;
    for (int k = 0; k < 3; ++k) {
      const int corner = static_cast<int>(3 * t) + k;
      if (fans.find(corner) == corner) ++fan_count[mesh.triangles[t][k]];
    }
  }
  return static_cast<int>(std::count_if(fan_count.begin(), fan_count.end(), [](int n) { return n > 1; }));
}

void count_vertices(const WeldResult& welded, MeshReport& report) {
  std::vector<char> used(welded.mesh.vertices.size(), 0);
  for (const Eigen::Vector3i& t : welded.mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      if (static_cast<unsigned>(t[k]) < used.size()) used[t[k]] = 1;
    }
  }
  report.vertices = static_cast<int>(used.size());
  report.merged_vertices = welded.merged_vertices;
  report.unused_vertices = static_cast<int>(std::count(used.begin(), used.end(), 0));
  for (const Eigen::Vector3d& v : welded.mesh.vertices) report.nonfinite_vertices += v.allFinite() ? 0 : 1;
}

void describe(const std::array<int, 7>& first, MeshReport& report) {
  const auto say = [&](std::int64_t count, const char* one, const char* many, const std::string& rest) {
    if (count > 0) report.problems.push_back(counted(count, one, many) + rest);
  };
  const auto where = [&](TriangleKind a, TriangleKind b) {
    const int i = first[static_cast<std::size_t>(a)], j = first[static_cast<std::size_t>(b)];
    return " (first: triangle " + std::to_string(i < 0 ? j : j < 0 ? i : std::min(i, j)) + ")";
  };
  if (report.triangles == 0) report.problems.push_back("the mesh has no triangles");
  say(report.nonfinite_vertices, "vertex is", "vertices are", " infinite or not a number");
  say(report.bad_index_triangles, "triangle refers", "triangles refer",
      " to vertices that do not exist" + where(TriangleKind::bad_index, TriangleKind::bad_index));
  say(report.degenerate_triangles, "triangle has", "triangles have",
      " no area" + where(TriangleKind::flat, TriangleKind::repeated_corner));
  say(report.duplicate_triangles, "triangle repeats", "triangles repeat",
      " another" + where(TriangleKind::duplicate, TriangleKind::cancelled));
  say(report.boundary_edges, "edge belongs", "edges belong", " to one triangle only: the mesh is open");
  say(report.nonmanifold_edges, "edge joins", "edges join", " more than two triangles");
  say(report.nonmanifold_vertices, "vertex joins", "vertices join", " surfaces that share no edge there");
  say(report.inconsistent_edges, "edge lies", "edges lie", " between triangles that face opposite ways");
  say(report.inside_out_shells, "shell is", "shells are", " inside out");
  say(report.nested_outward_shells, "shell lies", "shells lie",
      " inside another and faces outwards like it: the volume counts twice");
  say(report.flat_shells, "shell is", "shells are", " closed but without volume");
  if (report.self_intersections > 0) {
    const auto& pair = report.first_self_intersections.front();
    report.problems.push_back(
        (report.self_intersections_complete ? "" : "at least ") +
        counted(report.self_intersections, "pair of triangles intersects", "pairs of triangles intersect") +
        " (first: " + std::to_string(pair[0]) + " and " + std::to_string(pair[1]) + ")");
  } else if (report.self_intersections_searched && !report.self_intersections_complete) {
    report.problems.push_back(
        "the search for self-intersections was given up: too many triangles lie close together");
  }
}

}  // namespace

MeshReport check_mesh(const TriangleMesh& mesh, const MeshCheckOptions& options) {
  math::OptionCheck("MeshCheckOptions").at_least("max_self_intersections", options.max_self_intersections, 1);
  const WeldResult welded = weld_vertices(mesh, {.relative_tolerance = options.weld_tolerance});
  MeshReport report;
  report.triangles = static_cast<int>(mesh.triangles.size());
  count_vertices(welded, report);
  const MeshTopology topology = analyse_topology(welded.mesh, welded.tolerance);
  std::array<int, 7> first;
  count_triangles(topology, report, first);
  count_edges(welded.mesh, topology, report);
  report.nonmanifold_vertices = count_nonmanifold_vertices(welded.mesh, topology);

  // The hierarchy serves the nesting of shells and the self-intersections.
  const TriangleBvh bvh = build_triangle_bvh(welded.mesh, topology.in_surface);
  const Shells shells = analyse_shells(welded.mesh, topology, bvh);
  report.components = static_cast<int>(shells.shells.size());
  for (const Shell& shell : shells.shells) {
    report.inside_out_shells += shell.is_inside_out;
    report.nested_outward_shells += shell.is_nested_outward;
    report.flat_shells += shell.is_flat;
  }
  if (options.find_self_intersections) {
    const SelfIntersections found =
        find_self_intersections(welded.mesh, bvh, {.max_pairs = options.max_self_intersections});
    report.self_intersections_searched = true;
    report.self_intersections_complete = found.is_complete;
    report.self_intersections = static_cast<std::int64_t>(found.pairs.size());
    report.first_self_intersections.assign(
        found.pairs.begin(), found.pairs.begin() + std::min<std::size_t>(10, found.pairs.size()));
  }
  describe(first, report);
  if (!topology.edges.edges.empty()) {
    report.status = report.problems.empty() ? MeshStatus::solid : MeshStatus::defective;
  }
  return report;
}

const char* to_string(MeshStatus status) { return enum_text(status); }

std::string MeshReport::brief_report() const {
  std::string text =
      counted(vertices, "vertex", "vertices") + ", " + counted(triangles, "triangle", "triangles") + ", " +
      counted(components, "component", "components") + ", " + (is_closed ? "closed" : "not closed");
  for (const std::string& problem : problems) text += "; " + problem;
  return text;
}

}  // namespace prehend::geometry
