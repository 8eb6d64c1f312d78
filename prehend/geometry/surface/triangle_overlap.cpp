#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/surface/triangle_overlap.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Rounding of a dot product of differences is below 1e-15 of |d| times the extent; 1e-13 leaves a factor of
// 100.
constexpr double kMargin = 1e-13;

Vector2d dropped(const Vector3d& p, int axis) {
  return axis == 0 ? Vector2d(p.y(), p.z()) : axis == 1 ? Vector2d(p.z(), p.x()) : Vector2d(p.x(), p.y());
}

// An axis whose removal keeps the triangle's area, -1 when the triangle has none. The largest component of
// the normal first; the exact sign decides.
int projection_axis(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const Vector3d n = (b - a).cross(c - a).cwiseAbs();
  int best = n.y() > n.x() ? 1 : 0;
  if (n.z() > n[best]) best = 2;
  for (int k = 0; k < 3; ++k) {
    const int axis = (best + k) % 3;
    if (orient2d(dropped(a, axis), dropped(b, axis), dropped(c, axis)) != 0) return axis;
  }
  return -1;
}

bool is_on_segment(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  // p is known to lie on the line ab.
  return std::min(a.x(), b.x()) <= p.x() && p.x() <= std::max(a.x(), b.x()) &&
         std::min(a.y(), b.y()) <= p.y() && p.y() <= std::max(a.y(), b.y());
}

bool segments_meet(const Vector2d& p, const Vector2d& q, const Vector2d& a, const Vector2d& b) {
  const int pa = orient2d(a, b, p), qa = orient2d(a, b, q), ap = orient2d(p, q, a), bp = orient2d(p, q, b);
  if (pa * qa < 0 && ap * bp < 0) return true;
  return (pa == 0 && is_on_segment(p, a, b)) || (qa == 0 && is_on_segment(q, a, b)) ||
         (ap == 0 && is_on_segment(a, p, q)) || (bp == 0 && is_on_segment(b, p, q));
}

bool is_inside(const Vector2d& p, const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const int ab = orient2d(a, b, p), bc = orient2d(b, c, p), ca = orient2d(c, a, p);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// All five points in one plane.
bool coplanar_segment_meets_triangle(const Vector3d& p, const Vector3d& q, const TriangleCorners& t) {
  const int axis = projection_axis(*t.corner[0], *t.corner[1], *t.corner[2]);
  if (axis < 0) return false;
  const Vector2d a = dropped(*t.corner[0], axis), b = dropped(*t.corner[1], axis),
                 c = dropped(*t.corner[2], axis);
  const Vector2d p2 = dropped(p, axis), q2 = dropped(q, axis);
  return is_inside(p2, a, b, c) || segments_meet(p2, q2, a, b) || segments_meet(p2, q2, b, c) ||
         segments_meet(p2, q2, c, a);
}

// Whether the direction d keeps the corners of a (relative to an origin near both) strictly below those of b.
bool separates(const Vector3d& d, const Vector3d (&a)[3], const Vector3d (&b)[3], double extent) {
  const double a0 = d.dot(a[0]), a1 = d.dot(a[1]), a2 = d.dot(a[2]);
  const double b0 = d.dot(b[0]), b1 = d.dot(b[1]), b2 = d.dot(b[2]);
  const double margin = kMargin * extent * (std::abs(d.x()) + std::abs(d.y()) + std::abs(d.z()));
  return std::max({a0, a1, a2}) + margin < std::min({b0, b1, b2}) ||
         std::max({b0, b1, b2}) + margin < std::min({a0, a1, a2});
}

bool are_clearly_apart(const TriangleCorners& ta, const TriangleCorners& tb) {
  const Vector3d& origin = *ta.corner[0];
  Vector3d a[3], b[3];
  double extent = 0.0;
  for (int k = 0; k < 3; ++k) {
    a[k] = *ta.corner[k] - origin;
    b[k] = *tb.corner[k] - origin;
    extent = std::max({extent, a[k].lpNorm<1>(), b[k].lpNorm<1>()});
  }
  if (separates((b[0] + b[1] + b[2]) - (a[0] + a[1] + a[2]), a, b, extent)) return true;
  const Vector3d na = (a[1] - a[0]).cross(a[2] - a[0]), nb = (b[1] - b[0]).cross(b[2] - b[0]);
  if (separates(na, a, b, extent) || separates(nb, a, b, extent)) return true;
  for (int k = 0; k < 3; ++k) {
    if (separates(na.cross(a[(k + 1) % 3] - a[k]), a, b, extent)) return true;
    if (separates(nb.cross(b[(k + 1) % 3] - b[k]), a, b, extent)) return true;
  }
  return false;
}

}  // namespace

bool is_collinear(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return projection_axis(a, b, c) < 0;
}

bool segment_meets_triangle(const Vector3d& p, const Vector3d& q, const TriangleCorners& t) {
  const Vector3d &a = *t.corner[0], &b = *t.corner[1], &c = *t.corner[2];
  const int sp = orient3d(a, b, c, p), sq = orient3d(a, b, c, q);
  if (sp * sq > 0) return false;
  if (sp == 0 && sq == 0) return coplanar_segment_meets_triangle(p, q, t);
  // The segment reaches the plane in one point; the line pq passes the edges all on one side.
  const int ab = orient3d(p, q, a, b), bc = orient3d(p, q, b, c), ca = orient3d(p, q, c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

bool triangles_meet(const TriangleCorners& a, const TriangleCorners& b, bool* was_exact) {
  if (are_clearly_apart(a, b)) return false;
  if (was_exact != nullptr) *was_exact = true;
  if (is_collinear(*a.corner[0], *a.corner[1], *a.corner[2]) ||
      is_collinear(*b.corner[0], *b.corner[1], *b.corner[2])) {
    return false;
  }
  for (int k = 0; k < 3; ++k) {
    if (segment_meets_triangle(*a.corner[k], *a.corner[(k + 1) % 3], b)) return true;
    if (segment_meets_triangle(*b.corner[k], *b.corner[(k + 1) % 3], a)) return true;
  }
  return false;
}

bool triangles_meet_beyond_vertex(const TriangleCorners& a, const TriangleCorners& b, bool* was_exact) {
  // A plane through the shared vertex with the opposite edges strictly on its two sides.
  const Vector3d& v = *a.corner[0];
  const Vector3d a1 = *a.corner[1] - v, a2 = *a.corner[2] - v, b1 = *b.corner[1] - v, b2 = *b.corner[2] - v;
  const auto splits = [&](const Vector3d& d) {
    const double size = std::abs(d.x()) + std::abs(d.y()) + std::abs(d.z());
    const auto clear = [&](const Vector3d& p, double sign) {
      return sign * d.dot(p) > kMargin * size * p.lpNorm<1>();
    };
    return (clear(a1, 1.0) && clear(a2, 1.0) && clear(b1, -1.0) && clear(b2, -1.0));
  };
  if (splits((a1 + a2) - (b1 + b2))) return false;
  const Vector3d ua = a1.normalized() + a2.normalized(), ub = b1.normalized() + b2.normalized();
  if (splits(ua - ub)) return false;
  // The plane of one triangle with the other on one side of it.
  const auto is_one_sided = [](const Vector3d& n, const Vector3d& p, const Vector3d& q) {
    const double size = std::abs(n.x()) + std::abs(n.y()) + std::abs(n.z());
    const double np = n.dot(p), nq = n.dot(q);
    const double mp = 10.0 * kMargin * size * p.lpNorm<1>(), mq = 10.0 * kMargin * size * q.lpNorm<1>();
    return (np > mp && nq > mq) || (np < -mp && nq < -mq);
  };
  const Vector3d na = a1.cross(a2), nb = b1.cross(b2);
  // Only where the normal itself is accurate (no needles): rounding then tilts it by less than a tenth of the
  // margin.
  const auto is_fat = [](const Vector3d& n, const Vector3d& p, const Vector3d& q) {
    return n.squaredNorm() > 1e-2 * p.squaredNorm() * q.squaredNorm();
  };
  if (is_fat(na, a1, a2) && is_one_sided(na, b1, b2)) return false;
  if (is_fat(nb, b1, b2) && is_one_sided(nb, a1, a2)) return false;
  if (was_exact != nullptr) *was_exact = true;
  if (is_collinear(v, *a.corner[1], *a.corner[2]) || is_collinear(v, *b.corner[1], *b.corner[2]))
    return false;
  return segment_meets_triangle(*a.corner[1], *a.corner[2], b) ||
         segment_meets_triangle(*b.corner[1], *b.corner[2], a);
}

bool triangles_meet_beyond_edge(const TriangleCorners& a, const TriangleCorners& b) {
  const Vector3d &p = *a.corner[0], &q = *a.corner[1], &r = *a.corner[2], &s = *b.corner[2];
  const Vector3d e = q - p, c = r - p, d = s - p;
  // (c x e).(d x e) < 0: the wings open by more than a right angle, so they cannot be folded onto each other.
  const double fold = c.cross(e).dot(d.cross(e));
  if (fold < -1e-12 * e.squaredNorm() * c.norm() * d.norm()) return false;
  if (orient3d(p, q, r, s) != 0) return false;
  const int axis = projection_axis(p, q, r);
  if (axis < 0) return false;
  return orient2d(dropped(p, axis), dropped(q, axis), dropped(r, axis)) ==
         orient2d(dropped(p, axis), dropped(q, axis), dropped(s, axis));
}

}  // namespace prehend::geometry
