#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/geometry/tetrahedra.h>
#include <prehend/geometry/tetrahedra/boundary_recovery.h>
#include <prehend/geometry/tetrahedra/delaunay3.h>
#include <prehend/geometry/tetrahedra/tet_refinement.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

// What the rounding of Steiner points and of planar faces may do to the volume, relative to it.
constexpr double kVolumeTolerance = 1e-9;

double enclosed_volume(const TriangleMesh& mesh, const Vector3d& about) {
  double volume = 0.0;
  for (const Vector3i& t : mesh.triangles) {
    const Vector3d a = mesh.vertices[t[0]] - about, b = mesh.vertices[t[1]] - about,
                   c = mesh.vertices[t[2]] - about;
    volume += a.cross(b).dot(c) / 6.0;
  }
  return volume;
}

void refuse(Tetrahedra& result, TetrahedraStatus status, std::string message) {
  result.status = status;
  result.message = std::move(message);
}

bool check_input(const TriangleMesh& mesh, Tetrahedra& result) {
  if (mesh.triangles.empty()) {
    refuse(result, TetrahedraStatus::empty, "the surface has no triangles");
    return false;
  }
  if (mesh.vertices.size() + 8 >= static_cast<std::size_t>(SurfaceConstraints::kMostVertices)) {
    refuse(result, TetrahedraStatus::point_limit,
           "the surface has " + std::to_string(mesh.vertices.size()) + " vertices; at most " +
               std::to_string(SurfaceConstraints::kMostVertices - 9) + " can be handled");
    return false;
  }
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if ((mesh.vertices[i].array().abs() <= 1e50).all()) continue;
    refuse(result, TetrahedraStatus::not_finite,
           "vertex " + std::to_string(i) + " has a coordinate that is not finite or beyond 1e50");
    return false;
  }
  const int count = static_cast<int>(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (mesh.triangles[t].minCoeff() >= 0 && mesh.triangles[t].maxCoeff() < count) continue;
    refuse(result, TetrahedraStatus::bad_index,
           "triangle " + std::to_string(t) + " refers to a vertex outside 0 to " + std::to_string(count - 1));
    return false;
  }
  return true;
}

// Every edge has to be passed as often one way as the other.
std::optional<std::array<int, 2>> unmatched_edge(const TriangleMesh& mesh,
                                                 const std::vector<int>& representative) {
  std::vector<std::array<int, 3>> passes;  // low, high, direction
  for (const Vector3i& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) {
      const int u = representative[t[i]], v = representative[t[(i + 1) % 3]];
      if (u != v) passes.push_back({std::min(u, v), std::max(u, v), u < v ? 1 : -1});
    }
  }
  std::sort(passes.begin(), passes.end());
  for (std::size_t i = 0; i < passes.size();) {
    int sum = 0;
    std::size_t j = i;
    for (; j < passes.size() && passes[j][0] == passes[i][0] && passes[j][1] == passes[i][1]; ++j)
      sum += passes[j][2];
    if (sum != 0) return std::array{passes[i][0], passes[i][1]};
    i = j;
  }
  return std::nullopt;
}

// Winding number of every live cell, counted from outside across the facets.
std::vector<int> winding_numbers(const TetComplex& complex, const SurfaceConstraints& constraints) {
  constexpr int kUnknown = std::numeric_limits<int>::min();
  std::vector<int> winding(complex.cells.size(), kUnknown);
  std::vector<int> queue;
  for (std::size_t c = 0; c < complex.cells.size() && queue.empty(); ++c) {
    if (complex.is_alive(static_cast<int>(c)) && complex.is_ghost(static_cast<int>(c)))
      queue.push_back(static_cast<int>(c));
  }
  winding[queue[0]] = 0;
  while (!queue.empty()) {
    const int cell = queue.back();
    queue.pop_back();
    for (int i = 0; i < 4; ++i) {
      const int next = complex.across(4 * cell + i) / 4;
      if (winding[next] != kUnknown) continue;
      const auto f = complex.face(4 * cell + i);
      const bool ghost = f[0] == kGhost || f[1] == kGhost || f[2] == kGhost;
      winding[next] = winding[cell] + (ghost ? 0 : constraints.winding_step(f[0], f[1], f[2]));
      queue.push_back(next);
    }
  }
  return winding;
}

// The box's corners stand well off, so that the surface's neighbourhood is not squeezed against them.
void add_box(TetComplex& complex) {
  const Aabb box = bounding_box(complex.points);
  const double margin = std::max((box.upper - box.lower).maxCoeff(), 1e-40);
  for (int corner = 0; corner < 8; ++corner) {
    Vector3d p;
    for (int k = 0; k < 3; ++k) p[k] = (corner >> k & 1) ? box.upper[k] + margin : box.lower[k] - margin;
    complex.points.push_back(p);
  }
}

bool check_winding(const TetComplex& complex, const std::vector<int>& winding, Tetrahedra& result) {
  int lowest = 0, highest = 0;
  for (std::size_t c = 0; c < complex.cells.size(); ++c) {
    if (!complex.is_alive(static_cast<int>(c))) continue;
    lowest = std::min(lowest, winding[c]);
    highest = std::max(highest, winding[c]);
  }
  if (lowest == 0 && highest == 1) return true;
  if (lowest == 0 && highest == 0) {
    refuse(result, TetrahedraStatus::degenerate, "the surface encloses no volume");
  } else if (lowest == -1 && highest == 0) {
    refuse(result, TetrahedraStatus::inside_out,
           "the surface is inside out: its triangles turn clockwise seen from outside");
  } else {
    refuse(result, TetrahedraStatus::not_solid,
           "the surface bounds no solid: its winding numbers run from " + std::to_string(lowest) + " to " +
               std::to_string(highest) +
               " instead of 0 to 1 (nested or overlapping components, or mixed orientation)");
  }
  return false;
}

// Keeps the input vertices' indices; box corners go, Steiner points move up.
void extract(const TetComplex& complex, const SurfaceConstraints& constraints, const TriangleMesh& surface,
             Tetrahedra& result) {
  const int inputs = static_cast<int>(surface.vertices.size());
  const int corners_end = inputs + 8;
  const auto renumber = [&](int v) { return v < inputs ? v : v - 8; };
  result.vertices = surface.vertices;
  result.origin.assign(inputs, TetVertexOrigin::input);
  for (int v = corners_end; v < static_cast<int>(complex.points.size()); ++v) {
    result.vertices.push_back(complex.points[v]);
    result.origin.push_back(TetVertexOrigin::interior_steiner);
  }
  std::vector<int> number(complex.cells.size(), -1);
  for (std::size_t c = 0; c < complex.cells.size(); ++c) {
    if (!complex.is_alive(static_cast<int>(c)) || complex.cells[c].region != kInsideRegion) continue;
    number[c] = static_cast<int>(result.tetrahedra.size());
    const auto& v = complex.cells[c].vertex;
    result.tetrahedra.emplace_back(renumber(v[0]), renumber(v[1]), renumber(v[2]), renumber(v[3]));
  }
  for (std::size_t c = 0; c < complex.cells.size(); ++c) {
    if (number[c] < 0) continue;
    Eigen::Vector4i neighbours;
    for (int i = 0; i < 4; ++i) {
      const int code = 4 * static_cast<int>(c) + i;
      neighbours[i] = number[complex.across(code) / 4];
      if (neighbours[i] >= 0) continue;
      const auto f = complex.face(code);
      int input_triangle = -1;
      for (int facet : constraints.facets_at(f[0], f[1])) {
        if (constraints.apex(facet, f[0], f[1]) == f[2])
          input_triangle = constraints.facets[facet].input_triangle;
      }
      result.surface.push_back({{renumber(f[0]), renumber(f[2]), renumber(f[1])}, number[c], input_triangle});
      for (int v : f) {
        if (v >= corners_end) result.origin[renumber(v)] = TetVertexOrigin::surface_steiner;
      }
    }
    result.neighbours.push_back(neighbours);
  }
  result.surface_steiner = static_cast<int>(
      std::count(result.origin.begin(), result.origin.end(), TetVertexOrigin::surface_steiner));
  result.interior_steiner = static_cast<int>(result.vertices.size()) - inputs - result.surface_steiner;
}

TetrahedraStatus from_recovery(RecoveryStatus status) {
  switch (status) {
    case RecoveryStatus::self_intersecting:
      return TetrahedraStatus::self_intersecting;
    case RecoveryStatus::steiner_limit:
      return TetrahedraStatus::steiner_limit;
    default:
      return TetrahedraStatus::failed;
  }
}

Tetrahedra attempt(const TriangleMesh& surface, const TetrahedraOptions& options,
                   const RecoveryLimits& limits) {
  Tetrahedra result;
  TetComplex complex;
  complex.points = surface.vertices;
  // Below this the exact predicates would underflow; nothing of the surface's size is that small.
  for (Vector3d& p : complex.points) p = (p.array().abs() < 1e-45).select(0.0, p);
  add_box(complex);
  std::vector<int> representative;
  if (!build_delaunay(complex, representative)) {
    refuse(result, TetrahedraStatus::degenerate, "the vertices span no volume");
    return result;
  }
  if (const auto edge = unmatched_edge(surface, representative)) {
    refuse(result, TetrahedraStatus::not_closed,
           "the surface is not closed or not consistently oriented: the edge between vertices " +
               std::to_string((*edge)[0]) + " and " + std::to_string((*edge)[1]) +
               " has no matching opposite edge");
    return result;
  }
  SurfaceConstraints constraints;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Vector3i& v = surface.triangles[t];
    constraints.add_facet({representative[v[0]], representative[v[1]], representative[v[2]]},
                          static_cast<int>(t));
  }
  const RecoveryResult recovery = recover_boundary(complex, constraints, limits);
  result.missing_edges = recovery.missing_edges;
  result.missing_triangles = recovery.missing_triangles;
  result.flips = recovery.flips;
  result.flatness = limits.flatness;
  if (recovery.status != RecoveryStatus::ok) {
    refuse(result, from_recovery(recovery.status), recovery.message);
    return result;
  }
  const std::vector<int> winding = winding_numbers(complex, constraints);
  if (!check_winding(complex, winding, result)) return result;
  for (std::size_t c = 0; c < winding.size(); ++c) {
    if (complex.is_alive(static_cast<int>(c))) complex.cells[c].region = winding[c] == 1 ? kInsideRegion : 0;
  }
  const auto improve = [&](double longest) {
    for (int pass = 0; pass < options.improvement_passes; ++pass) {
      if (improve_cells(complex, constraints, longest) == 0) break;
    }
  };
  bool within_limit = true;
  improve(std::numeric_limits<double>::infinity());
  if (options.max_edge > 0.0) {
    within_limit = split_long_edges(complex, constraints, options.max_edge, options.max_points);
    improve(options.max_edge);
  }
  if (!within_limit) {
    refuse(result, TetrahedraStatus::point_limit,
           "max_edge = " + std::to_string(options.max_edge) +
               " m needs more than max_points = " + std::to_string(options.max_points) + " vertices");
    return result;
  }

  extract(complex, constraints, surface, result);
  result.quality = tet_quality(result.vertices, result.tetrahedra);
  const Aabb box = bounding_box(surface.vertices);
  result.surface_volume = enclosed_volume(surface, 0.5 * (box.lower + box.upper));
  result.volume_error =
      std::abs(result.quality.total_volume - result.surface_volume) / std::abs(result.surface_volume);
  if (!(result.volume_error <= kVolumeTolerance)) {
    char text[160];
    std::snprintf(text, sizeof text, "the tetrahedra's volume differs from the surface's by %.3g of it",
                  result.volume_error);
    refuse(result, TetrahedraStatus::failed, text);
    return result;
  }
  result.status = TetrahedraStatus::ok;
  return result;
}

}  // namespace

Tetrahedra tetrahedralize(const TriangleMesh& surface, const TetrahedraOptions& options) {
  options.validate();
  Tetrahedra result;
  if (!check_input(surface, result)) return result;
  // Exactly coplanar triangles alone are treated as planar faces at first. A surface that then needs very
  // many Steiner points is one whose planar faces were rounded; only that is given more freedom.
  const double diagonal = bounding_box(surface.vertices).diagonal();
  const int count = static_cast<int>(surface.vertices.size());
  const int few = std::min(200 + count / 4, options.max_steiner),
            many = std::min(2000 + count, options.max_steiner);
  const std::array<RecoveryLimits, 4> ladder{RecoveryLimits{few, 0.0},
                                             RecoveryLimits{many, 0.1 * options.flatness * diagonal},
                                             RecoveryLimits{many, 0.3 * options.flatness * diagonal},
                                             RecoveryLimits{many, options.flatness * diagonal}};
  for (const RecoveryLimits& limits : ladder) {
    result = attempt(surface, options, limits);
    if (result.status != TetrahedraStatus::failed && result.status != TetrahedraStatus::steiner_limit) break;
  }
  return result;
}

}  // namespace prehend::geometry
