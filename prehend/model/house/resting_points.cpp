#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>

#include <prehend/model/house/resting_points.h>

namespace prehend::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// [-] of the size: what files of six digits and rounding leave.
constexpr double kRounding = 1e-6;

// A round surface at a contact point.
struct SurfaceThere {
  double distance{0.0};               // [m] of the point from it
  Matrix2d K{Matrix2d::Zero()};       // [1/m] curvatures along two tangents, positive where it bulges
  double facet{0.0};                  // [m] half of one; 0: it has none
  double place{0.0};                  // [m] where the point may be along the surface
  double offset{0.0};                 // [m] rounding, and noise of the axis
  Vector2d around{Vector2d::Zero()};  // unit tangent around the axis of a mesh; zero: on the axis, or no mesh
};

// Change of the outward normal along the tangents, over a fiftieth of the shape: noise of a mesh is not taken for curvature.
Matrix2d curvatures(const geometry::RoundShape& shape, const Vector3d& p, const Vector3d& u,
                    const Vector3d& v) {
  const double step = 0.02 * shape.diagonal();
  Matrix2d K;
  int column = 0;
  for (const Vector3d& d : {u, v}) {
    Vector3d ahead, behind;
    shape.distance(p + step * d, &ahead);
    shape.distance(p - step * d, &behind);
    const Vector3d change = (ahead - behind) / (2.0 * step);
    K.col(column++) = Vector2d(change.dot(u), change.dot(v));
  }
  return 0.5 * (K + K.transpose());
}

// A plane of contact: the point, down, and two tangents.
struct ContactPlane {
  Vector3d p_W, u_W, v_W;
};

// The round part of a body that is nearest to the point and looks along `out_W` there; none where facets are.
std::optional<SurfaceThere> surface_at(const Body& body, const ContactPlane& plane, const Vector3d& out_W,
                                       double touching) {
  std::optional<SurfaceThere> nearest;
  const auto offer = [&](const geometry::RoundShape& shape, const math::Pose& X_BS, double depth,
                         double offset) {
    const math::Pose X_WS = body.X_WB * X_BS;
    const Vector3d p = X_WS.inverse() * plane.p_W;
    Vector3d n;
    SurfaceThere found;
    found.distance = std::abs(shape.distance(p, &n));
    if (found.distance > touching + depth || (nearest && nearest->distance <= found.distance)) return;
    if ((X_WS.R() * n).dot(out_W) < 0.9) return;
    const Eigen::Matrix3d R_SW = X_WS.R().transpose();
    found.K = curvatures(shape, p, R_SW * plane.u_W, R_SW * plane.v_W);
    // Half the chord of a circle whose arc is so deep.
    const double half_facet = std::sqrt(2.0 * shape.size()[0] * depth);
    const Vector3d around_W = X_WS.R() * Vector3d(-p.y(), p.x(), 0.0);
    if (half_facet > 0.0 && around_W.norm() > half_facet)
      found.around = Vector2d(around_W.dot(plane.u_W), around_W.dot(plane.v_W)).normalized();
    found.facet = half_facet;
    found.place = std::max(half_facet, touching);
    found.offset = std::max(offset, kRounding * shape.diagonal());
    nearest = found;
  };
  for (const Geom& geom : body.geoms) {
    for (const geometry::TurnedMesh::Part& part : turned_parts(geom))
      offer(part.round.shape, geom.X_BG * part.round.X_MS, drawn_within(part.round),
            2.0 * part.round.deviation);
    if (const auto round = round_shape(geom.shape)) offer(*round, geom.X_BG, 0.0, 0.0);
  }
  return nearest;
}

// The one contact that carries a body from below, if it is a point, what else touches does so from the side of a level one, and no joint
// holds the body.
SceneInterface* only_support(const Scene& scene, BodyIndex body, const Vector3d& down_W,
                             SceneContacts& contacts) {
  constexpr double kSideways = 0.1;  // sine: contacts that carry a tenth of what they press at most
  for (const auto* joints : {&scene.joints, &scene.loop_joints}) {
    for (const Joint& joint : *joints) {
      if (joint.type != JointType::free && (joint.parent == body || joint.child == body)) return nullptr;
    }
  }
  // Cosine of 0.5 degrees: what stands level is not carried by its neighbours, as balls in a bowl are that lean on each other.
  constexpr double kLevel = 0.99996;
  SceneInterface* support = nullptr;
  double level = 0.0;
  int others = 0;
  for (SceneInterface& contact : contacts.interfaces) {
    if (contact.body_a != body && contact.body_b != body) continue;
    const double down = (contact.body_a == body ? 1.0 : -1.0) * down_W.dot(contact.patch.n_W);
    others += std::abs(down) <= kSideways;
    if (std::abs(down) <= kSideways) continue;
    if (support != nullptr || down < 0.5 || contact.patch.points_W.size() != 1) return nullptr;
    support = &contact;
    level = down;
  }
  return others == 0 || level >= kLevel ? support : nullptr;
}

// Whether the place of a contact may be off by `e` [m]: the body, its centre h [m] over the point, would roll there itself, it is rounding, or the
// profile of a mesh has it half a facet away. Around its axis a mesh knows the place well: there every point is alike.
bool may_be_off(const Vector2d& e, double h, const SurfaceThere& there) {
  // [-] Below, rolling brings a body back so slowly that it counts as not at all: a ball in a bowl of fifty radii.
  constexpr double kRestores = 0.02;
  const auto is_known = [&](const Vector2d& direction, double facet) {
    const double restores = 1.0 - h * direction.dot(there.K * direction);
    const double rolls = restores > kRestores ? restores * there.place : 0.0;
    return std::abs(direction.dot(e)) <= std::max({rolls, facet, there.offset});
  };
  if (there.facet > 0.0 && !there.around.isZero())
    return is_known(there.around, 0.0) && is_known({-there.around.y(), there.around.x()}, there.facet);
  const Eigen::SelfAdjointEigenSolver<Matrix2d> solver(there.K);
  return is_known(solver.eigenvectors().col(0), there.facet) &&
         is_known(solver.eigenvectors().col(1), there.facet);
}

}  // namespace

std::optional<geometry::RoundShape> round_shape(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      return geometry::RoundShape::sphere(shape.size[0]);
    case ShapeKind::capsule:
      return geometry::RoundShape::capsule(shape.size[0], shape.size[1]);
    case ShapeKind::cylinder:
      return geometry::RoundShape::cylinder(shape.size[0], shape.size[1]);
    case ShapeKind::ellipsoid:
      return geometry::RoundShape::ellipsoid(shape.size);
    case ShapeKind::box:
    case ShapeKind::plane:
    case ShapeKind::mesh:
      break;
  }
  return std::nullopt;
}

std::span<const geometry::TurnedMesh::Part> turned_parts(const Geom& geom) {
  return geom.turned ? std::span(geom.turned->parts) : std::span<const geometry::TurnedMesh::Part>();
}

double drawn_within(const geometry::RecognisedRound& round) {
  return 1.02 * round.facet_depth + round.deviation;
}

void rest_on_points(const Scene& scene, double touching, SceneContacts& contacts) {
  const double gravity = scene.gravity_W.norm();
  if (!(gravity > 0.0)) return;
  const Vector3d down = scene.gravity_W / gravity;
  const std::vector<int> groups = scene.rigid_groups();
  for (BodyIndex b(0); b < scene.bodies.size(); ++b) {
    if (groups[b] == 0) continue;
    SceneInterface* support = only_support(scene, b, down, contacts);
    if (support == nullptr) continue;
    const bool is_a = support->body_a == b;
    const Vector3d out = is_a ? support->patch.n_W : Vector3d(-support->patch.n_W);
    const Vector3d u = out.unitOrthogonal();
    const ContactPlane plane{support->patch.points_W.front(), u, out.cross(u)};
    const auto own = surface_at(scene.bodies[b], plane, out, touching);
    const auto other =
        surface_at(scene.bodies[is_a ? support->body_b : support->body_a], plane, -out, touching);
    if (!own && !other) continue;
    SurfaceThere both = own ? *own : *other;
    if (own && other) {
      both.K += other->K;
      if (both.facet < other->facet) both.around = other->around;
      both.facet = std::max(both.facet, other->facet);
      both.place = std::max(both.place, other->place);
      both.offset = std::max(both.offset, other->offset);
    }
    const Vector3d com = scene.bodies[b].X_WB * scene.bodies[b].inertia.com;
    const double h = down.dot(plane.p_W - com);
    const Vector3d under = com + out.dot(plane.p_W - com) / down.dot(out) * down, e = under - plane.p_W;
    if (may_be_off({e.dot(plane.u_W), e.dot(plane.v_W)}, h, both)) support->patch.points_W.front() = under;
  }
}

}  // namespace prehend::model
