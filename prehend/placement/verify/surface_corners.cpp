#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/polygon2.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/math/angles.h>
#include <prehend/placement/verify/surface_corners.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Share of a face's area that contacts cover when they cover it wholly: outlines are clipped to 1e-9, poses of scenes are good to 1e-4 of
// a body's size.
constexpr double kWholly = 1.0 - 1e-4;

struct PlaneAxes {
  Vector3d u, v;
  explicit PlaneAxes(const Vector3d& n) {
    u = n.unitOrthogonal();
    v = n.cross(u);
  }
  Vector2d operator()(const Vector3d& p) const { return {u.dot(p), v.dot(p)}; }
};

void add_flat_faces(const PreparedGeom& geom, std::vector<SurfaceFace>& faces,
                    std::vector<SurfaceCorner>& corners) {
  const geometry::Polyhedron& shape = geom.polyhedron;
  for (geometry::FaceIndex f(0); f < shape.faces().size(); ++f) {
    const geometry::PolyhedronFace& face = shape.faces()[f];
    if (face.loop_count == 0) continue;
    SurfaceFace added{geom.ref.body, true, geom.X_BG.q() * face.normal,      0.0,
                      face.area,     {},   static_cast<int>(corners.size()), 0};
    for (int k = 0; k < face.loop_count; ++k) {
      added.loops_B.emplace_back();
      for (const geometry::VertexIndex v : shape.corners(f, k)) {
        const Vector3d p_B = geom.X_BG * shape.vertices()[v];
        added.loops_B.back().push_back(p_B);
        if (k == 0) corners.push_back({geom.ref.body, p_B, added.n_B});
      }
    }
    added.offset = added.n_B.dot(geom.X_BG * (face.normal * face.offset));
    added.count = static_cast<int>(corners.size()) - added.first;
    faces.push_back(std::move(added));
  }
}

void add_round_surface(const PreparedGeom& geom, std::vector<SurfaceFace>& faces,
                       std::vector<SurfaceCorner>& corners) {
  const geometry::RoundShape& round = *geom.round;
  const bool is_cylinder = round.kind() == geometry::RoundKind::cylinder;
  SurfaceFace side{geom.ref.body, false, {}, 0.0, 0.0, {}, static_cast<int>(corners.size()), 0};
  for (const Vector3d& p : geom.polyhedron.vertices()) {
    Vector3d n = Vector3d::Zero();
    if (is_cylinder) {
      n = Vector3d(p.x(), p.y(), 0.0).normalized();
    } else {
      round.distance(p, &n);
    }
    corners.push_back({geom.ref.body, geom.X_BG * p, geom.X_BG.q() * n});
  }
  side.count = static_cast<int>(corners.size()) - side.first;
  faces.push_back(side);
  if (!is_cylinder) return;
  const double r = round.size()[0], half = round.size()[1];
  for (const double sign : {-1.0, 1.0}) {
    SurfaceFace cap{geom.ref.body, true, geom.X_BG.q() * Vector3d(0, 0, sign), 0.0,
                    0.0,           {},   static_cast<int>(corners.size()),     0};
    std::vector<Vector3d> loop;
    constexpr int kRim = 64;
    for (int i = 0; i < kRim; ++i) {
      const double angle = sign * 2.0 * math::kPi * i / kRim;
      loop.push_back(geom.X_BG * Vector3d(r * std::cos(angle), r * std::sin(angle), sign * half));
      corners.push_back({geom.ref.body, loop.back(), cap.n_B});
    }
    cap.area = 0.5 * kRim * r * r * std::sin(2.0 * math::kPi / kRim);
    cap.offset = cap.n_B.dot(loop.front());
    cap.count = kRim;
    cap.loops_B.push_back(std::move(loop));
    faces.push_back(std::move(cap));
  }
}

// Whether another geom of the same body covers a face: all its corners, drawn in a little and lifted off a little, lie inside one.
bool is_inside_own_body(const Problem& problem, const SurfaceFace& face, const model::GeomRef& own,
                        std::span<const SurfaceCorner> corners) {
  const model::Body& body = problem.scene.bodies[face.body];
  if (body.geoms.size() < 2 || !face.is_flat) return false;
  Vector3d middle = Vector3d::Zero();
  for (const SurfaceCorner& c : corners) middle += c.p_B / static_cast<double>(corners.size());
  double size = 0.0;
  for (const SurfaceCorner& c : corners) size = std::max(size, (c.p_B - middle).norm());
  for (model::GeomIndex g(0); g < body.geoms.size(); ++g) {
    if (g == own.geom) continue;
    const geometry::TriangleTree tree(body.geoms[g].mesh);
    const math::Pose X_GB = body.geoms[g].X_BG.inverse();
    if (std::all_of(corners.begin(), corners.end(), [&](const SurfaceCorner& c) {
          const Vector3d p_B = c.p_B + 1e-3 * (middle - c.p_B) + 1e-5 * size * face.n_B;
          return tree.contains(X_GB * p_B);
        }))
      return true;
  }
  return false;
}

// [m^2] Of a face that an interface covers.
double covered_area(const SurfaceFace& face, const math::Pose& X_WB, const model::SceneInterface& interface,
                    double tolerance) {
  const Vector3d n_W = X_WB.q() * face.n_B;
  const double sign = interface.body_a == face.body ? 1.0 : -1.0;  // the patch's normal leaves body a
  if (sign * interface.patch.n_W.dot(n_W) < 0.999) return 0.0;
  const PlaneAxes axes(n_W);
  geometry::Polygon2 outline, patch;
  for (const auto& loop : face.loops_B) {
    outline.loops.emplace_back();
    for (const Vector3d& p : loop) outline.loops.back().push_back(axes(X_WB * p));
  }
  const double level = n_W.dot(X_WB * face.loops_B.front().front());
  for (const auto& loop : interface.patch.loops_W) {
    geometry::Loop2 flat;
    for (const Vector3d& p : loop) {
      if (std::abs(n_W.dot(p) - level) > tolerance) return 0.0;
      flat.push_back(axes(p));
    }
    if (sign < 0.0) std::reverse(flat.begin(), flat.end());
    patch.loops.push_back(std::move(flat));
  }
  if (patch.is_empty()) return 0.0;
  const geometry::BooleanResult both = geometry::intersect(outline, patch);
  return both.is_closed ? geometry::area(both.polygon) : 0.0;
}

}  // namespace

SurfaceCorners::SurfaceCorners(const Problem& problem) {
  for (const auto* list : {&problem.others, &problem.own}) {
    for (const PreparedGeom& geom : *list) {
      if (!problem.is_movable(geom.ref.body)) continue;
      std::vector<SurfaceFace> faces;
      std::vector<SurfaceCorner> corners;
      if (geom.round) {
        add_round_surface(geom, faces, corners);
      } else {
        add_flat_faces(geom, faces, corners);
      }
      for (SurfaceFace& face : faces) {
        const std::span<const SurfaceCorner> own(corners.data() + face.first,
                                                 static_cast<std::size_t>(face.count));
        if (is_inside_own_body(problem, face, geom.ref, own)) continue;
        face.first = static_cast<int>(corners_.size());
        corners_.insert(corners_.end(), own.begin(), own.end());
        faces_.push_back(std::move(face));
      }
    }
  }
}

std::vector<stability::PointPush> SurfaceCorners::pushes(
    const model::Scene& scene, const stability::ContactSystem& system,
    std::span<const model::SceneInterface> interfaces) const {
  std::vector<stability::PointPush> pushes;
  pushes.reserve(corners_.size());
  for (const SurfaceFace& face : faces_) {
    const math::Pose& X_WB = scene.bodies[face.body].X_WB;
    if (!system.node_of_body[face.body].is_valid()) continue;
    if (face.is_flat) {
      double covered = 0.0, possible = 0.0;
      for (const model::SceneInterface& i : interfaces) {
        if (i.body_a == face.body || i.body_b == face.body) possible += i.patch.area_m2;
      }
      if (possible >= kWholly * face.area) {
        for (const model::SceneInterface& i : interfaces) {
          if (i.body_a == face.body || i.body_b == face.body)
            covered += covered_area(face, X_WB, i, 1e-3 * std::sqrt(face.area) + 1e-4);
        }
      }
      if (covered >= kWholly * face.area) continue;
    }
    for (int k = 0; k < face.count; ++k) {
      const SurfaceCorner& corner = corners_[static_cast<std::size_t>(face.first + k)];
      pushes.push_back({system.node_of_body[corner.body], X_WB * corner.p_B, -(X_WB.q() * corner.n_B)});
    }
  }
  return pushes;
}

}  // namespace prehend::placement
