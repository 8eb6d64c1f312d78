#include <cmath>

#include <Eigen/Geometry>

#include <prehend/placement/source/feature_points.h>

namespace prehend::placement {

using Eigen::Vector3d;

namespace {

// Sines below this are parallel features; lengths below this share of the others have no direction.
constexpr double kParallel = 1e-7;

// The triangle o0, o1, o2 scaled about o0 until its far side is L long: (5.33), (5.34).
std::optional<PointPair> scaled_triangle(const Vector3d& o0, const Vector3d& o1, const Vector3d& o2, double L) {
  const double side = (o1 - o2).norm();
  if (!(side > kParallel * ((o1 - o0).norm() + (o2 - o0).norm()))) return std::nullopt;
  return PointPair{o0 + L / side * (o1 - o0), o0 + L / side * (o2 - o0)};
}

}  // namespace

PointPair on_coplanar_faces(const Plane3& plane, const Vector3d& along, const Vector3d& com, double L) {
  const Vector3d o1 = plane.foot(com);
  return {o1 + 0.5 * L * along, o1 - 0.5 * L * along};
}

std::optional<PointPair> on_intersecting_faces(const Plane3& first, const Plane3& second, const Vector3d& com, double L) {
  const Vector3d cross = first.n.cross(second.n);
  if (cross.norm() < kParallel) return std::nullopt;
  const Vector3d u = first.n.cross(cross.normalized());
  const Vector3d o1 = first.foot(com), o2 = second.foot(com);
  const Vector3d o0 = o1 + (second.d - second.n.dot(o1)) / second.n.dot(u) * u;
  return scaled_triangle(o0, o1, o2, L);
}

std::optional<PointPair> on_face_and_edge(const Plane3& face, const Line3& edge, const Vector3d& com, double L) {
  const Vector3d o2 = edge.foot(com);
  const double slope = face.n.dot(edge.u);
  if (std::abs(slope) > kParallel) {
    const Vector3d o0 = edge.p + (face.d - face.n.dot(edge.p)) / slope * edge.u;
    const Vector3d plane_normal = edge.u.cross(com - o0);
    const Vector3d trace = plane_normal.cross(face.n);
    if (!(trace.norm() > kParallel * (com - o0).norm())) return std::nullopt;
    const Line3 line{o0, trace.normalized()};
    return scaled_triangle(o0, line.foot(com), o2, L);
  }
  const Vector3d o1 = face.foot(com), o3 = face.foot(o2);
  const double height = (o3 - o2).norm(), shadow = (o1 - o3).norm();
  if (L < height || !(shadow > kParallel * (com - o2).norm())) return std::nullopt;
  return PointPair{o3 + std::sqrt(L * L - height * height) / shadow * (o1 - o3), o2};
}

PointPair nearest_points(const Line3& first, const Line3& second) {
  const Vector3d w = first.p - second.p;
  const double b = first.u.dot(second.u), down = 1.0 - b * b;
  const double t1 = (b * second.u.dot(w) - first.u.dot(w)) / down;
  const double t2 = (second.u.dot(w) - b * first.u.dot(w)) / down;
  return {first.p + t1 * first.u, second.p + t2 * second.u};
}

std::optional<PointPair> on_edges(const Line3& first, const Line3& second, const Vector3d& com, double L) {
  const Vector3d o1 = first.foot(com), o2 = second.foot(com);
  const double apart = (o1 - o2).norm();
  if (first.u.cross(second.u).norm() < kParallel) {
    if (L < apart) return std::nullopt;
    const double half = 0.5 * std::sqrt(L * L - apart * apart);
    return PointPair{o1 + half * first.u, o2 - half * first.u};
  }
  const PointPair nearest = nearest_points(first, second);
  const double height = (nearest.q - nearest.r).norm();
  if (L < height) return std::nullopt;
  // Intersecting lines are skew ones without height: (5.53) is then (5.33).
  const double level = std::sqrt(std::max(apart * apart - height * height, 0.0));
  if (!(level > kParallel * ((o1 - nearest.q).norm() + (o2 - nearest.r).norm()))) return std::nullopt;
  const double scale = std::sqrt(L * L - height * height) / level;
  return PointPair{nearest.q + scale * (o1 - nearest.q), nearest.r + scale * (o2 - nearest.r)};
}

}  // namespace prehend::placement
