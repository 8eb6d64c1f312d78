// A robot arm seen from its hand: the joints between the world and one frame of a scene's body, in series.
//
// Only joints with one freedom move: revolute, prismatic, screw. Rigid joints, and bodies that stand without a joint,
// are folded into the fixed poses between them; several joints on one body act in series in the order of the file, as
// in MuJoCo. A base on a free joint (a mobile platform) is taken as fixed where the file puts it, and a note says so.
// Kinematics of the chain: chain_sweep.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>
#include <prehend/model/scene.h>

namespace prehend::model {

// One freedom. The child stands at X_PC * exp(S (q - reference)) in the child of the joint before.
struct ChainJoint {
  std::string name;
  JointIndex joint;  // in the scene
  JointType type{JointType::revolute};
  math::Pose X_PC;  // with all fixed poses since the joint before
  math::Vector6d S{
      math::Vector6d::Zero()};    // motion per unit of q, in the child's frame: [rad; m] per rad or m
  double reference{0.0};          // [rad] or [m]
  double lower{0.0}, upper{0.0};  // [rad] or [m]; infinite where there is no limit
  double speed_limit{0.0};        // [rad/s] or [m/s]; infinite where the model has none
};

struct JointChain {
  std::vector<ChainJoint> joints;  // from the base to the hand; at least one
  BodyIndex link;                  // that carries the frame E at the chain's end
  std::string link_name;
  math::Pose X_JE;                             // E in the child of the last joint
  Eigen::Vector3d gravity_W{0.0, 0.0, -9.81};  // [m/s^2]
  std::vector<std::string> notes;              // sentences

  int size() const { return static_cast<int>(joints.size()); }
};

// The chain to the frame E that stands at X_LE in the body `link`. Empty `link`: the body at the end of the longest
// chain of movable joints. Throws std::invalid_argument with one sentence: no such body (naming those that exist), no
// movable joint, several equally long chains, a joint of several freedoms on the way.
JointChain joint_chain(const Scene& scene, std::string_view link = {}, const math::Pose& X_LE = {});

}  // namespace prehend::model
