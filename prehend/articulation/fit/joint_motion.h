// Where a joint puts its child: the forward kinematics of model::Joint, for every type.
//
// X_PC(q) = X_PC T(p_CJ) M(q) T(-p_CJ), with the motion M about the anchor in the child's axes (a = axis_C, b = axis2_C):
//   rigid -            prismatic  shift q0 a          revolute   turn q0 about a
//   screw              turn q0 about a, shift pitch q0 a
//   cylindrical        turn q0 about a, shift q1 a
//   universal          turn q0 about a (fixed to the parent), then q1 about b (fixed to the child)
//   spherical          rotation vector q0..2            planar    shift q0 b + q1 (a x b), turn q2 about a
//   free               rotation vector q0..2, shift q3..5
// q0 counts from joint.reference. States in rad and m.
#pragma once

#include <span>

#include <prehend/math/pose.h>
#include <prehend/model/joint.h>

namespace prehend::articulation {

// Number of states of a type.
int state_count(model::JointType type);
// True where state number `state` is an angle [rad], false where it is a length [m].
bool is_angle(model::JointType type, int state);

// The child in the parent; std::invalid_argument when q has another size than state_count(joint.type).
math::Pose joint_pose(const model::Joint& joint, std::span<const double> q);

}  // namespace prehend::articulation
