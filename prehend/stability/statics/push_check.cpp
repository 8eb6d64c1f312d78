#include <cmath>

#include <prehend/math/number_text.h>
#include <prehend/stability/statics/body_surface.h>
#include <prehend/stability/statics/push_check.h>

namespace prehend::stability {
namespace {

// Times the contact tolerance (1 mm by default): a point read off a drawing or a camera is on the surface, one in the wrong unit or
// frame is not.
constexpr double kToleranceFactor = 10.0;
// A circle of 16 segments lies inside its own polygon by 2 % of the radius, 1 % of the size.
constexpr double kRoundShare = 0.01;

bool is_round(model::ShapeKind kind) {
  return kind != model::ShapeKind::box && kind != model::ShapeKind::plane && kind != model::ShapeKind::mesh;
}

}  // namespace

PushCheck::PushCheck(const model::Scene& scene, double contact_tolerance)
    : scene_(scene), groups_(scene.rigid_groups()), contact_tolerance_(contact_tolerance) {}
PushCheck::~PushCheck() = default;

const PushCheck::Surface* PushCheck::surface(model::BodyIndex body) {
  const auto [entry, is_new] = surfaces_.try_emplace(body.value());
  if (is_new) {
    const geometry::TriangleMesh mesh = body_surface(scene_.bodies[body]);
    if (!mesh.triangles.empty()) {
      double tolerance = kToleranceFactor * contact_tolerance_;
      for (const model::Geom& geom : scene_.bodies[body].geoms) {
        if (!is_round(geom.shape.kind) && !geom.turned) continue;
        tolerance += kRoundShare * geometry::bounding_box(mesh.vertices).diagonal();
        break;
      }
      entry->second = std::make_unique<Surface>(Surface{geometry::TriangleTree(mesh), tolerance});
    }
  }
  return entry->second.get();
}

std::string PushCheck::problem(const Push& push) {
  if (!push.body.is_valid() || push.body >= scene_.bodies.size())
    return "the pushed body is not one of the scene's";
  const model::Body& body = scene_.bodies[push.body];
  const std::string name = "'" + body.name + "'";
  if (groups_[push.body] == 0)
    return "body " + name + " is fixed: it withstands every push; push a movable body";
  if (!push.p_W.allFinite()) return "the pushed point of body " + name + " is not finite";
  const double length = push.d_W.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    return "the push on body " + name + " has no direction: give one that is not zero";
  }
  const Surface* found = surface(push.body);
  if (!found) return "body " + name + " has no surface to push on";
  const double distance = found->tree.closest_point(body.X_WB.inverse() * push.p_W).distance;
  if (distance <= found->tolerance) return "";
  return "the point (" + math::number_text(push.p_W.x()) + ", " + math::number_text(push.p_W.y()) + ", " +
         math::number_text(push.p_W.z()) + ") lies " + math::number_text(distance, 4) +
         " m off the surface of body " + name + "; at most " + math::number_text(found->tolerance, 4) +
         " m is taken for a point on it (world frame, metres)";
}

}  // namespace prehend::stability
