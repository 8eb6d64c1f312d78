// A constant error of a track: the tracked frame of the moving body is not quite the mesh's.
//
// Contacts show it: frames in contact have to be moved the same way, in the moving body's axes, whatever the state. Only what the relations of the
// recording restrict can be seen; nothing is assumed about the rest.
#pragma once

#include <vector>

#include <prehend/observation/sequence/state_path.h>

namespace prehend::observation {

// Onto what a relation restricts at a pose, in units of the noise: turns first.
Eigen::Matrix<double, 6, 6> restricted_part(const std::vector<ContactRow>& rows, const math::Pose& X,
                                            const CorrectionOptions& options);

// From what the frames in contact were moved: least squares, with a prior of `spread` times the noise on each of its six numbers.
// `directions` of the noise by frame.
struct OffsetEstimate {
  TrackOffset offset;
  double explained{0.0};  // of the squared corrections, in units of the noise
};
OffsetEstimate offset_of(const RelationTable& table, const StatePath& path,
                         const std::vector<math::Pose>& track, CorrectionOptions options,
                         const std::vector<NoiseDirections>& directions, double spread);

math::Pose without_offset(const math::Pose& X_FM, const TrackOffset& offset);

}  // namespace prehend::observation
