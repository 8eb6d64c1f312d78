// A discovered object as a scene, for URDF and MJCF: one body per rigid group, named like its first part, one joint each.
//
// The root stands fixed in the world's frame, at its first pose; how it was carried about is not part of the object. Joint coordinates are
// the states of the discovery, with the limits that were seen (spherical: MJCF has a ball, URDF three hinges, neither of
// which takes a rotation vector). A part that no joint explains hangs freely on the world. Where tracked frames sit on the parts is known, what the
// parts look like is not: every feature is a small box, without contacts, and masses are nominal. A scene is a tree: loops
// are closed by discovered_files.h where a format can.
#pragma once

#include <prehend/articulation/discovered_object.h>
#include <prehend/model/joint.h>
#include <prehend/model/scene.h>

namespace prehend::articulation {

struct DiscoveredSceneOptions {
  double mass{1.0};       // [kg] of every body: unknown, but engines refuse bodies without
  double box_share{0.1};  // side of a feature's box as a share of the object's size

  void validate() const;
};

// In the terms of model::Joint; `name` "parent_child".
model::Joint model_joint(const DiscoveredJoint& joint, model::BodyIndex parent, model::BodyIndex child);

model::Scene discovered_scene(const Discovery& discovery, const DiscoveredSceneOptions& options = {});

}  // namespace prehend::articulation
