// A discovered object as a scene, and as the text of an MJCF or URDF file, kinematic loops included.
//
// The tree is that of discovered_scene(); joint coordinates in both files are the discovery's states.
//
// MJCF closes a loop by equalities between sites on the two bodies: a hinge by two points of its axis, a ball
// joint by its centre, a rigid joint by a weld. For sliding and universal joints, a light body `loopN` on the
// first part moves as the joint does (joints `loopN_slide`, `loopN_turn`, ...; a screw's two are coupled) and
// is welded to the second. These joints add to the file's coordinates; their values are the states of the
// loop's joint.
//
// URDF is a tree: its loops are open, and a comment names each.
#pragma once

#include <string>
#include <vector>

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

// The object as a scene: one body per rigid group, named like its first part, one joint each.
//
// The root stands fixed in the world's frame, at its first pose; how it was carried about is not part of the object. Joint coordinates are
// the states of the discovery, with the limits that were seen (spherical: MJCF has a ball, URDF three hinges, neither of
// which takes a rotation vector). A part that no joint explains hangs freely on the world. Where tracked frames sit on the parts is known,
// what the parts look like is not: every feature is a small box, without contacts, and masses are nominal. A scene is a tree.
model::Scene discovered_scene(const Discovery& discovery, const DiscoveredSceneOptions& options = {});

// Loops refer to sites, not to anchors that an engine computes at zero states: a linkage need not be closed there.
std::string discovered_mjcf(const Discovery& discovery, const DiscoveredSceneOptions& options = {});
std::string discovered_urdf(const Discovery& discovery, const DiscoveredSceneOptions& options = {});

// One sentence for each loop that a file leaves open; none for a tree.
std::vector<std::string> loops_left_open_in_urdf(const Discovery& discovery);

}  // namespace prehend::articulation
