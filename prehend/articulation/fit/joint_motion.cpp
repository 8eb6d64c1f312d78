#include <stdexcept>
#include <string>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <prehend/articulation/fit/joint_motion.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {

using model::JointType;

int state_count(JointType type) {
  switch (type) {
    case JointType::rigid:
      return 0;
    case JointType::prismatic:
    case JointType::revolute:
    case JointType::screw:
      return 1;
    case JointType::cylindrical:
    case JointType::universal:
      return 2;
    case JointType::spherical:
    case JointType::planar:
      return 3;
    case JointType::free:
      return 6;
  }
  throw std::invalid_argument("unknown joint type");
}

bool is_angle(JointType type, int state) {
  switch (type) {
    case JointType::prismatic:
      return false;
    case JointType::cylindrical:
      return state == 0;
    case JointType::planar:
      return state == 2;
    case JointType::free:
      return state < 3;
    default:
      return true;
  }
}

math::Pose joint_pose(const model::Joint& joint, std::span<const double> q) {
  if (static_cast<int>(q.size()) != state_count(joint.type)) {
    throw std::invalid_argument("joint '" + joint.name + "' has " + std::to_string(state_count(joint.type)) +
                                " states, " + std::to_string(q.size()) + " were given");
  }
  const Eigen::Vector3d &a = joint.axis_C, &b = joint.axis2_C;
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  const double first = q.empty() ? 0.0 : q[0] - joint.reference;
  switch (joint.type) {
    case JointType::rigid:
      break;
    case JointType::prismatic:
      shift = first * a;
      break;
    case JointType::revolute:
      turn = math::exp_so3(first * a);
      break;
    case JointType::screw:
      turn = math::exp_so3(first * a);
      shift = joint.pitch * first * a;
      break;
    case JointType::cylindrical:
      turn = math::exp_so3(first * a);
      shift = q[1] * a;
      break;
    case JointType::universal:
      turn = math::exp_so3(first * a) * math::exp_so3(q[1] * b);
      break;
    case JointType::spherical:
      turn = math::exp_so3({first, q[1], q[2]});
      break;
    case JointType::planar:
      turn = math::exp_so3(q[2] * a);
      shift = first * b + q[1] * a.cross(b);
      break;
    case JointType::free:
      turn = math::exp_so3({first, q[1], q[2]});
      shift = {q[3], q[4], q[5]};
      break;
  }
  return joint.X_PC * math::Pose(turn.normalized(), joint.p_CJ + shift - turn * joint.p_CJ);
}

}  // namespace prehend::articulation
