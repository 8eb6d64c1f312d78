#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/observation/local/feature_at.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using geometry::Polyhedron;

double distance_to(const Vector3d& start, const Vector3d& end, const Vector3d& p) {
  const Vector3d along = end - start;
  const double t = std::clamp((p - start).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (start + t * along - p).norm();
}

// Whether the foot of p lies in the face (its plane is that close to p), by crossings of a ray in its plane.
bool lies_in_face(const Polyhedron& body, geometry::FaceIndex face, const Vector3d& p) {
  const geometry::PolyhedronFace& plane = body.faces()[face];
  const Vector3d u = plane.normal.unitOrthogonal(), v = plane.normal.cross(u);
  bool is_inside = false;
  for (int k = 0; k < plane.loop_count; ++k) {
    const auto loop = body.loop(face, k);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vector3d a = body.vertices()[loop[i]] - p, b = body.vertices()[loop[(i + 1) % loop.size()]] - p;
      const double va = a.dot(v), vb = b.dot(v);
      if ((va > 0.0) == (vb > 0.0)) continue;
      if (a.dot(u) + (b.dot(u) - a.dot(u)) * va / (va - vb) > 0.0) is_inside = !is_inside;
    }
  }
  return is_inside;
}

}  // namespace

bool is_contact_edge(const geometry::PolyhedronEdge& edge) {
  return edge.kind == geometry::EdgeKind::convex || edge.kind == geometry::EdgeKind::concave;
}

std::optional<Feature> feature_at(const Polyhedron& body, const Vector3d& p_B, double tolerance) {
  for (std::size_t v = 0; v < body.vertices().size(); ++v) {
    const bool is_corner = body.is_corner(geometry::VertexIndex(static_cast<int>(v)));
    if (is_corner && (body.vertices()[v] - p_B).norm() <= tolerance)
      return Feature{Feature::Kind::vertex, static_cast<int>(v)};
  }
  for (std::size_t e = 0; e < body.edges().size(); ++e) {
    const geometry::PolyhedronEdge& edge = body.edges()[e];
    if (is_contact_edge(edge) &&
        distance_to(body.vertices()[edge.start], body.vertices()[edge.end], p_B) <= tolerance)
      return Feature{Feature::Kind::edge, static_cast<int>(e)};
  }
  for (std::size_t f = 0; f < body.faces().size(); ++f) {
    const geometry::FaceIndex face(static_cast<int>(f));
    const double height = body.faces()[face].normal.dot(p_B - body.vertices()[body.loop(face, 0)[0]]);
    if (std::abs(height) <= tolerance && lies_in_face(body, face, p_B))
      return Feature{Feature::Kind::face, static_cast<int>(f)};
  }
  return std::nullopt;
}

const char* name_of(Feature::Kind kind) {
  return kind == Feature::Kind::face ? "face" : kind == Feature::Kind::edge ? "edge" : "vertex";
}

std::string feature_name(const Feature& feature) {
  return name_of(feature.kind)[0] + std::to_string(feature.index);
}

}  // namespace prehend::observation
