#include <algorithm>
#include <cmath>

#include <prehend/model/house/round_surface.h>

namespace prehend::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// [-] of the size: what files of six digits and rounding leave.
constexpr double kRounding = 1e-6;

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

std::optional<SurfaceThere> surfaces_together(const std::optional<SurfaceThere>& own,
                                              const std::optional<SurfaceThere>& other) {
  if (!own || !other) return own ? own : other;
  SurfaceThere both = *own;
  both.K += other->K;
  if (both.facet < other->facet) both.around = other->around;
  both.facet = std::max(both.facet, other->facet);
  both.place = std::max(both.place, other->place);
  both.offset = std::max(both.offset, other->offset);
  return both;
}

}  // namespace prehend::model
