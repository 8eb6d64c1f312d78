#include <algorithm>
#include <cmath>
#include <cstdio>

#include <prehend/math/spatial.h>
#include <prehend/topology/evidence/link_balance.h>
#include <prehend/topology/push_suggestion.h>

namespace prehend::topology {
namespace {

// Axes, face and space diagonals of a cube, one of each pair.
std::vector<Eigen::Vector3d> directions() {
  std::vector<Eigen::Vector3d> out;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const int first = x != 0 ? x : y != 0 ? y : z;
        if (first > 0) out.push_back(Eigen::Vector3d(x, y, z).normalized());
      }
  return out;
}

// How much of a push on `link` crosses a joint.
double share_across(const ArticulatedObject& object, const std::vector<char>& below, int link,
                    const std::vector<int>& held, bool base_is_fixed) {
  const char side = below[static_cast<std::size_t>(link)];
  if (base_is_fixed && side != 0) return 1.0;
  for (const int other : held)
    if (below[static_cast<std::size_t>(other)] != side) return 1.0;
  double far = 0.0, all = 0.0;
  for (std::size_t i = 0; i < below.size(); ++i) {
    all += object.links[i].inertia.mass;
    if (below[i] != side) far += object.links[i].inertia.mass;
  }
  if (base_is_fixed)
    return 0.0;  // pushed on the base's side: nothing reaches what hangs free but by moving, which a fixed base does not
  return all > 0.0 ? far / all : 0.0;
}

}  // namespace

PushSuggestion suggest_push(const ArticulatedObject& object, const std::vector<math::Pose>& X_WL,
                            const std::vector<int>& held, bool base_is_fixed,
                            const std::vector<FoundJoint>& joints, const TopologyOptions& topology,
                            const PushOptions& options) {
  PushSuggestion best;
  std::string open;
  for (const int link : held) {
    const math::Pose& X_WL_held = X_WL[static_cast<std::size_t>(link)];
    for (const bool is_moment : {false, true})
      for (const Eigen::Vector3d& d : directions()) {
        math::Vector6d F_L = math::Vector6d::Zero();
        if (is_moment)
          F_L.head<3>() = options.moment * d;
        else
          F_L.tail<3>() = options.force * d;
        PushSuggestion push;
        push.link = link;
        push.is_moment = is_moment;
        push.direction_L = d;
        for (std::size_t j = 0; j < joints.size(); ++j) {
          if (joints[j].untested_P.empty()) continue;
          const double share =
              share_across(object, subtree(object, static_cast<int>(j)), link, held, base_is_fixed);
          const math::Pose X_PL = X_WL[static_cast<std::size_t>(joints[j].parent)].inverse() * X_WL_held;
          const math::Vector6d F_P = share * (math::wrench_adjoint(X_PL) * F_L);
          double most = 0.0;
          for (const math::Vector6d& s : joints[j].untested_P) {
            const double friction =
                s.head<3>().norm() > 0.0 ? topology.largest_friction_torque : topology.largest_friction_force;
            const double load = std::abs(s.dot(F_P)) / std::max(friction, 1e-6);
            push.worth += std::log1p(load * load);
            most = std::max(most, load);
          }
          if (most > 1.0) push.joints.push_back(static_cast<int>(j));
        }
        if (push.worth > best.worth) best = push;
      }
  }
  if (best.joints.empty()) {
    best.sentence = "no push on a held link loads what is open beyond friction; hold another link";
    bool all_identified = true;
    for (const FoundJoint& joint : joints) all_identified &= joint.status == TopologyStatus::ok;
    if (all_identified) best.sentence = "every joint is identified";
    return best;
  }
  best.is_useful = true;
  for (const int j : best.joints)
    open += (open.empty() ? "'" : ", '") + joints[static_cast<std::size_t>(j)].name + "'";
  char text[200];
  std::snprintf(
      text, sizeof text, "%s link '%s' to and fro %s (%.2f, %.2f, %.2f) of its axes: it is worth most for ",
      best.is_moment ? "turn" : "push", object.links[static_cast<std::size_t>(best.link)].name.c_str(),
      best.is_moment ? "about" : "along", best.direction_L[0], best.direction_L[1], best.direction_L[2]);
  best.sentence = text + open;
  return best;
}

PushSuggestion suggest_push(const ArticulatedObject& object, const Recording& recording,
                            const std::vector<FoundJoint>& joints, const TopologyOptions& topology,
                            const PushOptions& options) {
  std::vector<math::Pose> X_WL;
  for (const std::vector<math::Pose>& X : recording.X_WL) X_WL.push_back(X.back());
  std::vector<int> held;
  for (const HeldLink& hand : recording.held) held.push_back(hand.link);
  return suggest_push(object, X_WL, held, recording.base_is_fixed, joints, topology, options);
}

}  // namespace prehend::topology
