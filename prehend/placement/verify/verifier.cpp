#include <algorithm>
#include <cmath>

#include <prehend/math/angles.h>
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

// Directions in which --pose-error is tried; the polygon of them encloses the circle asked for.
constexpr int kErrorDirections = 16;
// Score of what no push moves.
constexpr double kNeverMoves = 1e300;
// Limits are found to 1e-4: what differs by less than twice that is the same.
constexpr double kSame = 2e-4;

double work_of(const LimitAnalysis& limits) {
  return static_cast<double>(limits.programs()) * static_cast<double>(limits.system().contacts.size());
}

}  // namespace

const char* to_string(Rejection rejection) { return enum_text(rejection); }

Verifier::Verifier(const Problem& problem)
    : problem_(problem), search_(problem), assembly_(problem), wishes_(problem) {}

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
  std::vector<bool> touched(problem_.scene.bodies.size(), false);
  for (const model::SceneInterface& i : contacts.interfaces) touched[i.body_a] = touched[i.body_b] = true;
  return assembly_.limits(X_WO, search_.together(contacts), assembly_.with_object(touched)).stability() ==
         Stability::stable;
}

Rejection Verifier::wishes_of(const math::Pose& X_WO, const std::vector<bool>& touched,
                              Placement& placement) const {
  const Rejection wish = wishes_.of_neighbours(X_WO, touched, search_);
  if (wish != Rejection::none) return wish;
  if (problem_.options.grasps) {
    placement.grasps = wishes_.free_grasps(X_WO);
    if (placement.grasps.empty()) return Rejection::no_grasp;
  }
  if (problem_.options.pose_error > 0.0 && !holds_off_by(X_WO, problem_.options.pose_error))
    return Rejection::pose_error;
  return Rejection::none;
}

Rejection Verifier::margins_of(const LimitAnalysis& limits, const std::vector<bool>& bodies,
                               Placement& placement) const {
  const ShakeMargin own = assembly_.margin(limits), beside = assembly_.margin_beside(bodies);
  if (std::isinf(own.least_g)) return Rejection::jam;
  placement.margin_g = std::min(own.least_g, beside.least_g);
  const double wanted = problem_.least_margin_g();
  const double guaranteed = std::min(own.guaranteed_g, beside.guaranteed_g);
  const bool has_intervals = !problem_.options.intervals.is_zero();
  if (has_intervals) placement.guaranteed_margin_g = guaranteed;
  if (guaranteed >= wanted) return Rejection::none;
  return has_intervals && placement.margin_g >= wanted ? Rejection::intervals : Rejection::margin;
}

void Verifier::guarantee(Placement& placement) const {
  if (problem_.options.intervals.is_zero()) return;
  const ObjectContacts contacts = search_.at(placement.X_WO);
  std::vector<bool> touched(problem_.scene.bodies.size(), false);
  for (const model::SceneInterface& i : contacts.interfaces) touched[i.body_a] = touched[i.body_b] = true;
  placement.guaranteed_min_sr =
      assembly_.guaranteed_push(placement.X_WO, search_.together(contacts), assembly_.with_object(touched));
}

Verdict Verifier::check(const math::Pose& X_WO, bool quick, double above_N) const {
  Verdict verdict;
  verdict.placement.X_WO = X_WO;
  ObjectContacts contacts;
  std::vector<bool> touched;
  verdict.rejection = geometry_of(X_WO, contacts, touched);
  if (!verdict.passed()) return verdict;
  const model::SceneContacts all = search_.together(contacts);
  const std::vector<bool> bodies = assembly_.with_object(touched);
  const LimitAnalysis limits = assembly_.limits(X_WO, all, bodies);
  const auto rejected = [&](Rejection reason) {
    verdict.rejection = reason;
    verdict.work = work_of(limits);
    return verdict;
  };
  if (limits.stability() == Stability::unstable) return rejected(Rejection::unstable);
  if (limits.stability() != Stability::stable) return rejected(Rejection::undetermined);
  const stability::Certificate proof = stability::check_resting_forces(
      limits.system(), limits.resting_forces(), limits.resting_joint_forces(), {});
  if (!proof.valid) return rejected(Rejection::undetermined);
  if (above_N >= 0.0) {
    const GroupStrength weakest = assembly_.own_strength(X_WO, limits, all);
    if (weakest.is_determined && weakest.min_sr <= above_N * (1.0 + kSame)) {
      verdict.placement.min_sr = verdict.score = weakest.min_sr;
      verdict.is_outdone = true;
      return rejected(Rejection::none);
    }
  }
  const Rejection shaken = margins_of(limits, bodies, verdict.placement);
  if (shaken != Rejection::none) return rejected(shaken);
  const Rejection wish = wishes_of(X_WO, touched, verdict.placement);
  if (wish != Rejection::none) return rejected(wish);
  if (limits.system().joint_rows.empty() && stability::needs_prestress(limits.system()))
    return rejected(Rejection::jam);
  Placement& placement = verdict.placement;
  const GroupStrength strength =
      weaker(assembly_.strength(X_WO, limits, all, quick), assembly_.strength_beside(bodies));
  if (!strength.is_determined) return rejected(Rejection::undetermined);
  if (strength.is_jammed) return rejected(Rejection::jam);
  placement.min_sr = strength.min_sr;
  placement.weakest = strength.weakest;
  placement.robustness = strength.robustness;
  for (const model::SceneInterface& i : contacts.interfaces) {
    const bool object_is_b = i.body_b == problem_.object;
    placement.contacts.push_back({object_is_b ? i.body_a : i.body_b,
                                  object_is_b ? i.patch.n_W : Vector3d(-i.patch.n_W), i.patch.points_W,
                                  i.patch.area_m2, i.patch.loops_W});
  }
  verdict.score = score(placement);
  verdict.is_exact = strength.is_exact;
  verdict.work = work_of(limits);
  return verdict;
}

double Verifier::score(const Placement& placement) const {
  const Vector3d com_W = placement.X_WO * problem_.body().inertia.com;
  switch (problem_.options.objective) {
    case Objective::robust:
      // Where the same push decides, the steadier one.
      return std::isinf(placement.min_sr)
                 ? kNeverMoves
                 : placement.min_sr * (1.0 + 1e-3 * std::min(placement.margin_g, 1.0));
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
  const auto at = [&](double height) { return math::Pose(X_WO.q(), X_WO.p() + height * problem_.up_W); };
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
  const double outer = distance / std::cos(math::kPi / kErrorDirections);
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
