#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <Eigen/Eigenvalues>

#include <prehend/model/house/resting_points.h>
#include <prehend/model/house/round_surface.h>

namespace prehend::model {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// The one contact that carries a body from below, if it is a point, what else touches does so from the side of a level one, and no joint
// holds the body.
SceneInterface* only_support(const Scene& scene, BodyIndex body, const Vector3d& down_W,
                             std::vector<SceneInterface>& contacts) {
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
  for (SceneInterface& contact : contacts) {
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
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(there.K);
  return is_known(solver.eigenvectors().col(0), there.facet) &&
         is_known(solver.eigenvectors().col(1), there.facet);
}

}  // namespace

void rest_on_points(const Scene& scene, double touching, std::vector<SceneInterface>& contacts) {
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
    const auto both = surfaces_together(
        surface_at(scene.bodies[b], plane, out, touching),
        surface_at(scene.bodies[is_a ? support->body_b : support->body_a], plane, -out, touching));
    if (!both) continue;
    const Vector3d com = scene.bodies[b].X_WB * scene.bodies[b].inertia.com;
    const double h = down.dot(plane.p_W - com);
    const Vector3d under = com + out.dot(plane.p_W - com) / down.dot(out) * down, e = under - plane.p_W;
    if (may_be_off({e.dot(plane.u_W), e.dot(plane.v_W)}, h, *both)) support->patch.points_W.front() = under;
  }
}

}  // namespace prehend::model
