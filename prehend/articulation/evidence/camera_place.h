// Where the camera was that saw flat markers, from the jumps of their tilt.
//
// A jump between the two poses of a marker mirrors its normal at the line of sight: half-way between the two normals lies that line. Lines of several
// jumps meet in the camera, wherever the log's world is. The camera is taken to rest in that world.
#pragma once

#include <optional>

#include <Eigen/Core>

#include <prehend/articulation/part_tracks.h>

namespace prehend::articulation {

// [m] In the log's world. The origin where it explains about as many jumps as any other place; nothing where too few jumps meet anywhere.
std::optional<Eigen::Vector3d> camera_place(const PartTracks& tracks);

}  // namespace prehend::articulation
