// Poses averaged over neighbouring frames where the noise changes from frame to frame: straight lines through as many frames as agree.
#pragma once

#include <vector>

#include <prehend/math/pose.h>
#include <prehend/observation/pose_correction.h>

namespace prehend::observation {

struct SmoothedTrack {
  std::vector<math::Pose> X_FM;
  std::vector<double> variance;  // of each pose, as a share of that of the seen one
};

// For each frame the window of up to seven frames, around it or on one side of it, whose line leaves the least variance among those
// that fit within the noise. Motion that bends sharply between two frames is not smoothed across.
// `directions` of the noise by frame; those of the options where empty.
SmoothedTrack smoothed(const std::vector<math::Pose>& seen, CorrectionOptions options,
                       const std::vector<NoiseDirections>& directions);

}  // namespace prehend::observation
