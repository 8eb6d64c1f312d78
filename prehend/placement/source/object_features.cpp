#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/placement/source/object_features.h>

namespace prehend::placement {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

// [rad] Angles between normals that count as equal; flush faces miss by this times their size, far below 1e-6 m.
constexpr double kSameAngle = 1e-8;

ObjectFeature face_feature(const PreparedGeom& geom, geometry::FaceIndex f) {
  const geometry::Polyhedron& solid = geom.polyhedron;
  ObjectFeature feature;
  feature.n = geom.X_BG.q() * solid.faces()[f].normal;
  feature.p = geom.X_BG * Vector3d(solid.faces()[f].offset * solid.faces()[f].normal);
  feature.plane = {feature.n, feature.n.dot(feature.p)};
  feature.x = feature.n.unitOrthogonal();
  feature.y = feature.n.cross(feature.x);
  for (int k = 0; k < solid.faces()[f].loop_count; ++k) {
    geometry::Loop2 loop;
    for (const geometry::VertexIndex v : solid.corners(f, k)) {
      const Vector3d corner = geom.X_BG * solid.vertices()[v];
      loop.emplace_back(feature.x.dot(corner), feature.y.dot(corner));
    }
    feature.outline.loops.push_back(std::move(loop));
  }
  return feature;
}

ObjectFeature edge_feature(const PreparedGeom& geom, const geometry::PolyhedronEdge& edge) {
  const geometry::Polyhedron& solid = geom.polyhedron;
  ObjectFeature feature;
  feature.is_edge = true;
  const Vector3d start = geom.X_BG * solid.vertices()[edge.start], end = geom.X_BG * solid.vertices()[edge.end];
  feature.length = (end - start).norm();
  feature.line = {start, (end - start).normalized()};
  feature.p = start;
  feature.n_left = geom.X_BG.q() * solid.faces()[edge.left].normal;
  feature.n_right = geom.X_BG.q() * solid.faces()[edge.right].normal;
  feature.n = (feature.n_left + feature.n_right).normalized();
  feature.sides = side_vectors(feature.line.u, feature.n_left, feature.n_right);
  return feature;
}

}  // namespace

bool ObjectFeature::contains(const Vector3d& q, double tolerance) const {
  if (is_edge) {
    const double t = line.u.dot(q - line.p);
    return t >= -tolerance && t <= length + tolerance;
  }
  const Vector2d flat(x.dot(q), y.dot(q));
  return geometry::contains(outline, flat) || geometry::distance_to_boundary(outline, flat) <= tolerance;
}

bool ObjectFeature::affords(const Vector3d& m, double tolerance) const {
  return is_edge ? affords_edge(m, line.u, sides, tolerance) : (m + n).norm() <= tolerance;
}

std::vector<ObjectFeature> object_features(const Problem& problem) {
  std::vector<ObjectFeature> features;
  for (const PreparedGeom& geom : problem.own) {
    const geometry::Polyhedron& solid = geom.polyhedron;
    for (geometry::FaceIndex f(0); f < solid.faces().size(); ++f) {
      if (solid.faces()[f].loop_count > 0) features.push_back(face_feature(geom, f));
    }
    for (const geometry::PolyhedronEdge& edge : solid.edges()) {
      if (edge.kind == geometry::EdgeKind::convex && edge.right.is_valid()) features.push_back(edge_feature(geom, edge));
    }
  }
  return features;
}

std::optional<PointPair> points_on(const ObjectFeature& first, const ObjectFeature& second, const Vector3d& along,
                                   const Vector3d& com, double L) {
  std::optional<PointPair> pair;
  if (!first.is_edge && !second.is_edge) {
    const double sine = first.n.cross(second.n).norm();
    if (sine > 1e-7) {
      pair = on_intersecting_faces(first.plane, second.plane, com, L);
    } else if (first.n.dot(second.n) > 0.0) {
      const Vector3d in_plane = along - first.n.dot(along) * first.n;
      const Vector3d u = in_plane.norm() > 1e-9 ? Vector3d(in_plane.normalized()) : first.x;
      // Parallel faces at two levels fit where the scene has the same difference, which the pose is checked for.
      const double step = first.plane.d - second.plane.d;
      if (std::abs(step) > L) return std::nullopt;
      pair = on_coplanar_faces(first.plane, u, com, std::sqrt(L * L - step * step));
      pair->r -= step * first.n;
    }
  } else if (first.is_edge && second.is_edge) {
    pair = on_edges(first.line, second.line, com, L);
  } else if (second.is_edge) {
    pair = on_face_and_edge(first.plane, second.line, com, L);
  } else {
    pair = on_face_and_edge(second.plane, first.line, com, L);
    if (pair) std::swap(pair->q, pair->r);
  }
  if (!pair || !first.contains(pair->q, 1e-9) || !second.contains(pair->r, 1e-9)) return std::nullopt;
  return pair;
}

std::vector<std::pair<Vector3d, Vector3d>> normals_at(const ObjectFeature& first, const ObjectFeature& second, double cosine,
                                                      double share) {
  std::vector<std::pair<Vector3d, Vector3d>> found;
  const Vector3d m =
      first.is_edge ? Vector3d(-(share * first.n_left + (1.0 - share) * first.n_right).normalized()) : Vector3d(-first.n);
  if (!second.is_edge) {
    const double angle = std::atan2(m.cross(second.n).norm(), -m.dot(second.n));
    if (std::abs(angle - std::acos(std::clamp(cosine, -1.0, 1.0))) < kSameAngle) found.emplace_back(m, -second.n);
    return found;
  }
  // Square to the edge, at the angle asked to m: e1 cos + e2 sin with m . = cosine.
  const Vector3d e1 = second.sides.left, e2 = second.line.u.cross(e1);
  const double A = m.dot(e1), B = m.dot(e2), reach = std::hypot(A, B);
  if (reach < 1e-9 || std::abs(cosine) > reach) return found;
  const double middle = std::atan2(B, A), half = std::acos(std::clamp(cosine / reach, -1.0, 1.0));
  for (const double angle : {middle + half, middle - half}) {
    const Vector3d other = std::cos(angle) * e1 + std::sin(angle) * e2;
    if (second.affords(other, 1e-9)) found.emplace_back(m, other);
    if (half < 1e-12) break;
  }
  return found;
}

}  // namespace prehend::placement
