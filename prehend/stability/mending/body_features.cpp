#include <algorithm>
#include <cmath>

#include <prehend/geometry/polyhedron.h>
#include <prehend/math/angles.h>
#include <prehend/stability/mending/body_features.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using geometry::EdgeIndex;
using geometry::FaceIndex;
using geometry::Polyhedron;
using geometry::VertexIndex;

// Features of one body: meshes of many facets keep their largest. Pairs are tried one by one, so this bounds the time of a pair.
constexpr std::size_t kMostFlats = 120, kMostLines = 240;
// [rad] An edge blunter than this belongs to a curved surface, whose facets and corners stand for it.
constexpr double kBlunt = 0.35;
// Corners of a can's disc.
constexpr int kDiscSides = 32;

void add_faces(const Polyhedron& shape, const math::Pose& X_BG, BodyFeatures& features) {
  for (FaceIndex f(0); f < shape.faces().size(); ++f) {
    const geometry::PolyhedronFace& face = shape.faces()[f];
    if (face.loop_count == 0 || !(face.area > 0.0)) continue;
    FlatFeature flat;
    flat.n = X_BG.q() * face.normal;
    flat.area = face.area;
    flat.p.setZero();
    for (int k = 0; k < face.loop_count; ++k) {
      std::vector<Vector3d> loop;
      for (const VertexIndex v : shape.corners(f, k)) loop.push_back(X_BG * shape.vertices()[v]);
      flat.loops.push_back(std::move(loop));
    }
    if (flat.loops.front().size() < 3) continue;
    for (const Vector3d& p : flat.loops.front()) flat.p += p / static_cast<double>(flat.loops.front().size());
    for (const Vector3d& p : flat.loops.front()) flat.radius = std::max(flat.radius, (p - flat.p).norm());
    features.flats.push_back(std::move(flat));
  }
}

void add_edges(const Polyhedron& shape, const math::Pose& X_BG, BodyFeatures& features) {
  for (const geometry::PolyhedronEdge& edge : shape.edges()) {
    if (edge.kind != geometry::EdgeKind::convex || math::kPi - edge.interior_angle < kBlunt) continue;
    LineFeature line;
    line.p = X_BG * shape.vertices()[edge.start];
    line.q = X_BG * shape.vertices()[edge.end];
    const Vector3d along = (line.q - line.p).normalized();
    line.normals[0] = X_BG.q() * shape.faces()[edge.left].normal;
    line.normals[1] = X_BG.q() * shape.faces()[edge.right].normal;
    line.inwards[0] = line.normals[0].cross(along);
    line.inwards[1] = -line.normals[1].cross(along);
    features.lines.push_back(line);
  }
}

void add_corners(const Polyhedron& shape, const math::Pose& X_BG, BodyFeatures& features) {
  for (VertexIndex v(0); v < shape.vertices().size(); ++v) {
    if (!shape.is_corner(v)) continue;
    PointFeature point;
    point.p = X_BG * shape.vertices()[v];
    for (const EdgeIndex e : shape.vertex_edges(v)) {
      const geometry::PolyhedronEdge& edge = shape.edges()[e];
      const VertexIndex other = edge.start == v ? edge.end : edge.start;
      point.along.push_back((X_BG * shape.vertices()[other] - point.p).normalized());
    }
    features.points.push_back(std::move(point));
  }
}

void add_can(const model::Shape& shape, const math::Pose& X_BG, BodyFeatures& features) {
  const double r = shape.size[0], half = 0.5 * shape.size[1];
  const Vector3d up = X_BG.q() * Vector3d::UnitZ();
  features.lines.push_back({X_BG.p() - half * up, X_BG.p() + half * up, r, {}, {}});
  for (const double side : {-1.0, 1.0}) {
    FlatFeature flat;
    flat.n = side * up;
    flat.p = X_BG.p() + half * flat.n;
    flat.radius = r;
    flat.area = math::kPi * r * r;
    flat.loops.emplace_back();
    for (int k = 0; k < kDiscSides; ++k) {
      const double angle = side * 2.0 * math::kPi * k / kDiscSides;
      flat.loops.front().push_back(X_BG * Vector3d(r * std::cos(angle), r * std::sin(angle), side * half));
    }
    features.flats.push_back(std::move(flat));
  }
}

void add_geom(const model::Geom& geom, BodyFeatures& features) {
  switch (geom.shape.kind) {
    case model::ShapeKind::sphere:
      features.points.push_back({geom.X_BG.p(), geom.shape.size[0], {}});
      return;
    case model::ShapeKind::capsule: {
      const Vector3d half = 0.5 * geom.shape.size[1] * (geom.X_BG.q() * Vector3d::UnitZ());
      features.lines.push_back({geom.X_BG.p() - half, geom.X_BG.p() + half, geom.shape.size[0], {}, {}});
      features.points.push_back({geom.X_BG.p() - half, geom.shape.size[0], {}});
      features.points.push_back({geom.X_BG.p() + half, geom.shape.size[0], {}});
      return;
    }
    case model::ShapeKind::cylinder:
      add_can(geom.shape, geom.X_BG, features);
      return;
    case model::ShapeKind::box:
    case model::ShapeKind::ellipsoid:
    case model::ShapeKind::plane:
    case model::ShapeKind::mesh:
      break;
  }
  const Polyhedron shape = Polyhedron::from_mesh(geom.mesh);
  add_faces(shape, geom.X_BG, features);
  if (geom.shape.kind == model::ShapeKind::plane) return;
  add_edges(shape, geom.X_BG, features);
  add_corners(shape, geom.X_BG, features);
}

template <class Feature, class Size>
void keep_largest(std::vector<Feature>& features, std::size_t most, Size&& size) {
  if (features.size() <= most) return;
  std::stable_sort(features.begin(), features.end(),
                   [&](const Feature& a, const Feature& b) { return size(a) > size(b); });
  features.resize(most);
}

}  // namespace

BodyFeatures body_features(const model::Body& body) {
  BodyFeatures features;
  for (const model::Geom& geom : body.geoms) add_geom(geom, features);
  std::vector<Vector3d> corners;
  for (const model::Geom& geom : body.geoms) {
    for (const Vector3d& p : geom.mesh.vertices) corners.push_back(geom.X_BG * p);
  }
  const geometry::Aabb box = geometry::bounding_box(corners);
  if (!corners.empty()) features.size = (box.upper - box.lower).mean();
  features.com = body.movable || corners.empty() ? body.inertia.com : Vector3d(0.5 * (box.lower + box.upper));
  for (const Vector3d& p : corners) features.radius = std::max(features.radius, (p - features.com).norm());
  keep_largest(features.flats, kMostFlats, [](const FlatFeature& f) { return f.area; });
  keep_largest(features.lines, kMostLines, [](const LineFeature& l) { return (l.q - l.p).norm(); });
  return features;
}

}  // namespace prehend::stability
