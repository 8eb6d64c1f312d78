#include <algorithm>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/geometry/surface/triangle_distance.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

double closest_on_segment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d u = b - a;
  const double length2 = u.squaredNorm();
  return length2 > 0.0 ? std::clamp(u.dot(p - a) / length2, 0.0, 1.0) : 0.0;
}

void consider(TriangleDistance& best, const Vector3d& p_a, const Vector3d& p_b) {
  const double squared = (p_b - p_a).squaredNorm();
  if (squared < best.squared_distance) best = {squared, p_a, p_b};
}

// Nearest points of the segments p0 p1 and q0 q1. The interior solution is refined by projecting each point
// onto the other segment, which also settles parallel and degenerate segments.
void consider_segments(TriangleDistance& best, const Vector3d& p0, const Vector3d& p1, const Vector3d& q0,
                       const Vector3d& q1) {
  const Vector3d u = p1 - p0, v = q1 - q0, w = p0 - q0;
  const double a = u.squaredNorm(), b = u.dot(v), c = v.squaredNorm(), d = u.dot(w), e = v.dot(w);
  const double det = a * c - b * b;
  double s = det > 1e-14 * a * c ? std::clamp((b * e - c * d) / det, 0.0, 1.0) : 0.0;
  double t = closest_on_segment(p0 + s * u, q0, q1);
  s = closest_on_segment(q0 + t * v, p0, p1);
  t = closest_on_segment(p0 + s * u, q0, q1);
  consider(best, p0 + s * u, q0 + t * v);
}

}  // namespace

Vector3d closest_on_triangle(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c,
                             Vector3d& barycentric) {
  const Vector3d ab = b - a, ac = c - a, ap = p - a;
  const Vector3d n = ab.cross(ac);
  const double n2 = n.squaredNorm();
  // Inside the prism over the triangle: the projection. Needles and triangles without area go by their edges.
  if (n2 > 1e-28 * ab.squaredNorm() * ac.squaredNorm()) {
    const double v = n.dot(ap.cross(ac)) / n2, w = n.dot(ab.cross(ap)) / n2, u = 1.0 - v - w;
    if (u >= 0.0 && v >= 0.0 && w >= 0.0) {
      barycentric = {u, v, w};
      return a + v * ab + w * ac;
    }
  }
  const Vector3d* const corner[3] = {&a, &b, &c};
  Vector3d best;
  double best2 = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vector3d &from = *corner[k], &to = *corner[(k + 1) % 3];
    const double s = closest_on_segment(p, from, to);
    const Vector3d candidate = from + s * (to - from);
    const double squared = (candidate - p).squaredNorm();
    if (squared >= best2) continue;
    best2 = squared;
    best = candidate;
    barycentric.setZero();
    barycentric[k] = 1.0 - s;
    barycentric[(k + 1) % 3] = s;
  }
  return best;
}

TriangleDistance triangle_distance(const Vector3d (&a)[3], const Vector3d (&b)[3]) {
  TriangleDistance best;
  best.squared_distance = std::numeric_limits<double>::infinity();
  Vector3d unused;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) consider_segments(best, a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
    consider(best, a[i], closest_on_triangle(a[i], b[0], b[1], b[2], unused));
    consider(best, closest_on_triangle(b[i], a[0], a[1], a[2], unused), b[i]);
  }
  return best;
}

}  // namespace prehend::geometry
