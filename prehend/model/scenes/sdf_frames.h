// The frames of an SDF document: every link, joint, model and <frame> stands somewhere relative to another
// one.
//
// Names are looked up in the scope (model) where they are used; `a::b` reaches into a nested model,
// `__model__` is the scope itself and `world` the world. Frames may refer forward; a cycle is an error with
// its line.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <prehend/math/index.h>
#include <prehend/math/pose.h>
#include <prehend/model/scenes/xml_input.h>

namespace prehend::model {

using FrameIndex = math::Index<struct FrameTag>;

class SdfFrames {
 public:
  SdfFrames();

  FrameIndex world() const { return FrameIndex(0); }

  // A frame named `name` inside `scope` (a model's frame or the world). `node` is the element whose <pose>
  // places it, relative to `relative_to` or, when the pose names none, to `fallback`.
  FrameIndex add(FrameIndex scope, const std::string& name, const XmlNode& node, const std::string& fallback);

  // Throws InputError at `user` when there is no such frame.
  FrameIndex find(FrameIndex scope, const std::string& name, const XmlNode& user) const;
  bool has(FrameIndex scope, const std::string& name) const;

  // Pose in the world; resolves on demand, without recursion.
  math::Pose X_W(FrameIndex frame);

  // The <pose> of an element that is no frame of its own (collision, inertial): in its parent element's
  // frame, or relative to a named frame, then as seen from `parent`.
  math::Pose local_pose(FrameIndex scope, FrameIndex parent, const XmlNode& node);

 private:
  struct Frame {
    std::string name, relative_to;
    FrameIndex scope;
    math::Pose X_RF;
    std::optional<math::Pose> X_WF;
    std::optional<XmlNode> node;
    bool is_open{false};
    std::map<std::string, FrameIndex> inside;
  };
  std::vector<Frame> frames_;
};

// The text of a <pose>: x y z roll pitch yaw, with the attributes `degrees` and rotation_format="quat_xyzw".
math::Pose parse_sdf_pose(const XmlNode& pose);

}  // namespace prehend::model
