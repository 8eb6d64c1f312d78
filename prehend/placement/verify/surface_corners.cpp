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

// Whether another geom of the same body covers a face: all its corners, drawn in a little and lifted off a little, lie inside one.
bool is_inside_own_body(const Problem& problem, const SurfaceFace& face, const model::GeomRef& own,
                        std::span<const SurfaceCorner> corners) {
  const model::Body& body = problem.scene.bodies[face.body];
  if (body.geoms.size() < 2) return false;
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

using Loops = std::vector<std::vector<Vector3d>>;

struct FaceOutline {
  Vector3d n_W;      // outward
  Loops loops_W;     // [m]
  double tolerance;  // [m] of what lies in the face's plane
};

// [m^2] Of a face that a contact covers.
double covered_area(const FaceOutline& face, const geometry::ContactInterface& contact, bool is_reversed) {
  const PlaneAxes axes(face.n_W);
  geometry::Polygon2 outline, patch;
  for (const auto& loop : face.loops_W) {
    outline.loops.emplace_back();
    for (const Vector3d& p : loop) outline.loops.back().push_back(axes(p));
  }
  const double level = face.n_W.dot(face.loops_W.front().front());
  for (const auto& loop : contact.loops_W) {
    geometry::Loop2 flat;
    for (const Vector3d& p : loop) {
      if (std::abs(face.n_W.dot(p) - level) > face.tolerance) return 0.0;
      flat.push_back(axes(p));
    }
    if (is_reversed) std::reverse(flat.begin(), flat.end());
    patch.loops.push_back(std::move(flat));
  }
  if (patch.is_empty()) return 0.0;
  const geometry::BooleanResult both = geometry::intersect(outline, patch);
  return both.is_closed ? geometry::area(both.polygon) : 0.0;
}

Loops loops_of(const SurfaceFace& face, std::span<const SurfaceCorner> corners, const math::Pose& X_WB) {
  Loops loops;
  if (!face.face.is_valid()) {
    loops.emplace_back();
    for (const SurfaceCorner& corner : corners) loops.back().push_back(X_WB * corner.p_B);
    return loops;
  }
  const geometry::Polyhedron& shape = face.geom->polyhedron;
  for (int k = 0; k < shape.faces()[face.face].loop_count; ++k) {
    loops.emplace_back();
    for (const geometry::VertexIndex v : shape.corners(face.face, k))
      loops.back().push_back(X_WB * (face.geom->X_BG * shape.vertices()[v]));
  }
  return loops;
}

}  // namespace

void SurfaceCorners::add_flat_faces(const Problem& problem, const PreparedGeom& geom) {
  const geometry::Polyhedron& shape = geom.polyhedron;
  std::size_t count = corners_.size();
  for (geometry::FaceIndex f(0); f < shape.faces().size(); ++f) count += shape.corners(f, 0).size();
  if (count > corners_.capacity()) corners_.reserve(std::max(count, 2 * corners_.capacity()));
  const Eigen::Matrix3d R_BG = geom.X_BG.R();
  std::vector<Vector3d> vertices_B;
  vertices_B.reserve(shape.vertices().size());
  for (const Vector3d& v : shape.vertices()) vertices_B.push_back(geom.X_BG * v);
  for (geometry::FaceIndex f(0); f < shape.faces().size(); ++f) {
    const geometry::PolyhedronFace& face = shape.faces()[f];
    if (face.loop_count == 0) continue;
    const auto first = static_cast<int>(corners_.size());
    SurfaceFace added{geom.ref.body, true, R_BG * face.normal, face.area, first, 0, &geom, f};
    for (const geometry::VertexIndex v : shape.corners(f, 0))
      corners_.push_back({geom.ref.body, vertices_B[static_cast<std::size_t>(v.value())], added.n_B});
    added.count = static_cast<int>(corners_.size()) - first;
    if (is_inside_own_body(problem, added, geom.ref,
                           std::span(corners_).subspan(static_cast<std::size_t>(first)))) {
      corners_.resize(static_cast<std::size_t>(first));
    } else {
      faces_.push_back(added);
    }
  }
}

void SurfaceCorners::add_round_surface(const PreparedGeom& geom) {
  const geometry::RoundShape& round = *geom.round;
  const bool is_cylinder = round.kind() == geometry::RoundKind::cylinder;
  SurfaceFace side{geom.ref.body, false, {}, 0.0, static_cast<int>(corners_.size()), 0, &geom, {}};
  for (const Vector3d& p : geom.polyhedron.vertices()) {
    Vector3d n = Vector3d::Zero();
    if (is_cylinder) {
      n = Vector3d(p.x(), p.y(), 0.0).normalized();
    } else {
      round.distance(p, &n);
    }
    corners_.push_back({geom.ref.body, geom.X_BG * p, geom.X_BG.q() * n});
  }
  side.count = static_cast<int>(corners_.size()) - side.first;
  faces_.push_back(side);
}

void SurfaceCorners::add_caps(const Problem& problem, const PreparedGeom& geom) {
  if (geom.round->kind() != geometry::RoundKind::cylinder) return;
  const double r = geom.round->size()[0], half = geom.round->size()[1];
  constexpr int kRim = 64;
  const double area = 0.5 * kRim * r * r * std::sin(2.0 * math::kPi / kRim);
  for (const double sign : {-1.0, 1.0}) {
    const auto first = corners_.size();
    const SurfaceFace cap{
        geom.ref.body, true, geom.X_BG.q() * Vector3d(0, 0, sign), area, static_cast<int>(first), kRim,
        &geom,         {}};
    for (int i = 0; i < kRim; ++i) {
      const double angle = sign * 2.0 * math::kPi * i / kRim;
      corners_.push_back({geom.ref.body,
                          geom.X_BG * Vector3d(r * std::cos(angle), r * std::sin(angle), sign * half),
                          cap.n_B});
    }
    if (is_inside_own_body(problem, cap, geom.ref, std::span(corners_).subspan(first))) {
      corners_.resize(first);
    } else {
      faces_.push_back(cap);
    }
  }
}

SurfaceCorners::SurfaceCorners(const Problem& problem) {
  for (const auto* list : {&problem.others, &problem.own}) {
    for (const PreparedGeom& geom : *list) {
      if (!problem.is_movable(geom.ref.body)) continue;
      if (geom.round) {
        add_round_surface(geom);
        add_caps(problem, geom);
      } else {
        add_flat_faces(problem, geom);
      }
    }
  }
}

bool SurfaceCorners::is_covered(const SurfaceFace& face, const math::Pose& X_WB,
                                std::span<const model::SceneInterface> interfaces) const {
  FaceOutline outline{X_WB.q() * face.n_B, {}, 1e-3 * std::sqrt(face.area) + 1e-4};
  double covered = 0.0;
  for (const model::SceneInterface& i : interfaces) {
    if (i.body_a != face.body && i.body_b != face.body) continue;
    const double sign = i.body_a == face.body ? 1.0 : -1.0;  // the patch's normal leaves body a
    if (sign * i.patch.n_W.dot(outline.n_W) < 0.999) continue;
    if (outline.loops_W.empty())
      outline.loops_W = loops_of(face,
                                 std::span(corners_).subspan(static_cast<std::size_t>(face.first),
                                                             static_cast<std::size_t>(face.count)),
                                 X_WB);
    covered += covered_area(outline, i.patch, sign < 0.0);
  }
  return covered >= kWholly * face.area;
}

std::vector<stability::PointPush> SurfaceCorners::pushes(
    const model::Scene& scene, const stability::ContactSystem& system,
    std::span<const model::SceneInterface> interfaces) const {
  std::vector<stability::PointPush> pushes;
  pushes.reserve(corners_.size());
  std::vector<double> touched(scene.bodies.size(), 0.0);  // [m^2] by body: what contacts may cover
  for (const model::SceneInterface& i : interfaces) {
    touched[i.body_a] += i.patch.area_m2;
    touched[i.body_b] += i.patch.area_m2;
  }
  model::BodyIndex body;
  Eigen::Matrix3d R_WB = Eigen::Matrix3d::Identity();
  for (const SurfaceFace& face : faces_) {
    const stability::NodeIndex node = system.node_of_body[face.body];
    if (!node.is_valid()) continue;
    const math::Pose& X_WB = scene.bodies[face.body].X_WB;
    if (face.body != body) {
      body = face.body;
      R_WB = X_WB.R();
    }
    if (face.is_flat && touched[face.body] >= kWholly * face.area && is_covered(face, X_WB, interfaces))
      continue;
    for (int k = 0; k < face.count; ++k) {
      const SurfaceCorner& corner = corners_[static_cast<std::size_t>(face.first + k)];
      pushes.push_back({node, R_WB * corner.p_B + X_WB.p(), -(R_WB * corner.n_B)});
    }
  }
  return pushes;
}

}  // namespace prehend::placement
