// Tracked poses from a file, whatever its form: what `joint` and `discover` read.
#pragma once

#include <string>
#include <vector>

#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// A pose log (CSV: t,part,x,y,z,qw,qx,qy,qz), a track, a TUM trajectory (rows of 3, 7 or 8 numbers) or a pose list, by what its first line
// says; of further files as well, whose parts come in addition (model/track_file.h).
model::PoseLog read_poses(const std::string& path, const std::vector<std::string>& with = {});

// Several markers on one part: of each list the first stands for the part from now on, in its own frame, and the others are gone. Their offsets are means over
// the log; a pose is the mean of what its markers say, so the part is known better and is lost only where all of them are. A note says so. Throws
// std::invalid_argument on names that the log lacks or that are listed twice, model::InputError (with `name`) on markers without
// orientation, never seen together, or that move against each other.
model::PoseLog markers_as_one(const model::PoseLog& log, const std::string& name,
                              const std::vector<std::vector<std::string>>& same_part);

// Whether the path is a folder, or has the ending of a video: a film of markers (markers/marker_tracks.h) and no poses yet.
bool is_film(const std::string& path);

}  // namespace prehend::articulation
