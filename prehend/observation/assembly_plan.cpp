#include <algorithm>
#include <cmath>

#include <prehend/math/enum_text.h>
#include <prehend/math/se3.h>
#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/pose_correction.h>
#include <prehend/observation/relations/contact_rows.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

// Poses of each trajectory. Contacts are looked up at some of them.
constexpr int kPathPoses = 60;
// [of the smaller body's size] States that have no other approach are approached from so far outside.
constexpr double kApproach = 0.1;

struct PlannedState {
  RelationPose state;
  MotionFreedom freedom;
  Vector3d outward{Vector3d::Zero()};  // mean normal of its contacts
};

PlannedState planned_state(const BodyPair& pair, const RelationPose& state) {
  PlannedState planned{state, {}, Vector3d::Zero()};
  ContactRelation relation;
  if (!state.contacts.empty())
    relation = find_contacts(pair.moving(), state.X_FM, pair.fixed(), math::Pose()).relation;
  planned.freedom = motion_freedom(relation);
  for (const Contact& contact : relation.contacts)
    for (const Vector3d& normal : contact.normals_W) planned.outward += normal.normalized();
  return planned;
}

// A pose from which the state is approached: away along the mean normal of its contacts.
math::Pose outside_of(const BodyPair& pair, const PlannedState& planned) {
  const math::Pose& X = planned.state.X_FM;
  return math::Pose(X.q(), X.p() + kApproach * pair.size() * planned.outward.normalized());
}

// From one pose of a relation to another, along it.
std::vector<math::Pose> along_relation(const BodyPair& pair, const PrincipalContacts& contacts,
                                       const math::Pose& from, const math::Pose& to) {
  std::vector<math::Pose> path{from};
  for (int i = 1; i < kPathPoses; ++i) {
    const math::Pose X = math::interpolate_decoupled(from, to, static_cast<double>(i) / kPathPoses);
    if (contacts.empty()) {
      path.push_back(X);
      continue;
    }
    CorrectionOptions options;
    options.noise = {pair.size(), 1.0};
    const Correction corrected = correct_pose(pair, contacts, X, options);
    if (corrected.status == CorrectionStatus::ok) path.push_back(corrected.X_FM);
  }
  path.push_back(to);
  return path;
}

// The first pose of a path from which on the relation holds: contacts are made there, and what follows slides along them.
std::size_t made_at(const BodyPair& pair, const PrincipalContacts& contacts,
                    const std::vector<math::Pose>& path) {
  const std::vector<ContactRow> rows = rows_of(pair.features(), contacts);
  std::size_t first = path.size();
  while (first > 0) {
    const math::Pose& X = path[first - 1];
    const bool holds = std::all_of(rows.begin(), rows.end(), [&](const ContactRow& row) {
      return std::abs(evaluate(row, X.R(), X.p(), X.p()).gap) <= pair.overlap_tolerance();
    });
    if (!holds) break;
    --first;
  }
  return first;
}

// Whether the second state takes away more freedom than the first.
bool gains(const PlannedState& from, const PlannedState& to) {
  const auto restricted = [](const PlannedState& s) {
    return s.freedom.translation.restricted + s.freedom.rotation.restricted;
  };
  return restricted(to) > restricted(from);
}

AssemblyPlan without_path(AssemblyPlan plan, std::size_t from, const std::string& why) {
  plan.status = PlanStatus::no_path;
  plan.reason = "no trajectory from state " + std::to_string(from) + " to state " + std::to_string(from + 1) +
                (why.empty() ? "" : ": " + why);
  return plan;
}

}  // namespace

const char* to_string(PlanStatus status) { return enum_text(status); }

AssemblyPlan assembly_plan(const BodyPair& pair, const std::vector<RelationPose>& states) {
  AssemblyPlan plan;
  if (states.size() < 2) {
    plan.reason = states.empty() ? "there is no state" : "there is one state only: nothing was put together";
    return plan;
  }
  std::vector<PlannedState> planned;
  for (const RelationPose& state : states) planned.push_back(planned_state(pair, state));
  if (!states[0].contacts.empty()) {
    if (planned[0].outward.norm() < 1e-6) {
      plan.reason = "the first state is held from all sides: there is no way into it";
      return plan;
    }
    planned.insert(planned.begin(), planned_state(pair, {{}, outside_of(pair, planned[0])}));
  }
  for (const PlannedState& state : planned) plan.states.push_back(state.state);
  math::Pose here = planned[0].state.X_FM;
  for (std::size_t i = 0; i + 1 < planned.size(); ++i) {
    const PlannedState &from = planned[i], &to = planned[i + 1];
    ContactTrajectory path =
        plan_trajectory(pair, {from.state.contacts, here}, {to.state.contacts, to.state.X_FM}, kPathPoses);
    if (i == 0 && path.status != TrajectoryStatus::ok && to.outward.norm() > 1e-6) {
      // From where the demonstration began there is no straight way: from just outside there is.
      plan.states[0].X_FM = outside_of(pair, to);
      path = plan_trajectory(pair, {{}, plan.states[0].X_FM}, {to.state.contacts, to.state.X_FM}, kPathPoses);
    }
    if (path.status != TrajectoryStatus::ok) return without_path(std::move(plan), i, path.note);
    AssemblyStep step;
    step.from = static_cast<int>(i);
    step.to = static_cast<int>(i + 1);
    step.skills = transition_between(from.freedom, to.freedom);
    step.gains = gains(from, to);
    step.kept = step.gains ? from.state.contacts : to.state.contacts;
    step.X_FM = path.X_FM;
    // A path that leaves a relation begins where that is nearest to its end.
    if (!step.gains) {
      std::vector<math::Pose> lead = along_relation(pair, from.state.contacts, here, path.X_FM.front());
      lead.pop_back();
      step.X_FM.insert(step.X_FM.begin(), lead.begin(), lead.end());
    }
    here = step.X_FM.back();
    const std::size_t made = step.gains ? made_at(pair, to.state.contacts, step.X_FM) : step.X_FM.size();
    AssemblyStep along = step;
    const auto split = static_cast<std::ptrdiff_t>(made);
    const bool slides_on = made > 0 && made + 1 < step.X_FM.size();
    if (slides_on) step.X_FM.erase(step.X_FM.begin() + split + 1, step.X_FM.end());
    plan.steps.push_back(std::move(step));
    if (!slides_on) continue;
    along.from = along.to;
    along.skills = {};
    along.gains = false;
    along.kept = to.state.contacts;
    along.X_FM.erase(along.X_FM.begin(), along.X_FM.begin() + split);
    plan.steps.push_back(std::move(along));
  }
  plan.status = PlanStatus::ok;
  return plan;
}

}  // namespace prehend::observation
