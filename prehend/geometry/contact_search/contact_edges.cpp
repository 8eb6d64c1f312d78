#include <algorithm>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/math/house/plane_vectors.h>

namespace prehend::geometry {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

using math::cross;

// Stretches of the segment p + t (q - p), low <= t <= high, over a face.
std::vector<std::pair<double, double>> stretches_over(const FaceOutline& face, const Vector2d& p,
                                                      const Vector2d& q, double low, double high,
                                                      double margin, double reach) {
  const Vector2d along = q - p;
  const double length2 = along.squaredNorm(), length = std::sqrt(length2);
  std::vector<double> stops{low, high};
  for (const Loop2& loop : face.polygon.loops) {
    for (std::size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
      const double h_start = cross(along, loop[j] - p) / length, h_end = cross(along, loop[i] - p) / length;
      const double t_start = along.dot(loop[j] - p) / length2, t_end = along.dot(loop[i] - p) / length2;
      if ((h_start > 0.0) != (h_end > 0.0))
        stops.push_back(t_start + h_start / (h_start - h_end) * (t_end - t_start));
      if (std::abs(h_end) <= reach) stops.push_back(t_end);
    }
  }
  std::sort(stops.begin(), stops.end());
  std::vector<std::pair<double, double>> stretches;
  double last = low;
  for (const double stop : stops) {
    if (stop <= last || stop > high) continue;
    if ((stop - last) * length > margin && face.holds(p + 0.5 * (last + stop) * along, margin, reach)) {
      if (!stretches.empty() && stretches.back().second == last) {
        stretches.back().second = stop;
      } else {
        stretches.emplace_back(last, stop);
      }
    }
    last = stop;
  }
  return stretches;
}

}  // namespace

void PairSearch::find_edges_on_faces(const ContactSide& x, const ContactSide& y) {
  Touched& touched = touched_edge_face_[x.is_a ? 0 : 1];
  for (const auto& near : near_) {
    const auto [fx, face] = of(x, near);
    const FaceIndex fy = face;
    const Vector3d n = y.normal(fy);
    const double offset = y.offset(fy);
    std::optional<FaceOutline> outline;
    for_own_edges(x, fx, [&](EdgeIndex e) {
      const PolyhedronEdge& edge = x.shape->edges()[e];
      if (edge.kind == EdgeKind::concave) return;
      const Vector3d p = x.vertex(edge.start), q = x.vertex(edge.end);
      const double height_p = n.dot(p) - offset, height_q = n.dot(q) - offset;
      if (std::min(height_p, height_q) > gap_ || std::max(height_p, height_q) < -gap_) return;
      const double rise = height_q - height_p, length = (q - p).norm();
      if (std::abs(rise) > sin_tilt_ * length) return;
      const Wedge wedge(x, e);
      if (!wedge.lies_behind(-n, sin_angle_)) return;
      for (int i = 0; i < wedge.face_count; ++i) {  // such an edge is the rim of a face contact
        if (wedge.normals[i].dot(n) < -cos_angle_ || faces_touch(x, wedge.faces[i], fy)) return;
      }
      double low = 0.0, high = 1.0;
      const bool is_parallel = std::abs(rise) <= sin_angle_ * length;
      if (is_parallel && std::max(std::abs(height_p), std::abs(height_q)) > gap_) {
        const double t1 = (-gap_ - height_p) / rise, t2 = (gap_ - height_p) / rise;
        low = std::max(low, std::min(t1, t2));
        high = std::min(high, std::max(t1, t2));
      }
      if (!outline) outline.emplace(y, fy);
      for (const auto& [t0, t1] :
           stretches_over(*outline, outline->axes.flat(p), outline->axes.flat(q), low, high, margin_, gap_)) {
        const double gap_0 = height_p + t0 * rise, gap_1 = height_p + t1 * rise;
        const double limit = gap_ * (1.0 + 1e-9);
        if (std::abs(gap_0) > limit || std::abs(gap_1) > limit) continue;
        if ((t1 - t0) * length < std::min(gap_, 0.5 * length)) continue;
        touched.add(e.value(), fy.value());
        add_line(x.is_a ? Vector3d(-n) : n, p + t0 * (q - p) - 0.5 * gap_0 * n,
                 p + t1 * (q - p) - 0.5 * gap_1 * n, gap_0, gap_1);
      }
    });
  }
}

void PairSearch::find_crossing_edges() {
  struct Segment {
    EdgeIndex edge;
    Vector3d low, high;
  };
  const auto collect = [&](const ContactSide& side, FaceIndex f, std::vector<Segment>& segments) {
    segments.clear();
    for_own_edges(side, f, [&](EdgeIndex e) {
      const PolyhedronEdge& edge = side.shape->edges()[e];
      if (edge.kind == EdgeKind::concave) return;
      const Vector3d p = side.vertex(edge.start), q = side.vertex(edge.end);
      segments.push_back({e, p.cwiseMin(q), p.cwiseMax(q)});
    });
  };
  std::vector<Segment> of_a, of_b;
  int collected = -1;
  for (const auto& [ia, ib] : near_) {
    if (touched_faces_.contains(ia, ib)) continue;  // all their edges lie in the patch's plane
    if (collected != ia) collect(a_, FaceIndex(ia), of_a);
    collected = ia;
    if (of_a.empty()) continue;
    collect(b_, FaceIndex(ib), of_b);
    for (const Segment& sa : of_a) {
      for (const Segment& sb : of_b) {
        if ((sa.low.array() - gap_ > sb.high.array()).any() ||
            (sb.low.array() - gap_ > sa.high.array()).any())
          continue;
        touch_edges(sa.edge, sb.edge);
      }
    }
  }
}

void PairSearch::touch_edges(EdgeIndex ea, EdgeIndex eb) {
  const Wedge wa(a_, ea), wb(b_, eb);
  const Vector3d square = wa.along.cross(wb.along);
  const double sine = square.norm();
  if (sine <= sin_angle_) return;
  Vector3d n = square / sine;
  const Vector3d between = wb.start - wa.start;
  if (std::abs(n.dot(between)) > gap_) return;
  const double along_a = between.cross(wb.along).dot(n) / sine,
               along_b = between.cross(wa.along).dot(n) / sine;
  if (along_a <= margin_ || along_a >= wa.length - margin_ || along_b <= margin_ ||
      along_b >= wb.length - margin_)
    return;
  if (wa.mean_normal().dot(n) < 0.0) n = -n;
  if (!wa.lies_behind(n, sin_angle_) || !wb.lies_behind(-n, sin_angle_)) return;
  for (int i = 0; i < wa.face_count; ++i) {
    if (wa.normals[i].dot(n) > cos_angle_ || touched_edge_face_[1].contains(eb.value(), wa.faces[i].value()))
      return;
    for (int j = 0; j < wb.face_count; ++j) {
      if (touched_faces_.contains(wa.faces[i].value(), wb.faces[j].value())) return;
    }
  }
  for (int j = 0; j < wb.face_count; ++j) {
    if (wb.normals[j].dot(n) < -cos_angle_ || touched_edge_face_[0].contains(ea.value(), wb.faces[j].value()))
      return;
  }
  const Vector3d pa = wa.start + along_a * wa.along, pb = wb.start + along_b * wb.along;
  add_point(n, 0.5 * (pa + pb), n.dot(pb - pa));
}

}  // namespace prehend::geometry
