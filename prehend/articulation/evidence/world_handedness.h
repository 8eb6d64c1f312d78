// Do the positions and orientations of a log speak of the same world? A recorder that mixes left-handed positions with right-handed
// quaternions, or writes inverse quaternions, or x, y, z, w where w comes first, gives relative poses that only joints of several freedoms explain, while with
// one axis mirrored, or all quaternions inverted, a hinge or slide does. Unlike handedness.h, both parts are
// seen from the world and mirrored there.
#pragma once

#include <string>

#include <prehend/articulation/part_tracks.h>
#include <prehend/model/joint.h>

namespace prehend::articulation {

// A sentence when a hinge or slide explains the two parts, mirrored or inverted, at least a nat per frame better than a joint of
// type `found` explains them as they stand; empty otherwise. Costs ten fits.
std::string world_contradiction(const PartTracks& tracks, int fixed, int moving, model::JointType found);

}  // namespace prehend::articulation
