#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/observation/relations/body_features.h>

namespace prehend::observation {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

double distance_to_side(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const Vector2d along = b - a;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0.0;
  return (a + t * along - p).norm();
}

// The deepest of the centroids of fans of corners and of the face's triangles: some point well inside.
Vector3d point_inside(const geometry::Polyhedron& body, geometry::FaceIndex face, const FaceFeature& feature) {
  Vector3d best = body.mesh().vertices[static_cast<std::size_t>(
      body.mesh().triangles[static_cast<std::size_t>(body.face_triangles(face)[0])][0])];
  double depth = -1.0;
  const auto consider = [&](const Vector3d& p) {
    const double here = feature.depth_of(p);
    if (here > depth) {
      depth = here;
      best = p;
    }
  };
  Vector3d mean = Vector3d::Zero();
  const auto corners = body.corners(face, 0);
  for (const geometry::VertexIndex corner : corners) mean += body.vertices()[corner];
  consider(mean / static_cast<double>(corners.size()));
  for (const int t : body.face_triangles(face)) {
    const auto& triangle = body.mesh().triangles[static_cast<std::size_t>(t)];
    Vector3d sum = Vector3d::Zero();
    for (const int vertex : triangle) sum += body.vertices()[static_cast<std::size_t>(vertex)];
    consider(sum / 3.0);
  }
  return best;
}

FaceFeature feature_of_face(const geometry::Polyhedron& body, geometry::FaceIndex face,
                         const std::vector<int>& corner_of) {
  const geometry::PolyhedronFace& source = body.faces()[face];
  FaceFeature feature;
  feature.normal = source.normal;
  feature.offset = source.offset;
  feature.u = source.normal.unitOrthogonal();
  feature.v = source.normal.cross(feature.u);
  for (int k = 0; k < source.loop_count; ++k) {
    std::vector<Vector2d> loop;
    for (const geometry::VertexIndex corner : body.corners(face, k)) {
      loop.push_back(feature.flat(body.vertices()[corner]));
      feature.box.extend(loop.back());
      const int number = corner_of[corner];
      if (k == 0 && number >= 0) feature.corners.push_back(number);
    }
    feature.loops.push_back(std::move(loop));
  }
  feature.inner_point = point_inside(body, face, feature);
  return feature;
}

}  // namespace

double FaceFeature::depth_of(const Vector3d& p) const {
  const Vector2d q = flat(p);
  bool is_inside = false;
  double nearest = std::numeric_limits<double>::infinity();
  for (const std::vector<Vector2d>& loop : loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vector2d &a = loop[i], &b = loop[i + 1 < loop.size() ? i + 1 : 0];
      nearest = std::min(nearest, distance_to_side(q, a, b));
      if ((a.y() > q.y()) == (b.y() > q.y())) continue;
      if (a.x() + (b.x() - a.x()) * (q.y() - a.y()) / (b.y() - a.y()) > q.x()) is_inside = !is_inside;
    }
  }
  return is_inside ? nearest : -nearest;
}

BodyFeatures::BodyFeatures(const geometry::Polyhedron& body) {
  std::vector<int> corner_of(body.vertices().size(), -1);
  for (std::size_t v = 0; v < body.vertices().size(); ++v) {
    if (!body.is_corner(geometry::VertexIndex(v))) continue;
    corner_of[v] = static_cast<int>(corners.size());
    corners.push_back(body.vertices()[v]);
    corner_sources.push_back(static_cast<int>(v));
    box.extend(body.vertices()[v]);
  }
  corner_edges.resize(corners.size());
  corner_faces.resize(corners.size());
  for (std::size_t f = 0; f < body.faces().size(); ++f) {
    faces.push_back(feature_of_face(body, geometry::FaceIndex(f), corner_of));
    for (int k = 0; k < body.faces()[f].loop_count; ++k) {
      for (const geometry::VertexIndex vertex : body.corners(geometry::FaceIndex(f), k)) {
        const int corner = corner_of[vertex];
        if (corner >= 0) corner_faces[static_cast<std::size_t>(corner)].push_back(static_cast<int>(f));
      }
    }
  }
  for (std::size_t e = 0; e < body.edges().size(); ++e) {
    const geometry::PolyhedronEdge& source = body.edges()[e];
    if (source.kind != geometry::EdgeKind::convex && source.kind != geometry::EdgeKind::concave) continue;
    const int start = corner_of[source.start], end = corner_of[source.end];
    if (start < 0 || end < 0) continue;
    const int number = static_cast<int>(edges.size());
    edges.push_back({start, end, source.left.value(), source.right.value(),
                     source.kind == geometry::EdgeKind::convex, static_cast<int>(e)});
    is_convex = is_convex && edges.back().is_convex;
    for (const int corner : {start, end}) corner_edges[static_cast<std::size_t>(corner)].push_back(number);
    for (const int face : {edges.back().left, edges.back().right})
      faces[static_cast<std::size_t>(face)].edges.push_back(number);
  }
  // Shells beside each other have convex edges only.
  for (const FaceFeature& face : faces)
    for (const Vector3d& corner : corners)
      is_convex = is_convex && face.normal.dot(corner) - face.offset <= 1e-6 * body.size();
  for (std::size_t c = 0; c < corners.size(); ++c) {
    const Vector3d out = body.vertex_normal(geometry::VertexIndex(corner_sources[c]));
    is_pointed.push_back(std::all_of(corner_edges[c].begin(), corner_edges[c].end(), [&](int e) {
      const EdgeFeature& edge = edges[static_cast<std::size_t>(e)];
      const int other = edge.start == static_cast<int>(c) ? edge.end : edge.start;
      return out.dot(corners[static_cast<std::size_t>(other)] - corners[c]) < 0.0;
    }));
  }
}

bool BodyFeatures::contains(const Vector3d& p, double tolerance) const {
  if ((p - box.min()).minCoeff() <= tolerance || (box.max() - p).minCoeff() <= tolerance) return false;
  if (is_convex)
    return std::all_of(faces.begin(), faces.end(), [&](const FaceFeature& face) {
      return face.normal.dot(p) - face.offset < -tolerance;
    });
  // Crossings of a ray that is parallel to no usual direction; near a face is not inside.
  const Vector3d ray = Vector3d(0.5377, 0.2161, 0.8150).normalized();
  bool is_inside = false;
  for (const FaceFeature& face : faces) {
    const double height = face.normal.dot(p) - face.offset;
    if (std::abs(height) <= tolerance && face.depth_of(p) > -tolerance) return false;
    const double slope = face.normal.dot(ray);
    const double t = -height / slope;
    if (!(t > 0.0) || !std::isfinite(t)) continue;
    if (face.depth_of(p + t * ray) > 0.0) is_inside = !is_inside;
  }
  return is_inside;
}

}  // namespace prehend::observation
