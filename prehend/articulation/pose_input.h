// Tracked poses from a file, whatever its form: what `joint` and `discover` read.
#pragma once

#include <string>

#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// A pose log (CSV: t,part,x,y,z,qw,qx,qy,qz) or a track (rows of 3 or 7 numbers, model/track_file.h), by what its first line says. Throws
// model::InputError.
model::PoseLog read_poses(const std::string& path);

// Whether the path is a folder, or has the ending of a video: a film of markers (markers/marker_tracks.h) and no poses yet.
bool is_film(const std::string& path);

}  // namespace prehend::articulation
