#include <algorithm>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {

using Eigen::Vector3d;

void PairSearch::find_blunt_touches() {
  std::vector<EdgeIndex> edges[2];
  std::vector<VertexIndex> vertices[2];
  const ContactSide* sides[2] = {&a_, &b_};
  // Lines first: the ends of a line are no points of their own.
  for (int step = 0; step < 3; ++step) {
    for (const auto& [ia, ib] : near_) {
      if (touched_faces_.contains(ia, ib)) continue;
      const FaceIndex faces[2] = {FaceIndex(ia), FaceIndex(ib)};
      for (int s = 0; s < 2; ++s) {
        edges[s].clear();
        vertices[s].clear();
        if (step < 2) {
          for_own_edges(*sides[s], faces[s], [&](EdgeIndex e) {
            if (sides[s]->shape->edges()[e].kind != EdgeKind::concave) edges[s].push_back(e);
          });
        }
        if (step > 0) for_own_vertices(*sides[s], faces[s], [&](VertexIndex v) { vertices[s].push_back(v); });
      }
      if (step == 0) {
        for (const EdgeIndex ea : edges[0]) {
          for (const EdgeIndex eb : edges[1]) touch_parallel_edges(ea, eb);
        }
      } else if (step == 1) {
        for (const VertexIndex va : vertices[0]) {
          for (const EdgeIndex eb : edges[1]) touch_vertex_edge(a_, va, b_, eb);
        }
        for (const VertexIndex vb : vertices[1]) {
          for (const EdgeIndex ea : edges[0]) touch_vertex_edge(b_, vb, a_, ea);
        }
      } else {
        for (const VertexIndex va : vertices[0]) {
          for (const VertexIndex vb : vertices[1]) touch_vertices(va, vb);
        }
      }
    }
  }
}

bool PairSearch::is_covered(const ContactSide& x, VertexIndex v, std::span<const FaceIndex> faces) const {
  const int which = x.is_a ? 0 : 1;
  for (const FaceIndex fy : faces) {
    if (touched_vertex_face_[which].contains(v.value(), fy.value())) return true;
    for (const FaceIndex fx : x.shape->vertex_faces(v)) {
      if (faces_touch(x, fx, fy)) return true;
    }
    for (const EdgeIndex e : x.shape->vertex_edges(v)) {
      if (touched_edge_face_[which].contains(e.value(), fy.value())) return true;
    }
  }
  const Vector3d p = x.vertex(v);
  for (const ContactPatch& patch : result_.patches) {
    for (const auto& loop : patch.loops_W) {
      for (const Vector3d& q : loop) {
        if ((p - q).norm() <= 2.0 * gap_) return true;
      }
    }
  }
  return false;
}

void PairSearch::touch_parallel_edges(EdgeIndex ea, EdgeIndex eb) {
  const PolyhedronEdge &edge_a = a_.shape->edges()[ea], &edge_b = b_.shape->edges()[eb];
  constexpr double pi = math::kPi;
  if (std::min(pi - edge_a.interior_angle, pi - edge_b.interior_angle) > 2.0 * options_.normal_spread) return;
  const Wedge wa(a_, ea), wb(b_, eb);
  if (wa.face_count < 2 || wb.face_count < 2 || wa.along.cross(wb.along).norm() > sin_angle_) return;
  const auto along = [&](const Vector3d& p) { return wa.along.dot(p - wa.start); };
  const double t0 = std::max(0.0, std::min(along(wb.start), along(wb.end)));
  const double t1 = std::min(wa.length, std::max(along(wb.start), along(wb.end)));
  if (t1 - t0 < std::min(gap_, 0.5 * std::min(wa.length, wb.length))) return;
  const auto opposite = [&](double t) -> Vector3d {  // on b's line, square across from t
    const double s = wb.along.dot(wa.start + t * wa.along - wb.start);
    return wb.start + s * wb.along;
  };
  const Vector3d pa = wa.start + t0 * wa.along, qa = wa.start + t1 * wa.along, pb = opposite(t0),
                 qb = opposite(t1);
  if (std::max((pb - pa).norm(), (qb - qa).norm()) > gap_) return;
  const Vector3d n = wa.spread <= wb.spread ? wa.mean_normal() : Vector3d(-wb.mean_normal());
  if (!wa.lies_behind(n, sin_angle_) || !wb.lies_behind(-n, sin_angle_)) return;
  for (int i = 0; i < 2; ++i) {
    if (touched_edge_face_[0].contains(ea.value(), wb.faces[i].value())) return;
    if (touched_edge_face_[1].contains(eb.value(), wa.faces[i].value())) return;
    for (int j = 0; j < 2; ++j) {
      if (touched_faces_.contains(wa.faces[i].value(), wb.faces[j].value())) return;
    }
  }
  add_line(n, 0.5 * (pa + pb), 0.5 * (qa + qb), n.dot(pb - pa), n.dot(qb - qa));
}

void PairSearch::touch_vertex_edge(const ContactSide& x, VertexIndex v, const ContactSide& y, EdgeIndex e) {
  const Vector3d p = x.vertex(v);
  const PolyhedronEdge& edge = y.shape->edges()[e];
  const Vector3d start = y.vertex(edge.start), end = y.vertex(edge.end);
  const double length = (end - start).norm();
  const double t = (p - start).dot(end - start) / length;
  if (t <= margin_ || t >= length - margin_) return;
  const Vector3d foot = start + t / length * (end - start);
  if ((p - foot).norm() > gap_) return;
  const Wedge wedge(y, e);
  const double spread = vertex_spread(x, v);
  if (wedge.face_count < 2 || std::min(spread, wedge.spread) > options_.normal_spread) return;
  const Vector3d n =
      spread <= wedge.spread ? x.turned(x.shape->vertex_normal(v)) : Vector3d(-wedge.mean_normal());
  if (!vertex_lies_behind(x, v, n) || !wedge.lies_behind(-n, sin_angle_)) return;
  if (is_covered(x, v, wedge.faces)) return;
  add_point(x.is_a ? n : Vector3d(-n), 0.5 * (p + foot), n.dot(foot - p));
}

void PairSearch::touch_vertices(VertexIndex va, VertexIndex vb) {
  const Vector3d pa = a_.vertex(va), pb = b_.vertex(vb);
  if ((pa - pb).squaredNorm() > gap_ * gap_) return;
  const double spread_a = vertex_spread(a_, va), spread_b = vertex_spread(b_, vb);
  if (std::min(spread_a, spread_b) > options_.normal_spread) return;
  const Vector3d n =
      spread_a <= spread_b ? a_.shape->vertex_normal(va) : Vector3d(-b_.turned(b_.shape->vertex_normal(vb)));
  if (!vertex_lies_behind(a_, va, n) || !vertex_lies_behind(b_, vb, -n)) return;
  if (is_covered(a_, va, b_.shape->vertex_faces(vb)) || is_covered(b_, vb, a_.shape->vertex_faces(va)))
    return;
  add_point(n, 0.5 * (pa + pb), n.dot(pb - pa));
}

}  // namespace prehend::geometry
