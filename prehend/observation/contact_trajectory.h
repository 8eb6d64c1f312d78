// From one contact relation to the next: a turn and a shift that keep the less restricted of the two (Takamatsu 2004, appendix A).
//
// The end is the pose of the more restricted relation that takes the least turn and, with that turn, the least shift. The turn has one
// axis, or two where the relation that is kept is an edge on a plane: about the edge and about the plane's normal (A.24), or a plane on an
// edge: about the normal and about the edge (A.25). The printed (A.22) with (A.24) is not the least turn: the least one lays the edge onto
// the plane about n x l of the start.
// Where a more restricted relation is left, the path is found backwards. First the turn, then the shift; the other order, or
// both at once, where the bodies would overlap.
#pragma once

#include <string>
#include <vector>

#include <prehend/observation/principal_contacts.h>
#include <prehend/observation/sub_skills.h>

namespace prehend::observation {

enum class TrajectoryStatus {
  no_end,  // no pose near meets both relations
  ok,
  overlapping,  // every order of turn and shift takes one body through the other
};
const char* to_string(TrajectoryStatus status);

struct ContactTrajectory {
  TrajectoryStatus status{TrajectoryStatus::no_end};
  std::vector<math::Pose> X_FM;  // as many as asked for, both ends included; none without `ok`
  double turn_rad{0.0};          // of the whole path
  double shift_m{0.0};           // of the moving body's origin, from the first pose to the last
  double kept_m{0.0};            // largest open equation of the relation that is kept
  int turns{0};                  // axes
  std::string note;              // what differs from the rule, or why there is none
};

struct RelationPose {
  PrincipalContacts contacts;
  math::Pose X_FM;
};

// `count` at least 2. The end with fewer restrictions is kept where it is; the other one is found.
ContactTrajectory plan_trajectory(const BodyPair& pair, const RelationPose& from, const RelationPose& to,
                                  int count);

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
}  // namespace prehend::observation
