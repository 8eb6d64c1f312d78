#include <cmath>

#include <prehend/math/angles.h>
#include <prehend/model/scenes/sdf_joint.h>

namespace prehend::model {
namespace {

constexpr double kUnlimited = 1e16;  // [rad] or [m] the format's default limit, which means none

JointType type_of(const XmlNode& node) {
  const std::string type = node.required("type");
  if (type == "fixed") return JointType::rigid;
  if (type == "revolute" || type == "continuous") return JointType::revolute;
  if (type == "prismatic") return JointType::prismatic;
  if (type == "ball") return JointType::spherical;
  if (type == "universal" || type == "revolute2") return JointType::universal;
  if (type == "screw") return JointType::screw;
  node.fail("the joint type '" + type +
            "' is not supported; expected revolute, continuous, prismatic, screw, ball, universal, revolute2 "
            "or fixed");
}

double limit(const XmlNode& limits, const char* name, double none) {
  const XmlNode node = limits ? limits.child(name) : limits;
  if (!node) return none;
  const std::string text = node.text();
  if (text == "inf" || text == "+inf" || text == "-inf") return none;
  const double value = node.text_number();
  return std::abs(value) >= kUnlimited ? none : value;
}

Eigen::Vector3d axis_in_child(const XmlNode& axis, const math::Pose& X_WJ, const math::Pose& X_WC,
                              FrameIndex scope, SdfFrames& frames) {
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();
  math::Pose X_WE = X_WJ;
  if (const XmlNode xyz = axis.child("xyz")) {
    const auto v = xyz.text_numbers(3);
    direction = {v[0], v[1], v[2]};
    if (!(direction.norm() > 1e-12)) xyz.fail("the axis has no length; give a direction, for example 0 0 1");
    if (const auto frame = xyz.text_of("expressed_in"); frame && !frame->empty()) {
      X_WE = *frame == "__model__" ? frames.X_W(scope) : frames.X_W(frames.find(scope, *frame, xyz));
    }
  }
  if (const XmlNode old = axis.child("use_parent_model_frame");
      old && (old.text() == "true" || old.text() == "1")) {
    X_WE = frames.X_W(scope);
  }
  return (X_WC.q().conjugate() * (X_WE.q() * direction)).normalized();
}

}  // namespace

std::string sdf_joint_link(const XmlNode& joint, const char* end) {
  const XmlNode node = joint.child(end);
  if (!node || node.text().empty()) joint.fail("joint '" + joint.required("name") + "' needs <" + end + ">");
  return node.text();
}

Joint read_sdf_joint(const XmlNode& node, FrameIndex frame, FrameIndex scope, const SdfJointLinks& ends,
                     SdfFrames& frames) {
  Joint joint;
  joint.name = node.required("name");
  joint.type = type_of(node);
  joint.parent = ends.parent;
  joint.child = ends.child;
  const math::Pose X_WC = frames.X_W(frames.find(scope, sdf_joint_link(node, "child"), node));
  const math::Pose X_WP = frames.X_W(frames.find(scope, sdf_joint_link(node, "parent"), node));
  const math::Pose X_WJ = frames.X_W(frame);
  joint.X_PC = X_WP.inverse() * X_WC;
  if (joint.type == JointType::rigid) return joint;
  joint.p_CJ = (X_WC.inverse() * X_WJ).p();
  if (joint.type == JointType::spherical) return joint;
  const XmlNode axis = node.child("axis");
  if (!axis) node.fail("joint '" + joint.name + "' needs an <axis>");
  joint.axis_C = axis_in_child(axis, X_WJ, X_WC, scope, frames);
  const double none = std::numeric_limits<double>::infinity();
  if (node.required("type") != "continuous") {
    joint.lower = limit(axis.child("limit"), "lower", -none);
    joint.upper = limit(axis.child("limit"), "upper", none);
    if (joint.lower > joint.upper)
      axis.fail("joint '" + joint.name + "': the lower limit is above the upper one");
  }
  if (const XmlNode dynamics = axis.child("dynamics")) {
    if (const XmlNode friction = dynamics.child("friction")) joint.friction = friction.text_number();
    if (joint.friction < 0.0) dynamics.fail("joint '" + joint.name + "': the friction is negative");
  }
  if (joint.type == JointType::universal) {
    const XmlNode axis2 = node.child("axis2");
    if (!axis2) node.fail("joint '" + joint.name + "' needs an <axis2>");
    joint.axis2_C = axis_in_child(axis2, X_WJ, X_WC, scope, frames);
  }
  if (joint.type != JointType::screw) return joint;
  if (const XmlNode pitch = node.child("screw_thread_pitch")) {
    joint.pitch = pitch.text_number() / (2.0 * math::kPi);
  } else if (const XmlNode old = node.child("thread_pitch")) {
    if (old.text_number() == 0.0)
      old.fail("thread_pitch is 0 radians per metre; use screw_thread_pitch in metres per turn");
    joint.pitch = -1.0 / old.text_number();
  } else {
    node.fail("screw joint '" + joint.name + "' needs <screw_thread_pitch>");
  }
  return joint;
}

}  // namespace prehend::model
