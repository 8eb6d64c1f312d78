#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/contact_search/contact_inside.h>
#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {

using Eigen::Vector2d;
using Eigen::Vector3d;

bool is_inside(const ContactSide& side, const Vector3d& p) {
  double sum = 0.0;
  for (const Eigen::Vector3i& t : side.shape->mesh().triangles) {
    const Vector3d u = side.vertex(VertexIndex(t[0])) - p, v = side.vertex(VertexIndex(t[1])) - p,
                   w = side.vertex(VertexIndex(t[2])) - p;
    const double lu = u.norm(), lv = v.norm(), lw = w.norm();
    // Van Oosterom & Strackee 1983
    sum += 2.0 * std::atan2(u.dot(v.cross(w)), lu * lv * lw + u.dot(v) * lw + v.dot(w) * lu + w.dot(u) * lv);
  }
  return sum > 2.0 * math::kPi;
}

double depth_below(const ContactSide& side, const Vector3d& p, const Vector3d& n) {
  double depth = side.shape->size();
  for (const Eigen::Vector3i& t : side.shape->mesh().triangles) {
    const Vector3d q = side.vertex(VertexIndex(t[0]));
    const Vector3d e1 = side.vertex(VertexIndex(t[1])) - q, e2 = side.vertex(VertexIndex(t[2])) - q;
    const Vector3d normal = e1.cross(e2);
    const double facing = -normal.dot(n);
    if (facing <= 1e-9 * normal.norm()) continue;
    const double t_hit = normal.dot(q - p) / facing;
    if (t_hit <= 1e-9 * side.shape->size() || t_hit >= depth) continue;
    const Vector3d hit = p - t_hit * n - q;
    const double u = hit.cross(e2).dot(normal), v = e1.cross(hit).dot(normal);
    if (u >= 0.0 && v >= 0.0 && u + v <= normal.squaredNorm()) depth = t_hit;
  }
  return depth;
}

void PairSearch::report_penetration(const Vector3d& p, double depth) {
  if (result_.penetrating && depth <= result_.depth_m) return;
  result_.penetrating = true;
  result_.depth_m = depth;
  result_.p_W = p;
}

// An edge of x that passes through a face of y, well inside its outline, and goes on deeper than the
// tolerance. The estimate of depth is how far the edge's end lies behind the face; never less than the
// tolerance.
void PairSearch::find_piercing_edges(const ContactSide& x, const ContactSide& y) {
  for (const auto& near : near_) {
    const auto [fx, fy] = of(x, near);
    const Vector3d n = y.normal(fy);
    const double offset = y.offset(fy);
    double low = 0.0, high = 0.0;
    for (const VertexIndex v : x.shape->corners(fx, 0)) {
      const double height = n.dot(x.vertex(v)) - offset;
      low = std::min(low, height);
      high = std::max(high, height);
    }
    if (low >= -gap_ || high <= gap_) continue;
    std::optional<FaceOutline> outline;
    for_own_edges(x, fx, [&](EdgeIndex e) {
      const PolyhedronEdge& edge = x.shape->edges()[e];
      const Vector3d p = x.vertex(edge.start), q = x.vertex(edge.end);
      const double height_p = n.dot(p) - offset, height_q = n.dot(q) - offset;
      if (std::min(height_p, height_q) >= -gap_ || std::max(height_p, height_q) <= gap_) return;
      if (!outline) outline.emplace(y, fy);
      const Vector3d pierced = p + height_p / (height_p - height_q) * (q - p);
      const Vector2d flat = outline->axes.flat(pierced);
      if (!contains(outline->polygon, flat)) return;
      if (distance_to_boundary(outline->polygon, flat) <= std::min(gap_, 0.25 * y.width(fy))) return;
      report_penetration(pierced, -std::min(height_p, height_q));
    });
  }
}

// One wholly inside the other.
void PairSearch::find_enclosure() {
  const Aabb box_a = a_.shape->face_tree().box();
  const Aabb box_b = box_in_frame(b_.shape->face_tree().box(), b_.R_PS, b_.p_PS);
  const auto encloses = [&](const Aabb& outer, const Aabb& inner) {
    return (inner.lower.array() >= outer.lower.array() - gap_).all() &&
           (inner.upper.array() <= outer.upper.array() + gap_).all();
  };
  for (const auto* side : {&a_, &b_}) {
    const ContactSide& inner = *side;
    const ContactSide& outer = inner.is_a ? b_ : a_;
    // b's box is re-boxed in a's axes and so may stand out a little; only a necessary condition is wanted
    // here.
    const Vector3d centre = inner.is_a ? Vector3d(0.5 * (box_a.lower + box_a.upper))
                                       : Vector3d(0.5 * (box_b.lower + box_b.upper));
    const Aabb point{centre, centre};
    if (!outer.shape->is_closed() || inner.shape->size() > outer.shape->size()) continue;
    if (!encloses(outer.is_a ? box_a : box_b, point)) continue;
    const Vector3d p = inner.vertex(VertexIndex(0));
    if (!result_.patches.empty() || !is_inside(outer, p)) continue;
    const Vector3d n = inner.turned(inner.shape->vertex_normal(VertexIndex(0)));
    report_penetration(p, std::max(gap_, std::min(inner.shape->size(), depth_below(outer, p, -n))));
  }
}

}  // namespace prehend::geometry
