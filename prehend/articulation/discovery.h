// Which parts does an object have, and which joints connect them? From tracked poses of many parts (after source K).
//
// 1. Features that never move against each other are one part; their poses are pooled.
// 2. Every pair of parts gets the joint that explains its relative motion best, with a log likelihood less its cost. The noise of a feature is
//    estimated from the best tree so far, and everything is scored again with it.
// 3. The spanning tree of largest total score is the object; each of its joints is selected again with all types and all frames.
// 4. Pairs beside the tree that a joint explains as well close loops.
//
// Parts seen without orientation are points about a part whose orientation is known, or about the file's world. Parts that did not
// move against each other cannot be distinguished from one part. docs/sources.md has the departures from the source. Cost: 30 parts and 500 frames
// take less than a second.
#pragma once

#include <string>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/discovery_options.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// Throws model::InputError with `name` on bad input (part_tracks.h), std::invalid_argument on bad options.
Discovery discover(const model::PoseLog& log, const std::string& name, const DiscoveryOptions& options = {});

}  // namespace prehend::articulation
