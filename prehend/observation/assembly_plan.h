// Contact states of a demonstration as steps that a robot can take: a trajectory and sub-skills from each to the next.
#pragma once

#include <string>
#include <vector>

#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/sub_skills.h>
#include <prehend/observation/watch.h>

namespace prehend::observation {

// From one state to the next. `X_FM` keeps the less restricted of both states, `kept`. Where a trajectory goes on along contacts that it has made, a second step, from
// and to the same state, does that.
struct AssemblyStep {
  int from{0}, to{0};
  Transition skills;
  PrincipalContacts kept;
  std::vector<math::Pose> X_FM;
  bool gains{true};  // restrictions: a contact is to be made or a rim to be passed; false: they are left
};

enum class PlanStatus {
  no_path,  // `reason` says between which states
  ok,
};
const char* to_string(PlanStatus status);

struct AssemblyPlan {
  PlanStatus status{PlanStatus::no_path};
  std::string reason;
  std::vector<RelationPose> states;
  std::vector<AssemblyStep> steps;
};

// A trajectory from each state to the next, each beginning where the one before ends. A first state in contact is approached from outside.
AssemblyPlan assembly_plan(const BodyPair& pair, const std::vector<RelationPose>& states);
// The states of a demonstration, at the poses in the middle of each.
std::vector<RelationPose> assembly_states(const Watched& watched);

}  // namespace prehend::observation
