// Poses of a flat marker whose tilt is mirrored at the line of sight, turned back.
//
// Seen nearly head-on, a square has two poses that look alike: the normal (the marker's z) is mirrored at the line from the camera to its
// centre, which turns the pose by twice its tilt. Trackers jump between the two. Where the camera is known (camera_place.h), the
// other pose is, and one sequence of choices per part has the least jumps from frame to frame, far beyond the turns around
// them, found exactly. A part of which a third or more would change keeps its own.
//
// Cost: parts x frames.
#pragma once

#include <string>
#include <vector>

#include <prehend/articulation/part_tracks.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// Adds a note. Returns how many poses were turned back; none where poses have covariances (their tracker has chosen).
int undo_mirrored(PartTracks& tracks);
// The same in a log, each part by its own rows; parts without orientation are left as they are.
model::PoseLog with_mirrored_undone(model::PoseLog log, std::vector<std::string>& notes);

}  // namespace prehend::articulation
