#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/surface/planar_faces.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {

using Edge = PlanarFaces::Edge;
using Eigen::Vector2d;
using Eigen::Vector3d;

Edge PlanarFaces::apexes(const Edge& edge) const {
  const std::vector<int>& pair = constraints_.facets_at(edge[0], edge[1]);
  return {constraints_.apex(pair[0], edge[0], edge[1]), constraints_.apex(pair[1], edge[0], edge[1])};
}

// The gap between the lines through the two diagonals is how far the surface moves when they are swapped.
bool PlanarFaces::is_flat(const Edge& edge, const Edge& other) const {
  const auto& x = complex_.points;
  if (orient3d(x[edge[0]], x[edge[1]], x[other[0]], x[other[1]]) == 0) return true;
  if (flatness_ == 0.0) return false;
  const Vector3d normal = (x[edge[1]] - x[edge[0]]).cross(x[other[1]] - x[other[0]]);
  return std::abs(normal.dot(x[other[0]] - x[edge[0]])) <= flatness_ * normal.norm();
}

// The coordinate axis that looks most squarely at the facets of the edge.
int PlanarFaces::viewing_axis(const Edge& edge) const {
  const auto& x = complex_.points;
  Vector3d largest = Vector3d::Zero();
  for (int facet : constraints_.facets_at(edge[0], edge[1])) {
    const auto& v = constraints_.facets[facet].vertex;
    const Vector3d normal = (x[v[1]] - x[v[0]]).cross(x[v[2]] - x[v[0]]);
    if (normal.squaredNorm() > largest.squaredNorm()) largest = normal;
  }
  int axis = 0;
  largest.cwiseAbs().maxCoeff(&axis);
  return axis;
}

int PlanarFaces::turn(int axis, int a, int b, int c) const {
  const auto flat = [&](int v) {
    return Vector2d(complex_.points[v][(axis + 1) % 3], complex_.points[v][(axis + 2) % 3]);
  };
  return orient2d(flat(a), flat(b), flat(c));
}

bool PlanarFaces::cross(int axis, const Edge& e, const Edge& f) const {
  return turn(axis, e[0], e[1], f[0]) * turn(axis, e[0], e[1], f[1]) < 0 &&
         turn(axis, f[0], f[1], e[0]) * turn(axis, f[0], f[1], e[1]) < 0;
}

bool PlanarFaces::is_feature(const Edge& edge) const {
  if (constraints_.facets_at(edge[0], edge[1]).size() != 2) return true;
  const Edge other = apexes(edge);
  if (other[0] == other[1] || !is_flat(edge, other)) return true;
  const int axis = viewing_axis(edge);
  return turn(axis, edge[0], edge[1], other[0]) * turn(axis, edge[0], edge[1], other[1]) >= 0;
}

std::optional<Edge> PlanarFaces::other_diagonal(const Edge& edge) const {
  if (is_feature(edge)) return std::nullopt;
  const Edge other = apexes(edge);
  if (constraints_.has_edge(other[0], other[1]) || !cross(viewing_axis(edge), edge, other))
    return std::nullopt;
  return other;
}

std::vector<Edge> PlanarFaces::make_delaunay(const std::vector<Edge>& edges) {
  const auto& x = complex_.points;
  const auto angle = [&](int apex, const Edge& edge) {
    const Vector3d u = x[edge[0]] - x[apex], v = x[edge[1]] - x[apex];
    return std::atan2(u.cross(v).norm(), u.dot(v));
  };
  std::vector<Edge> remaining = edges;
  // The sides of the facets at the given edges may have become swappable too.
  std::vector<Edge> queue = edges;
  for (const Edge& edge : edges) {
    for (int facet : constraints_.facets_at(edge[0], edge[1])) {
      const int w = constraints_.apex(facet, edge[0], edge[1]);
      queue.push_back({edge[0], w});
      queue.push_back({edge[1], w});
    }
  }
  while (!queue.empty()) {
    const Edge edge = queue.back();
    queue.pop_back();
    const auto other = other_diagonal(edge);
    // The margin keeps nearly cocircular points, where either diagonal is right, from being swapped for ever.
    if (!other || angle((*other)[0], edge) + angle((*other)[1], edge) <= math::kPi + 1e-9) continue;
    constraints_.swap_edge(edge[0], edge[1]);
    remaining.push_back(*other);
    for (int u : edge) {
      for (int v : *other) queue.push_back({u, v});
    }
  }
  std::erase_if(remaining, [&](const Edge& edge) { return !constraints_.has_edge(edge[0], edge[1]); });
  return remaining;
}

std::vector<Edge> PlanarFaces::adopt(const Edge& crossed, const Edge& wanted) {
  if (constraints_.has_edge(wanted[0], wanted[1]) || is_feature(crossed) || !is_flat(crossed, wanted))
    return {};
  const int axis = viewing_axis(crossed);
  if (!cross(axis, crossed, wanted)) return {};
  // From the crossed edge towards both ends, the edges that the wanted one passes.
  std::vector<Edge> crossing{crossed};
  for (const int end : wanted) {
    Edge edge = crossed;
    int behind = -1;
    for (std::size_t step = 0; step <= constraints_.facets.size(); ++step) {
      if (is_feature(edge) || !is_flat(edge, wanted)) return {};
      int next = -1;
      for (int apex : apexes(edge)) {
        const bool towards_end = turn(axis, edge[0], edge[1], apex) * turn(axis, edge[0], edge[1], end) > 0;
        if (behind >= 0 ? apex != behind : towards_end) next = apex;
      }
      if (next == end) break;
      if (next < 0) return {};
      if (cross(axis, {edge[0], next}, wanted)) {
        behind = edge[1];
        edge[1] = next;
      } else if (cross(axis, {edge[1], next}, wanted)) {
        behind = edge[0];
        edge[0] = next;
      } else {
        return {};
      }
      crossing.push_back(edge);
    }
  }
  std::vector<Edge> fresh;
  std::size_t patience = 4 * crossing.size() * crossing.size() + 16;
  for (std::size_t k = 0; k < crossing.size() && patience > 0; ++k, --patience) {
    const Edge edge = crossing[k];
    const auto other = other_diagonal(edge);
    if (!other) {
      crossing.push_back(edge);  // not convex yet: later
      continue;
    }
    constraints_.swap_edge(edge[0], edge[1]);
    fresh.push_back(*other);
    if (cross(axis, *other, wanted)) crossing.push_back(*other);
  }
  std::erase_if(fresh, [&](const Edge& edge) { return !constraints_.has_edge(edge[0], edge[1]); });
  return fresh;
}

}  // namespace prehend::geometry
