// A joint between two parts: its type, its frame on both parts, and its pitch.
//
//   X_FM(q) = X_FJ E(q) X_MJ^-1
// X_FJ is the joint frame on the fixed part, X_MJ that on the moving part, E(q) the motion of the type;
// states in rad and m:
//   rigid        E = 1
//   prismatic    shift q[0] along z
//   revolute     turn q[0] about z
//   screw        turn q[0] about z and shift pitch q[0] along z
//   cylindrical  turn q[0] about z, shift q[1] along z
//   universal    turn q[0] about z of the fixed side, then q[1] about y of the moving side (perpendicular axes)
//   spherical    rotation vector q[0..2]
//   planar       shift (q[0], q[1]) in the xy plane, turn q[2] about z
//   free         rotation vector q[0..2], shift q[3..5]
//
// Tracks without orientation: rigid is a point, prismatic a line, revolute a circle, free anything; the
// orientation of X_MJ and the place along the axis have no meaning.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>
#include <prehend/model/joint.h>

namespace prehend::articulation {

using State = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;  // at most six, on the stack
using StateJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

struct Joint {
  model::JointType type{model::JointType::free};
  math::Pose X_FJ;    // joint frame on the fixed part
  math::Pose X_MJ;    // joint frame on the moving part
  double pitch{0.0};  // [m/rad] screw only

  int freedoms() const;
  // The moving part at a state of freedoms() entries; std::invalid_argument on another size.
  math::Pose forward(const State& q) const;
  // The state whose pose is nearest in the joint's own way (angle from the orientation, shift from the position); an
  // angle lies in (-pi, pi], a screw's takes the turn that the shift tells.
  State inverse(const math::Pose& X_FM) const;
  // d/dq of forward, as the twist of M in M's axes at M's origin, angular first: forward(q + dq) = forward(q) exp(J dq).
  StateJacobian jacobian(const State& q) const;

  // Where they mean something (else nothing): unit axis (normal for planar, first axis for universal).
  std::optional<Eigen::Vector3d> axis_F() const;
  std::optional<Eigen::Vector3d> axis_M() const;
  std::optional<Eigen::Vector3d> axis2_M() const;  // universal
  // A point of the axis (the one nearest to M's origin), or the centre [m]; of a prismatic joint, rigid, planar or free
  // joint the origin of M at state zero (rigid, prismatic) or nothing.
  std::optional<Eigen::Vector3d> point_F() const;
  std::optional<Eigen::Vector3d> point_M() const;
};

// What each state of a type is: "angle", "shift x", ...; spherical and free have turns about three axes.
struct StateName {
  std::string name;
  bool is_angle;  // [rad]; else [m]
};
std::vector<StateName> state_names(model::JointType type);

int freedoms(model::JointType type, bool has_orientation = true);
// Parameters without gauge freedoms. `parameters` omits the state's zero (a convention, not a property of the joint),
// `parameters_with_zero` counts it: prismatic 7 or 8, revolute 9 or 10 (source K counts 12 with the gauge freedoms),
// screw 10 or 11, cylindrical 8 or 10, universal 10 or 12, spherical 6 or 9, planar 5 or 8, rigid 6, free 0 or 6;
// position-only: point 3, line 4 or 5, circle 6 or 7, free 0 or 3.
int parameters(model::JointType type, bool has_orientation = true);
int parameters_with_zero(model::JointType type, bool has_orientation = true);
// All nine, simplest first; position-only tracks know rigid, prismatic, revolute, free.
std::span<const model::JointType> joint_types(bool has_orientation = true);
// True when every motion of `inner` is one of `outer`, exactly or in the limit: a door is a cylinder that does not slide.
bool contains(model::JointType outer, model::JointType inner);

}  // namespace prehend::articulation
