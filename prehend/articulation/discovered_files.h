// A discovered object as the text of an MJCF or URDF file, kinematic loops included.
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

#include <prehend/articulation/discovered_scene.h>

namespace prehend::articulation {

// Loops refer to sites, not to anchors that an engine computes at zero states: a linkage need not be closed there.
std::string discovered_mjcf(const Discovery& discovery, const DiscoveredSceneOptions& options = {});
std::string discovered_urdf(const Discovery& discovery, const DiscoveredSceneOptions& options = {});

// One sentence for each loop that a file leaves open; none for a tree.
std::vector<std::string> loops_left_open_in_urdf(const Discovery& discovery);

}  // namespace prehend::articulation
