#include <algorithm>
#include <queue>
#include <tuple>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/tetrahedra.h>
#include <prehend/geometry/tetrahedra/tet_refinement.h>
#include <prehend/math/interrupt.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// Cells below this mean ratio (1 for the regular tetrahedron) are worth work; a cube's corner has 0.84, a
// sliver 0.1.
constexpr double kPoor = 0.35;
// A change must be worth its while, and this keeps equal alternatives from being swapped for ever.
constexpr double kGain = 1e-6;

double shape(const TetComplex& complex, int a, int b, int c, int d) {
  const auto& x = complex.points;
  return mean_ratio(x[a], x[b], x[c], x[d]);
}

double shape(const TetComplex& complex, int cell) {
  const auto& v = complex.cells[cell].vertex;
  return shape(complex, v[0], v[1], v[2], v[3]);
}

bool is_inside(const TetComplex& complex, int cell) {
  return complex.is_alive(cell) && complex.cells[cell].region == kInsideRegion;
}

bool improve_edge(TetComplex& complex, const SurfaceConstraints& constraints, double max_edge, int u, int v,
                  int cell) {
  if (constraints.has_edge(u, v)) return false;
  const EdgeRing ring = complex.ring(u, v, cell);
  double worst = 1.0;
  for (std::size_t i = 0; i < ring.cells.size(); ++i) {
    if (!is_inside(complex, ring.cells[i]) || constraints.has_face(u, v, ring.link[i])) return false;
    worst = std::min(worst, shape(complex, ring.cells[i]));
  }
  RingObjective objective;
  objective.additive = false;
  objective.below = -worst - kGain;
  const auto too_long = [&](int p, int q) {
    return (complex.points[p] - complex.points[q]).norm() > max_edge;
  };
  objective.diagonal = [&](int p, int q) { return too_long(p, q) ? 0.0 : -1.0; };
  objective.triangle = [&](int p, int q, int r) {
    return -std::min(shape(complex, p, q, r, v), shape(complex, p, r, q, u));
  };
  return complex.remove_edge(u, v, ring, objective);
}

bool improve_face(TetComplex& complex, const SurfaceConstraints& constraints, double max_edge, int code) {
  const int other = complex.across(code);
  const auto f = complex.face(code);
  if (!is_inside(complex, other / 4) || constraints.has_face(f[0], f[1], f[2])) return false;
  if ((complex.points[complex.apex(code)] - complex.points[complex.apex(other)]).norm() > max_edge)
    return false;
  const double worst = std::min(shape(complex, code / 4), shape(complex, other / 4));
  for (int i = 0; i < 3; ++i) {
    if (shape(complex, f[i], f[(i + 1) % 3], complex.apex(other), complex.apex(code)) < worst + kGain)
      return false;
  }
  return complex.flip_face(code);
}

bool improve_cell(TetComplex& complex, const SurfaceConstraints& constraints, double max_edge, int cell) {
  const auto v = complex.cells[cell].vertex;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      if (improve_edge(complex, constraints, max_edge, v[i], v[j], cell)) return true;
    }
  }
  for (int i = 0; i < 4; ++i) {
    if (improve_face(complex, constraints, max_edge, 4 * cell + i)) return true;
  }
  return false;
}

bool smooth(TetComplex& complex, double max_edge, int vertex) {
  const std::vector<int> star = complex.star(vertex);
  const auto worst_shape = [&] {
    double worst = 1.0;
    for (int cell : star) {
      worst = std::min(worst, shape(complex, cell));
      for (int v : complex.cells[cell].vertex) {
        if ((complex.points[v] - complex.points[vertex]).norm() > max_edge) worst = -1.0;
      }
    }
    return worst;
  };
  const double before = worst_shape();
  if (before > kPoor) return false;
  Vector3d sum = Vector3d::Zero();
  for (int cell : star) {
    for (int v : complex.cells[cell].vertex) sum += complex.points[v];
  }
  const Vector3d from = complex.points[vertex];
  // Every cell counts the vertex itself once; the mean of the other three corners of all cells:
  const Vector3d target =
      (sum - static_cast<double>(star.size()) * from) / (3.0 * static_cast<double>(star.size()));
  for (double step : {1.0, 0.5, 0.25}) {
    if (!complex.move_vertex(vertex, from + step * (target - from))) continue;
    if (worst_shape() > before + kGain) return true;
    complex.move_vertex(vertex, from);
  }
  return false;
}

}  // namespace

bool split_long_edges(TetComplex& complex, SurfaceConstraints& constraints, double max_edge, int max_points) {
  // Length, ends, and a cell that had the edge when it was queued: it usually still has.
  using Entry = std::tuple<double, int, int, int>;
  std::vector<Entry> first;
  std::priority_queue<Entry> queue;
  const auto length = [&](int u, int v) { return (complex.points[u] - complex.points[v]).norm(); };
  for (std::size_t c = 0; c < complex.cells.size(); ++c) {
    if (!is_inside(complex, static_cast<int>(c))) continue;
    const auto& v = complex.cells[c].vertex;
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        if (length(v[i], v[j]) <= max_edge) continue;
        first.emplace_back(length(v[i], v[j]), std::min(v[i], v[j]), std::max(v[i], v[j]),
                           static_cast<int>(c));
      }
    }
  }
  std::sort(first.begin(), first.end());
  const auto same_edge = [](const Entry& a, const Entry& b) {
    return std::get<1>(a) == std::get<1>(b) && std::get<2>(a) == std::get<2>(b);
  };
  first.erase(std::unique(first.begin(), first.end(), same_edge), first.end());
  for (const Entry& entry : first) queue.push(entry);

  while (!queue.empty()) {
    math::check_interrupt();
    const auto [queued_length, u, v, hint] = queue.top();
    queue.pop();
    const bool still_there =
        complex.is_alive(hint) && complex.local_index(hint, u) >= 0 && complex.local_index(hint, v) >= 0;
    const int cell = still_there ? hint : complex.find_edge(u, v);
    if (cell < 0) continue;
    if (static_cast<int>(complex.points.size()) >=
        std::min(max_points, SurfaceConstraints::kMostVertices - 1)) {
      return false;
    }
    const EdgeRing ring = complex.ring(u, v, cell);
    std::vector<int> inside_links;
    const std::size_t n = ring.link.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (is_inside(complex, ring.cells[i]) || is_inside(complex, ring.cells[(i + n - 1) % n])) {
        inside_links.push_back(ring.link[i]);
      }
    }
    const int s = complex.add_point(0.5 * (complex.points[u] + complex.points[v]));
    if (!complex.split_edge(u, v, s, cell)) {
      complex.points.pop_back();
      continue;
    }
    if (constraints.has_edge(u, v)) constraints.split_edge(u, v, s);
    inside_links.push_back(u);
    inside_links.push_back(v);
    for (int p : inside_links) {
      if (length(p, s) > max_edge)
        queue.emplace(length(p, s), std::min(p, s), std::max(p, s), complex.some_cell_of(s));
    }
  }
  return true;
}

int improve_cells(TetComplex& complex, const SurfaceConstraints& constraints, double max_edge) {
  int changes = 0;
  std::vector<bool> on_surface(complex.points.size(), false);
  for (const SurfaceFacet& facet : constraints.facets) {
    if (!facet.alive) continue;
    for (int v : facet.vertex) on_surface[v] = true;
  }
  const std::size_t count = complex.cells.size();
  for (std::size_t c = 0; c < count; ++c) {
    math::check_interrupt();
    const int cell = static_cast<int>(c);
    if (!is_inside(complex, cell) || shape(complex, cell) > kPoor) continue;
    changes += improve_cell(complex, constraints, max_edge, cell);
  }
  std::vector<bool> is_used(complex.points.size(), false);
  for (std::size_t c = 0; c < complex.cells.size(); ++c) {
    if (!is_inside(complex, static_cast<int>(c))) continue;
    for (int v : complex.cells[c].vertex) is_used[v] = true;
  }
  for (std::size_t v = 0; v < complex.points.size(); ++v) {
    math::check_interrupt();
    if (is_used[v] && !on_surface[v]) changes += smooth(complex, max_edge, static_cast<int>(v));
  }
  return changes;
}

}  // namespace prehend::geometry
