#include <cmath>
#include <optional>

#include <prehend/model/scenes/mjcf_joints.h>

namespace prehend::model {
namespace {

using Kind = MjcfJoint::Kind;

Joint make_joint(const MjcfJoint& joint, JointType type, const MjcfBodyLink& link) {
  Joint made;
  made.name = joint.name;
  made.type = type;
  made.parent = link.parent;
  made.child = joint.body;
  made.X_PC = link.X_PC;
  made.p_CJ = joint.anchor;
  made.axis_C = joint.axis;
  made.lower = joint.lower;
  made.upper = joint.upper;
  made.reference = joint.reference;
  made.motor = joint.motor;
  made.friction = joint.friction;
  made.spring = joint.spring;
  made.stiffness = joint.stiffness;
  return made;
}

bool are_parallel(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return a.cross(b).norm() < 1e-9; }

// Advance per turn of the hinge, when one active linear coupling ties exactly these two.
std::optional<double> screw_pitch(int slide, int hinge, const std::vector<MjcfJoint>& joints,
                                  const std::vector<MjcfCoupling>& couplings) {
  for (const MjcfCoupling& coupling : couplings) {
    const auto& c = coupling.polycoef;
    if (c[0] != 0.0 || c[1] == 0.0 || c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0) continue;
    const double sign = joints[slide].axis.dot(joints[hinge].axis) < 0.0 ? -1.0 : 1.0;
    if (coupling.joint1 == slide && coupling.joint2 == hinge) return sign * c[1];
    if (coupling.joint1 == hinge && coupling.joint2 == slide) return sign / c[1];
  }
  return std::nullopt;
}

// The joints of one body as one joint of ours, if they are.
std::optional<Joint> fold_series(const std::vector<int>& series, const std::vector<MjcfJoint>& joints,
                                 const std::vector<MjcfCoupling>& couplings, const MjcfBodyLink& link) {
  const MjcfJoint& first = joints[series[0]];
  if (series.size() == 1) {
    switch (first.kind) {
      case Kind::free:
        return make_joint(first, JointType::free, link);
      case Kind::ball:
        return make_joint(first, JointType::spherical, link);
      case Kind::slide:
        return make_joint(first, JointType::prismatic, link);
      case Kind::hinge:
        return make_joint(first, JointType::revolute, link);
    }
  }
  const MjcfJoint& second = joints[series[1]];
  if (series.size() == 2 && first.kind != second.kind && are_parallel(first.axis, second.axis)) {
    const int slide = first.kind == Kind::slide ? series[0] : series[1];
    const int hinge = first.kind == Kind::hinge ? series[0] : series[1];
    if (joints[slide].kind != Kind::slide || joints[hinge].kind != Kind::hinge) return std::nullopt;
    if (const auto pitch = screw_pitch(slide, hinge, joints, couplings)) {
      Joint screw = make_joint(joints[hinge], JointType::screw, link);
      screw.pitch = *pitch;
      return screw;
    }
    if (joints[slide].name == joints[hinge].name + "__slide") {
      return make_joint(joints[hinge], JointType::cylindrical, link);
    }
  }
  if (series.size() == 2 && first.kind == Kind::hinge && second.kind == Kind::hinge &&
      second.name == first.name + "__second") {
    Joint universal = make_joint(first, JointType::universal, link);
    universal.axis2_C = second.axis;
    return universal;
  }
  if (series.size() == 3 && first.kind == Kind::slide && second.kind == Kind::slide &&
      joints[series[2]].kind == Kind::hinge && second.name == first.name + "__second" &&
      joints[series[2]].name == first.name + "__turn") {
    Joint planar = make_joint(first, JointType::planar, link);
    planar.axis2_C = first.axis;
    planar.axis_C = joints[series[2]].axis;
    planar.p_CJ = joints[series[2]].anchor;
    return planar;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Joint> fold_mjcf_joints(const std::vector<MjcfJoint>& joints,
                                    const std::vector<MjcfCoupling>& couplings,
                                    const std::vector<MjcfBodyLink>& links,
                                    std::vector<std::string>& problems) {
  std::vector<std::vector<int>> series(links.size());
  for (std::size_t i = 0; i < joints.size(); ++i) series[joints[i].body].push_back(static_cast<int>(i));
  std::vector<Joint> folded;
  for (std::size_t body = 1; body < links.size(); ++body) {
    if (series[body].empty()) {
      if (links[body].weld_name.empty()) continue;
      Joint weld;
      weld.name = links[body].weld_name;
      weld.parent = links[body].parent;
      weld.child = BodyIndex(body);
      weld.X_PC = links[body].X_PC;
      folded.push_back(weld);
      continue;
    }
    if (const auto joint = fold_series(series[body], joints, couplings, links[body])) {
      folded.push_back(*joint);
      continue;
    }
    for (const int index : series[body]) {
      folded.push_back(*fold_series({index}, joints, couplings, links[body]));
    }
    problems.push_back("joint '" + joints[series[body][0]].name + "' and " +
                       std::to_string(series[body].size() - 1) +
                       " more act in series on one body; each is listed on its own");
  }
  return folded;
}

}  // namespace prehend::model
