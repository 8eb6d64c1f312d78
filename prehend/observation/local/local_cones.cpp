#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/observation/cones/polyhedral_cone.h>
#include <prehend/observation/local/local_cones.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

// How often the surface winds around a point: 1 inside (van Oosterom and Strackee 1983).
double winding_number(const geometry::TriangleMesh& mesh, const Vector3d& point) {
  double sum = 0.0;
  for (const auto& triangle : mesh.triangles) {
    const Vector3d a = mesh.vertices[static_cast<std::size_t>(triangle[0])] - point;
    const Vector3d b = mesh.vertices[static_cast<std::size_t>(triangle[1])] - point;
    const Vector3d c = mesh.vertices[static_cast<std::size_t>(triangle[2])] - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2.0 * math::kPi);
}

// A cell of the planes through a vertex: bit i says that it lies inside the half-space of face i.
struct Cell {
  unsigned inside{0};
  Rows rows;
  bool is_material{false};
};

Vector3d middle_of(const Rows& rows) { return rays_of(rows).rays.rowwise().sum(); }

std::vector<Cell> cells_of(const Normals& normals) {
  std::vector<Cell> cells = {{0u, Rows(0, 3), false}};
  for (std::size_t i = 0; i < normals.size(); ++i) {
    std::vector<Cell> next;
    for (const Cell& cell : cells) {
      for (const double side : {-1.0, 1.0}) {
        Rows rows(cell.rows.rows() + 1, 3);
        rows << cell.rows, side * normals[i].transpose();
        const Vector3d middle = middle_of(rows);
        if (!(middle.norm() > 0.0) || (rows * middle.normalized()).minCoeff() <= kConeTolerance) continue;
        next.push_back({cell.inside | (side < 0.0 ? 1u << i : 0u), std::move(rows), false});
      }
    }
    cells = std::move(next);
  }
  return cells;
}

// Faces of one plane count once.
Normals planes_at(const geometry::Polyhedron& body, geometry::VertexIndex vertex) {
  Normals normals;
  for (const geometry::FaceIndex face : body.vertex_faces(vertex)) {
    const Vector3d& n = body.faces()[face].normal;
    const bool is_known = std::any_of(normals.begin(), normals.end(), [&](const Vector3d& known) {
      return (known - n).norm() <= kConeTolerance;
    });
    if (!is_known) normals.push_back(n);
  }
  return normals;
}

bool all_edges_are(const geometry::Polyhedron& body, geometry::VertexIndex vertex, geometry::EdgeKind kind) {
  return std::all_of(
      body.vertex_edges(vertex).begin(), body.vertex_edges(vertex).end(), [&](geometry::EdgeIndex e) {
        return body.edges()[e].kind == kind || body.edges()[e].kind == geometry::EdgeKind::flat;
      });
}

std::vector<Normals> half_spaces(const Normals& normals) {
  std::vector<Normals> cones;
  for (const Vector3d& n : normals) cones.push_back({n});
  return cones;
}

std::vector<Normals> mixed_cones(const geometry::Polyhedron& body, geometry::VertexIndex vertex,
                                 const Normals& normals) {
  // Far inside the nearest features, far outside rounding.
  double shortest = body.size();
  for (const geometry::EdgeIndex edge : body.vertex_edges(vertex)) {
    const geometry::PolyhedronEdge& e = body.edges()[edge];
    shortest = std::min(shortest, (body.vertices()[e.start] - body.vertices()[e.end]).norm());
  }
  const double step = 1e-3 * shortest;
  std::vector<Cell> cells = cells_of(normals);
  for (Cell& cell : cells) {
    const Vector3d d = middle_of(cell.rows).normalized();
    cell.is_material = winding_number(body.mesh(), body.vertices()[vertex] + step * d) > 0.5;
  }
  std::vector<unsigned> sets;
  std::vector<unsigned> order(1u << normals.size());
  for (unsigned set = 0; set < order.size(); ++set) order[set] = set;
  std::stable_sort(order.begin(), order.end(),
                   [](unsigned a, unsigned b) { return std::popcount(a) < std::popcount(b); });
  std::vector<char> is_covered(cells.size(), 0);
  for (const unsigned set : order) {
    if (set == 0 || std::any_of(sets.begin(), sets.end(), [&](unsigned s) { return (s & set) == s; }))
      continue;
    bool is_any = false, is_inside = true;
    for (const Cell& cell : cells) {
      if ((cell.inside & set) != set) continue;
      is_any = true;
      is_inside = is_inside && cell.is_material;
    }
    if (!is_any || !is_inside) continue;
    sets.push_back(set);
    for (std::size_t c = 0; c < cells.size(); ++c)
      is_covered[c] = is_covered[c] || (cells[c].inside & set) == set;
  }
  std::vector<Normals> cones;
  for (const unsigned set : sets) {
    Normals cone;
    for (std::size_t i = 0; i < normals.size(); ++i)
      if (set >> i & 1u) cone.push_back(normals[i]);
    cones.push_back(std::move(cone));
  }
  // Material that no such set covers lies outside some of the planes it is cut by: such cells stand for themselves.
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells[c].is_material || is_covered[c]) continue;
    Normals cone;
    for (std::size_t i = 0; i < normals.size(); ++i)
      cone.push_back(cells[c].inside >> i & 1u ? normals[i] : Vector3d(-normals[i]));
    cones.push_back(std::move(cone));
  }
  return cones;
}

}  // namespace

std::vector<Normals> local_cones(const geometry::Polyhedron& body, const Feature& feature) {
  if (feature.kind == Feature::Kind::face) return {{body.faces()[geometry::FaceIndex(feature.index)].normal}};
  if (feature.kind == Feature::Kind::edge) {
    const geometry::PolyhedronEdge& edge = body.edges()[geometry::EdgeIndex(feature.index)];
    const Normals both = {body.faces()[edge.left].normal, body.faces()[edge.right].normal};
    return edge.kind == geometry::EdgeKind::concave ? half_spaces(both) : std::vector<Normals>{both};
  }
  const geometry::VertexIndex vertex(feature.index);
  const Normals normals = planes_at(body, vertex);
  if (all_edges_are(body, vertex, geometry::EdgeKind::convex)) return {normals};
  if (all_edges_are(body, vertex, geometry::EdgeKind::concave)) return half_spaces(normals);
  return mixed_cones(body, vertex, normals);
}

}  // namespace prehend::observation
