#include <algorithm>
#include <cmath>

#include <prehend/placement/search/load_polygon.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Cone programs a polygon may cost, and how much too far a corner may lie (relative load).
constexpr int kMostPrograms = 48;
constexpr double kSlack = 1e-3;

Corners2 cut(const Corners2& polygon, const Vector2d& a, double b) {
  Corners2 kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d& p = polygon[i];
    const Vector2d& q = polygon[(i + 1) % polygon.size()];
    const double dp = a.dot(p) - b, dq = a.dot(q) - b;
    if (dp <= 0.0) kept.push_back(p);
    if ((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) kept.push_back(p + dp / (dp - dq) * (q - p));
  }
  return hull2(std::move(kept));
}

}  // namespace

LoadPolygons::LoadPolygons(const Problem& problem) : problem_(problem) {
  const std::size_t count = problem.scene.bodies.size();
  for (std::size_t b = 0; b < count; ++b) group_of_.push_back(static_cast<int>(b));
  const bool has_joints =
      std::any_of(problem.scene.joints.begin(), problem.scene.joints.end(), [](const model::Joint& j) {
        return j.type != model::JointType::free && j.type != model::JointType::rigid;
      });
  if (has_joints) std::fill(group_of_.begin(), group_of_.end(), 0);
  bool changes = true;
  while (changes) {  // the smaller number wins
    changes = false;
    for (const model::SceneInterface& i : problem.contacts.interfaces) {
      if (!problem.is_movable(i.body_a) || !problem.is_movable(i.body_b)) continue;
      int &a = group_of_[i.body_a], &b = group_of_[i.body_b];
      if (a == b) continue;
      a = b = std::min(a, b);
      changes = true;
    }
  }
}

const stability::LimitAnalysis& LoadPolygons::limits_of(model::BodyIndex body) const {
  const int group = group_of_[body];
  const auto known = limits_.find(group);
  if (known != limits_.end()) return known->second;
  model::Scene rest = problem_.bare;
  model::SceneContacts contacts;
  contacts.status = problem_.contacts.status;
  for (model::BodyIndex b(0); b < rest.bodies.size(); ++b) {
    if (group_of_[b] != group || b == problem_.object) rest.bodies[b].movable = false;
  }
  for (const model::SceneInterface& i : problem_.contacts.interfaces) {
    if (group_of_[i.body_a] == group || group_of_[i.body_b] == group) contacts.interfaces.push_back(i);
  }
  return limits_.emplace(group, stability::LimitAnalysis(stability::build_contact_system(rest, contacts, {})))
      .first->second;
}

const Corners2& LoadPolygons::of(model::BodyIndex body, const SupportPlane& plane) const {
  const std::pair key(&plane, body.value());
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  Corners2 outline;
  for (const SupportRegion& region : plane.regions) {
    if (region.body == body) outline.insert(outline.end(), region.corners.begin(), region.corners.end());
  }
  return known_.emplace(key, found(body, plane, hull2(std::move(outline)))).first->second;
}

Corners2 LoadPolygons::found(model::BodyIndex body, const SupportPlane& plane,
                             const Corners2& outline) const {
  if (!problem_.is_movable(body) || outline.size() < 3) return outline;
  const stability::LimitAnalysis& limits = limits_of(body);
  const stability::ContactSystem& system = limits.system();
  const stability::NodeIndex node = system.node_of_body[body];
  if (!node.is_valid()) return outline;
  const double weight = problem_.body().inertia.mass * problem_.gravity;
  const auto wrench = [&](const Vector2d& t) { return system.force_wrench(-problem_.up_W, plane.lifted(t)); };
  Corners2 polygon = outline;
  std::vector<Vector2d> holding;
  for (int asked = 0; asked < kMostPrograms && polygon.size() >= 3;) {
    const auto next = std::find_if(polygon.begin(), polygon.end(), [&](const Vector2d& corner) {
      return std::none_of(holding.begin(), holding.end(),
                          [&](const Vector2d& known) { return (known - corner).norm() < 1e-9; });
    });
    if (next == polygon.end()) break;
    const Vector2d corner = *next;
    const stability::PushAnswer answer = limits.ask(stability::Load{{node, wrench(corner)}});
    ++asked;
    if (answer.status != stability::AnswerStatus::ok) return {};
    if (answer.unbounded || answer.robustness >= weight * (1.0 - kSlack)) {
      holding.push_back(corner);
      continue;
    }
    if (!answer.proof || answer.proof->motion.empty()) return {};
    const auto& motion = answer.proof->motion;
    double power = 0.0;
    for (stability::NodeIndex b(0); b < system.bodies.size(); ++b)
      power -= system.gravity_wrench(b).dot(motion[b]);
    if (!(power > 0.0)) return {};
    // The load's power per weight power is affine in t: a . t + c.
    const double at0 = wrench(Vector2d::Zero()).dot(motion[node]) / power;
    const Vector2d a(wrench(Vector2d::UnitX()).dot(motion[node]) / power - at0,
                     wrench(Vector2d::UnitY()).dot(motion[node]) / power - at0);
    if (a.norm() * weight < 1e-12) return {};
    polygon = cut(polygon, a, 1.0 / weight - at0);
  }
  return polygon.size() >= 3 ? polygon : Corners2{};
}

}  // namespace prehend::placement
