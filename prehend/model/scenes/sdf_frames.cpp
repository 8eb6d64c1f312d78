#include <cmath>

#include <prehend/math/angles.h>
#include <prehend/model/scenes/sdf_frames.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {

math::Pose parse_sdf_pose(const XmlNode& pose) {
  if (pose.text().empty()) return {};
  if (pose.text_of("rotation_format").value_or("euler_rpy") == "quat_xyzw") {
    const auto v = pose.text_numbers(7);
    const Eigen::Quaterniond q(v[6], v[3], v[4], v[5]);
    if (std::abs(q.norm() - 1.0) > 0.01)
      pose.fail("the quaternion's norm is " + exact_number(q.norm()) + "; it must be 1");
    return {q.normalized(), {v[0], v[1], v[2]}};
  }
  const auto v = pose.text_numbers(6);
  const double unit = pose.text_of("degrees").value_or("") == "true" ? math::kDegree : 1.0;
  return pose_from_xyz_rpy({v[0], v[1], v[2]}, {unit * v[3], unit * v[4], unit * v[5]});
}

SdfFrames::SdfFrames() {
  frames_.emplace_back();
  frames_[0].name = "world";
  frames_[0].scope = FrameIndex(0);
  frames_[0].X_WF = math::Pose();
}

FrameIndex SdfFrames::add(FrameIndex scope, const std::string& name, const XmlNode& node,
                          const std::string& fallback) {
  const FrameIndex index(frames_.size());
  if (!frames_[scope].inside.emplace(name, index).second) {
    node.fail("the name '" + name + "' is used twice in '" + frames_[scope].name +
              "'; give each its own name");
  }
  Frame frame;
  frame.name = name;
  frame.scope = scope;
  frame.node = node;
  frame.relative_to = fallback;
  if (const XmlNode pose = node.child("pose")) {
    frame.X_RF = parse_sdf_pose(pose);
    const std::string named = pose.text_of("relative_to").value_or("");
    if (!named.empty()) frame.relative_to = named;
  }
  frames_.push_back(std::move(frame));
  return index;
}

bool SdfFrames::has(FrameIndex scope, const std::string& name) const {
  return frames_[scope].inside.contains(name);
}

FrameIndex SdfFrames::find(FrameIndex scope, const std::string& name, const XmlNode& user) const {
  if (name == "world") return world();
  FrameIndex at = scope;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find("::", start), name.size());
    const std::string part = name.substr(start, end - start);
    start = end + 2;
    if (part == "__model__") continue;
    const auto found = frames_[at].inside.find(part);
    if (found == frames_[at].inside.end()) {
      user.fail("'" + name + "' is no link, joint, model or frame of '" + frames_[scope].name + "'");
    }
    at = found->second;
  }
  return at;
}

math::Pose SdfFrames::X_W(FrameIndex frame) {
  std::vector<FrameIndex> chain;
  FrameIndex at = frame;
  while (!frames_[at].X_WF) {
    Frame& open = frames_[at];
    if (open.is_open)
      open.node->fail("the pose of '" + open.name + "' depends on itself through relative_to");
    open.is_open = true;
    chain.push_back(at);
    // An empty reference means the scope's own frame.
    at = open.relative_to.empty() ? open.scope : find(open.scope, open.relative_to, *open.node);
  }
  math::Pose X_WF = *frames_[at].X_WF;
  for (std::size_t i = chain.size(); i-- > 0;) {
    X_WF = X_WF * frames_[chain[i]].X_RF;
    frames_[chain[i]].X_WF = X_WF;
    frames_[chain[i]].is_open = false;
  }
  return X_WF;
}

math::Pose SdfFrames::local_pose(FrameIndex scope, FrameIndex parent, const XmlNode& node) {
  const XmlNode pose = node.child("pose");
  if (!pose) return {};
  const std::string named = pose.text_of("relative_to").value_or("");
  if (named.empty()) return parse_sdf_pose(pose);
  return X_W(parent).inverse() * X_W(find(scope, named, pose)) * parse_sdf_pose(pose);
}

}  // namespace prehend::model
