#include <algorithm>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/contact_inside.h>
#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/geometry/contact_search/face_patch.h>

namespace prehend::geometry {

using Eigen::Vector2d;
using Eigen::Vector3d;

void PairSearch::find_faces() {
  for (const auto& [ia, ib] : near_) {
    const FaceIndex fa(ia), fb(ib);
    const double cosine = a_.normal(fa).dot(b_.normal(fb));
    if (cosine < -cos_tilt_) {
      touch_faces(fa, fb, cosine);
    } else if (cosine > cos_angle_ && !result_.penetrating) {
      check_same_side(fa, fb);
    }
  }
}

Polygon2 PairSearch::overlap(FaceIndex fa, FaceIndex fb, const PlaneAxes& axes, bool opposite) const {
  const BooleanResult both = intersect(flat_face(a_, fa, axes, false), flat_face(b_, fb, axes, opposite));
  if (both.is_closed) return both.polygon;
  // Outlines too close for rounding: triangle by triangle never fails. The pieces stay apart but tile the
  // same area.
  Polygon2 pieces;
  const auto triangle = [&](const ContactSide& side, int t, bool reversed) {
    const Eigen::Vector3i& c = side.shape->mesh().triangles[t];
    Polygon2 flat;
    flat.loops = {{axes.flat(side.vertex(VertexIndex(c[0]))), axes.flat(side.vertex(VertexIndex(c[1]))),
                   axes.flat(side.vertex(VertexIndex(c[2])))}};
    if (reversed) std::swap(flat.loops[0][1], flat.loops[0][2]);
    return flat;
  };
  for (const int ta : a_.shape->face_triangles(fa)) {
    const Polygon2 flat_a = triangle(a_, ta, false);
    if (!is_convex(flat_a)) continue;
    for (const int tb : b_.shape->face_triangles(fb)) {
      const Polygon2 flat_b = triangle(b_, tb, opposite);
      if (!is_convex(flat_b)) continue;
      for (Loop2& loop : intersect(flat_a, flat_b).polygon.loops) pieces.loops.push_back(std::move(loop));
    }
  }
  return pieces;
}

void PairSearch::touch_faces(FaceIndex fa, FaceIndex fb, double cosine) {
  const Vector3d na = a_.normal(fa), nb = b_.normal(fb);
  const double offset_a = a_.offset(fa), offset_b = b_.offset(fb);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const VertexIndex v : b_.shape->corners(fb, 0)) {
    const double height = na.dot(b_.vertex(v)) - offset_a;
    low = std::min(low, height);
    high = std::max(high, height);
  }
  if (low > gap_ || high < -gap_) return;

  const Vector3d n = (na - nb).normalized();
  const PlaneAxes axes(point_of(a_, fa), n);
  Polygon2 patch = overlap(fa, fb, axes, true);
  if (patch.is_empty()) return;

  // Heights of the two planes over a point x of the mid plane, both linear in x; the gap is their difference.
  const double along_a = na.dot(n), along_b = nb.dot(n);
  const auto height_a = [&](const Vector2d& x) { return (offset_a - na.dot(axes.lifted(x))) / along_a; };
  const auto height_b = [&](const Vector2d& x) { return (offset_b - nb.dot(axes.lifted(x))) / along_b; };
  const auto gap_at = [&](const Vector2d& x) { return height_b(x) - height_a(x); };
  bool all_within = true;
  for (const Loop2& loop : patch.loops) {
    for (const Vector2d& x : loop) all_within = all_within && std::abs(gap_at(x)) <= gap_;
  }
  if (!all_within) {
    if (cosine > -cos_angle_) return;
    patch = part_within(patch, gap_at, gap_);
    if (patch.is_empty()) return;
  }
  const double smaller_width = std::min(a_.width(fa), b_.width(fb));
  patch = simplified(patch, std::min(margin_, 1e-7 * smaller_width));
  const double patch_area = area(patch);
  if (patch_area <= 0.0 || 2.0 * patch_area < std::min(gap_, 0.5 * smaller_width) * perimeter(patch)) return;
  touched_faces_.add(fa.value(), fb.value());

  const auto middle = [&](const Vector2d& x) { return axes.lifted(x, 0.5 * (height_a(x) + height_b(x))); };
  result_.patches.push_back(face_patch(patch, n, gap_at, middle));
}

// Faces in one plane that look the same way have both materials behind them: the bodies share that room,
// unless one is a mere skin there.
void PairSearch::check_same_side(FaceIndex fa, FaceIndex fb) {
  if (!a_.shape->is_closed() || !b_.shape->is_closed()) return;
  const Vector3d n = a_.normal(fa);
  const double offset = a_.offset(fa);
  for (const VertexIndex v : b_.shape->corners(fb, 0)) {
    if (std::abs(n.dot(b_.vertex(v)) - offset) > gap_) return;
  }
  const PlaneAxes axes(point_of(a_, fa), n);
  const Polygon2 patch = overlap(fa, fb, axes, false);
  const double patch_area = area(patch);
  if (patch_area <= 0.0 || patch_area < gap_ * perimeter(patch)) return;
  const Vector3d surface = axes.lifted(interior_point(patch));
  const Vector3d inside = surface - 2.0 * gap_ * n;
  if (is_inside(a_, inside) && is_inside(b_, inside)) {
    report_penetration(surface, std::min(depth_below(a_, surface, n), depth_below(b_, surface, n)));
  }
}

}  // namespace prehend::geometry
