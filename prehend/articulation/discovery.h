// Which parts does an object have, and which joints connect them? From tracked poses of many parts (source K).
//
// 1. Features that never move against each other are one part (rigid_groups.h); their poses are pooled.
// 2. Every pair of parts gets the joint that explains its relative motion best, with a log likelihood less its cost
//    (pair_fit.h): a cheap look at all pairs, maximum likelihood for the promising ones. The noise of a feature is one number for
//    position and one for orientation, common to all: estimated from the best tree so far, then everything is scored again with it.
// 3. The spanning tree of largest total score is the object. Each of its joints is selected again with all types and all
//    frames (selection.h), parent first; what the motion cannot tell is said.
// 4. Pairs beside the tree that a joint explains as well, although the tree would let them move otherwise, close loops
//    (loops.h); they take degrees of freedom away.
//
// Departures from the source: noise in each part's own frame with the lever between parts (observations.h), likelihoods with
// states integrated out instead of squared error plus parameter count, rigid groups before and not after the tree. Cost: 30 parts and
// 500 frames take less than a second.
//
// Parts seen without orientation are points: two of them have no relative pose. Each is a point on a line or circle, or at rest, about a part whose
// orientation is known; where there is none, about the file's world, which then is the root. Points that keep their place in each other's
// motion are one part. What hangs on a point's unseen part cannot be told, and is said so.
//
// Parts that did not move against each other cannot be told from one part: they are one group. With everything in one group
// there is no answer.
#pragma once

#include <string>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/discovery_options.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// Throws model::InputError with `name` on bad input (part_tracks.h), std::invalid_argument on bad options.
Discovery discover(const model::PoseLog& log, const std::string& name, const DiscoveryOptions& options = {});

}  // namespace prehend::articulation
