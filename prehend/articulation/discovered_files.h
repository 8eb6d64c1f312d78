// A discovered object as the text of an MJCF or URDF file, kinematic loops included.
//
// The tree is discovered_scene()'s. MJCF closes a loop by equalities between sites on the two bodies: a hinge by two points of its axis, a ball
// or universal joint by its centre (the universal joint's fourth constraint, no twist, has no word), a rigid joint by a weld. Closing joints that slide
// have no word and stay open, with a comment that says so. Sites, and not the anchors that an engine
// works out at zero states: a linkage whose states are all zero need not be closed. URDF is a tree: its loops are open,
// and a comment names each. Both files' joint coordinates are the discovery's states.
#pragma once

#include <string>
#include <vector>

#include <prehend/articulation/discovered_scene.h>

namespace prehend::articulation {

// Whether MJCF has words for a loop that such a joint closes.
bool mjcf_closes(model::JointType type);

std::string discovered_mjcf(const Discovery& discovery, const DiscoveredSceneOptions& options = {});
std::string discovered_urdf(const Discovery& discovery, const DiscoveredSceneOptions& options = {});

// One sentence for each loop that a file leaves open; none for a tree.
std::vector<std::string> loops_left_open_in_mjcf(const Discovery& discovery);
std::vector<std::string> loops_left_open_in_urdf(const Discovery& discovery);

}  // namespace prehend::articulation
