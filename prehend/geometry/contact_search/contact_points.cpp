#include <algorithm>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/contact_pair.h>

namespace prehend::geometry {

using Eigen::Vector3d;

bool PairSearch::vertex_lies_behind(const ContactSide& side, VertexIndex v, const Vector3d& d) const {
  const Polyhedron& shape = *side.shape;
  if (side.turned(shape.vertex_normal(v)).dot(d) <= 0.0) return false;
  const Vector3d& here = shape.vertices()[v];
  const Vector3d d_S = side.is_a ? d : Vector3d(side.R_PS.transpose() * d);
  for (const EdgeIndex e : shape.vertex_edges(v)) {
    const PolyhedronEdge& edge = shape.edges()[e];
    const Vector3d away = shape.vertices()[edge.start == v ? edge.end : edge.start] - here;
    if (away.dot(d_S) > sin_angle_ * away.norm()) return false;
  }
  // A face that fills more than half a turn reaches beyond its two edges.
  for (const FaceIndex f : shape.vertex_faces(v)) {
    if (shape.faces()[f].is_convex) continue;
    for (int k = 0; k < shape.faces()[f].loop_count; ++k) {
      const auto loop = shape.loop(f, k);
      for (std::size_t i = 0; i < loop.size(); ++i) {
        if (loop[i] != v) continue;
        const Vector3d before =
            (shape.vertices()[loop[(i + loop.size() - 1) % loop.size()]] - here).normalized();
        const Vector3d after = (shape.vertices()[loop[(i + 1) % loop.size()]] - here).normalized();
        if (shape.faces()[f].normal.dot(after.cross(before)) >= 0.0) continue;
        const Vector3d opposite = -(before + after);
        if (opposite.dot(d_S) > sin_angle_ * opposite.norm()) return false;
      }
    }
  }
  return true;
}

double PairSearch::vertex_spread(const ContactSide& side, VertexIndex v) const {
  double smallest_cosine = 1.0;
  for (const FaceIndex f : side.shape->vertex_faces(v)) {
    smallest_cosine =
        std::min(smallest_cosine, side.shape->vertex_normal(v).dot(side.shape->faces()[f].normal));
  }
  return std::acos(std::clamp(smallest_cosine, -1.0, 1.0));
}

void PairSearch::find_vertices_on_faces(const ContactSide& x, const ContactSide& y) {
  std::vector<StandingVertex> standing;
  const Touched& touched_edges = touched_edge_face_[x.is_a ? 0 : 1];
  for (const auto& near : near_) {
    const auto [fx, face] = of(x, near);
    const FaceIndex fy = face;
    const Vector3d n = y.normal(fy);
    const double offset = y.offset(fy);
    std::optional<FaceOutline> outline;
    for_own_vertices(x, fx, [&](VertexIndex v) {
      const Vector3d p = x.vertex(v);
      const double height = n.dot(p) - offset;
      if (std::abs(height) > gap_) return;
      if (!vertex_lies_behind(x, v, -n)) return;
      for (const FaceIndex f : x.shape->vertex_faces(v)) {
        if (x.normal(f).dot(n) < -cos_angle_ || faces_touch(x, f, fy)) return;
      }
      for (const EdgeIndex e : x.shape->vertex_edges(v)) {
        const PolyhedronEdge& edge = x.shape->edges()[e];
        const Vector3d along = x.turned(x.shape->vertices()[edge.end] - x.shape->vertices()[edge.start]);
        if (std::abs(along.dot(n)) <= sin_angle_ * along.norm() ||
            touched_edges.contains(e.value(), fy.value()))
          return;
      }
      if (!outline) outline.emplace(y, fy);
      if (!outline->holds(outline->axes.flat(p), margin_, gap_)) return;
      standing.push_back({v, fy, p, height});
    });
  }
  std::sort(standing.begin(), standing.end(), [](const StandingVertex& s, const StandingVertex& t) {
    return s.vertex != t.vertex ? s.vertex < t.vertex : s.face < t.face;
  });
  keep_shallowest(y, standing);
  for (const StandingVertex& s : standing) {
    const Vector3d n = y.normal(s.face);
    add_point(x.is_a ? Vector3d(-n) : n, s.p - 0.5 * s.gap * n, s.gap);
    touched_vertex_face_[x.is_a ? 0 : 1].add(s.vertex.value(), s.face.value());
  }
}

// Behind a convex edge a corner is behind two faces at once, but leaves through the nearer one. Equally near:
// no definite normal.
void PairSearch::keep_shallowest(const ContactSide& y, std::vector<StandingVertex>& standing) const {
  const auto meet_in_convex_edge = [&](FaceIndex f, FaceIndex g) {
    for (int k = 0; k < y.shape->faces()[f].loop_count; ++k) {
      for (const EdgeIndex e : y.shape->loop_edges(f, k)) {
        const PolyhedronEdge& edge = y.shape->edges()[e];
        if (edge.kind == EdgeKind::convex && (edge.left == g || edge.right == g)) return true;
      }
    }
    return false;
  };
  std::vector<char> drop(standing.size(), 0);
  for (std::size_t i = 0; i < standing.size(); ++i) {
    for (std::size_t j = i + 1; j < standing.size() && standing[j].vertex == standing[i].vertex; ++j) {
      if (!meet_in_convex_edge(standing[i].face, standing[j].face)) continue;
      const double difference = std::abs(standing[i].gap) - std::abs(standing[j].gap);
      if (difference >= -margin_) drop[i] = 1;
      if (difference <= margin_) drop[j] = 1;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < standing.size(); ++i) {
    if (!drop[i]) standing[kept++] = standing[i];
  }
  standing.resize(kept);
}

}  // namespace prehend::geometry
