// Discovers the parts of an object and the joints between them from tracked poses of many features (after
// source K).
//
// 1. Features that never move against each other are one part; their poses are pooled.
// 2. Every pair of parts gets the joint that explains its relative motion best, scored by log likelihood less its
//    cost. The noise of each feature is estimated from the best tree, and all pairs are scored again.
// 3. The spanning tree of largest total score is the object; its joints are selected again with all types and frames.
// 4. Pairs outside the tree that a joint explains as well close loops.
//
// Parts without orientation are points about a part whose orientation is known, or about the world. Parts
// that did not move against each other cannot be distinguished. Departures from the source: docs/sources.md.
// Cost: below a second for 30 parts and 500 frames.
#pragma once

#include <string>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/discovery_options.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// Throws model::InputError with `name` on bad input (part_tracks.h), std::invalid_argument on bad options.
Discovery discover(const model::PoseLog& log, const std::string& name, const DiscoveryOptions& options = {});

}  // namespace prehend::articulation
