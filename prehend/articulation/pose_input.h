// Tracked poses from a file, whatever its form: what `joint` and `discover` read.
#pragma once

#include <string>
#include <vector>

#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// A pose log (CSV: t,part,x,y,z,qw,qx,qy,qz), a track or a TUM trajectory (rows of 3, 7 or 8 numbers, model/track_file.h), by what its first line
// says; of further files as well, whose parts come in addition. Throws model::InputError, also on a part that two files have.
model::PoseLog read_poses(const std::string& path, const std::vector<std::string>& with = {});

// Whether the path is a folder, or has the ending of a video: a film of markers (markers/marker_tracks.h) and no poses yet.
bool is_film(const std::string& path);

}  // namespace prehend::articulation
