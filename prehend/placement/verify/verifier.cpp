#include <algorithm>
#include <cmath>

#include <prehend/math/enum_text.h>
#include <prehend/placement/verify/assembly_strength.h>
#include <prehend/placement/verify/verifier.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/prestress.h>
#include <prehend/stability/transport.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;
using model::BodyIndex;
using stability::LimitAnalysis;
using stability::Stability;

// [g] Less than this is a bare balance, whatever margin is asked for: statics decide to some 1e-6.
constexpr double kBalance_g = 1e-4;
// Pushes that are all asked while a planner searches.
constexpr std::size_t kAskAllQuick = 200;
// Directions in which --pose-error is tried; the polygon of them encloses the circle asked for.
constexpr int kErrorDirections = 16;

}  // namespace

const char* to_string(Rejection rejection) { return enum_text(rejection); }

Verifier::Verifier(const Problem& problem)
    : problem_(problem), search_(problem), corners_(problem), wishes_(problem), scene_(problem.scene) {}

LimitAnalysis Verifier::analysis(const math::Pose& X_WO, const ObjectContacts& contacts,
                                 model::SceneContacts* all) const {
  scene_.bodies[problem_.object].X_WB = X_WO;
  model::SceneContacts together = search_.together(contacts);
  stability::LimitOptions options;
  options.accuracy = 1e-4;
  LimitAnalysis limits(stability::build_contact_system(scene_, together, {}), options);
  if (all) *all = std::move(together);
  return limits;
}

Rejection Verifier::geometry_of(const math::Pose& X_WO, ObjectContacts& contacts,
                                std::vector<bool>& touched) const {
  const Rejection wish = wishes_.of_pose(X_WO);
  if (wish != Rejection::none) return wish;
  contacts = search_.at(X_WO);
  if (contacts.deepest.is_valid()) return Rejection::penetrates;
  if (contacts.interfaces.empty()) return Rejection::floats;
  touched.assign(problem_.scene.bodies.size(), false);
  for (const model::SceneInterface& i : contacts.interfaces)
    touched[i.body_a == problem_.object ? i.body_b : i.body_a] = true;
  for (BodyIndex b(0); b < touched.size(); ++b) {
    if (touched[b] && !problem_.may_touch[b]) return Rejection::touches_other;
  }
  return Rejection::none;
}

bool Verifier::rests(const math::Pose& X_WO) const {
  const ObjectContacts contacts = search_.at(X_WO);
  if (contacts.deepest.is_valid() || contacts.interfaces.empty()) return false;
  return analysis(X_WO, contacts, nullptr).stability() == Stability::stable;
}

Verdict Verifier::check(const math::Pose& X_WO, bool quick) const {
  Verdict verdict;
  verdict.placement.X_WO = X_WO;
  ObjectContacts contacts;
  std::vector<bool> touched;
  verdict.rejection = geometry_of(X_WO, contacts, touched);
  if (!verdict.passed()) return verdict;
  model::SceneContacts all;
  const LimitAnalysis limits = analysis(X_WO, contacts, &all);
  const auto rejected = [&](Rejection reason) {
    verdict.rejection = reason;
    return verdict;
  };
  if (limits.stability() == Stability::unstable) return rejected(Rejection::unstable);
  if (limits.stability() != Stability::stable) return rejected(Rejection::undetermined);
  const stability::Certificate proof = stability::check_resting_forces(
      limits.system(), limits.resting_forces(), limits.resting_joint_forces(), {});
  if (!proof.valid) return rejected(Rejection::undetermined);
  const ShakeMargin margin = shake_margin(limits, problem_.up_W, problem_.gravity);
  verdict.placement.margin_g = margin.least_g;
  if (std::isinf(margin.least_g)) return rejected(Rejection::jam);
  if (margin.guaranteed_g < std::max(problem_.options.margin, kBalance_g)) return rejected(Rejection::margin);
  const Rejection wish = wishes_.of_neighbours(X_WO, touched, search_);
  if (wish != Rejection::none) return rejected(wish);
  if (problem_.options.grasps) {
    verdict.placement.grasps = wishes_.free_grasps(X_WO);
    if (verdict.placement.grasps.empty()) return rejected(Rejection::no_grasp);
  }
  if (problem_.options.pose_error > 0.0 && !holds_off_by(X_WO, problem_.options.pose_error))
    return rejected(Rejection::pose_error);
  if (limits.system().joint_rows.empty() && stability::needs_prestress(limits.system()))
    return rejected(Rejection::jam);
  scene_.bodies[problem_.object].X_WB = X_WO;
  describe(limits, all, contacts, quick, verdict.placement);
  if (std::isnan(verdict.placement.min_sr)) return rejected(Rejection::undetermined);
  verdict.score = score(verdict.placement);
  verdict.is_exact = was_exact_;
  return verdict;
}

void Verifier::describe(const LimitAnalysis& limits, const model::SceneContacts& all,
                        const ObjectContacts& contacts, bool quick, Placement& placement) const {
  const std::vector<stability::PointPush> pushes = corners_.pushes(scene_, limits.system(), all.interfaces);
  const LeastPush least = quick ? weakest_push(limits, pushes, kAskAllQuick) : weakest_push(limits, pushes);
  was_exact_ = !quick || pushes.size() <= kAskAllQuick;
  placement.min_sr = least.determined || least.push >= 0 ? least.force : Placement::kUnknown;
  if (least.push >= 0) {
    const stability::PointPush& push = pushes[static_cast<std::size_t>(least.push)];
    placement.weakest = {limits.system().bodies[push.body].body, push.p_W, push.d_W.normalized(), least.mode};
  }
  placement.robustness = axis_robustness(limits);
  placement.contacts.clear();
  for (const model::SceneInterface& i : contacts.interfaces) {
    const bool object_is_b = i.body_b == problem_.object;
    placement.contacts.push_back({object_is_b ? i.body_a : i.body_b,
                                  object_is_b ? i.patch.n_W : Vector3d(-i.patch.n_W), i.patch.points_W,
                                  i.patch.area_m2, i.patch.loops_W});
  }
}

double Verifier::score(const Placement& placement) const {
  const Vector3d com_W = placement.X_WO * problem_.body().inertia.com;
  switch (problem_.options.objective) {
    case Objective::robust:
      // Where the same push decides, the steadier one.
      return std::isinf(placement.min_sr) ? 1e300 : placement.min_sr * (1.0 + 1e-3 * std::min(placement.margin_g, 1.0));
    case Objective::first:
      return 0.0;
    case Objective::low:
      return -problem_.up_W.dot(com_W);
    case Objective::near:
      return -(com_W - problem_.options.near_W).norm();
  }
  return 0.0;
}

std::optional<math::Pose> Verifier::lowered(const math::Pose& X_WO) const {
  // Lifted clear first, then down by what the distance allows: every body is at least that far away.
  double lift = 0.0;
  const auto at = [&](double height) {
    return math::Pose(X_WO.q(), X_WO.p() + height * problem_.up_W);
  };
  const auto distance = [&](double height) {
    double least = std::numeric_limits<double>::infinity();
    for (BodyIndex b(0); b < problem_.scene.bodies.size(); ++b) {
      if (b == problem_.object || problem_.scene.bodies[b].geoms.empty()) continue;
      least = std::min(least, search_.distance(at(height), b));
    }
    return least;
  };
  const double most = 4.0 * problem_.options.pose_error;
  if (!search_.at(X_WO).deepest.is_valid() && !search_.at(X_WO).interfaces.empty()) return X_WO;
  lift = most;
  for (int step = 0; step < 200; ++step) {
    const double apart = distance(lift);
    if (step == 0 && apart < 0.0) return std::nullopt;  // blocked from the side
    if (apart <= 0.5 * kTouch) return at(lift);
    lift -= apart;
    if (lift < -most) return std::nullopt;
  }
  return std::nullopt;
}

bool Verifier::holds_off_by(const math::Pose& X_WO, double distance) const {
  const std::vector<Vector3d> directions = stability::plane_directions(problem_.up_W, kErrorDirections);
  const double outer = distance / std::cos(M_PI / kErrorDirections);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    for (const double share : {1.0, 0.5}) {
      if (share < 1.0 && i % 2 == 1) continue;
      const math::Pose off(X_WO.q(), X_WO.p() + share * outer * directions[i]);
      const std::optional<math::Pose> landed = lowered(off);
      if (!landed || !rests(*landed)) return false;
    }
  }
  return true;
}

}  // namespace prehend::placement
