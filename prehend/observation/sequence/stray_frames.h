// Frames in which a tracker went astray: off the line of their neighbours, which agree with each other.
#pragma once

#include <vector>

#include <prehend/math/pose.h>
#include <prehend/observation/pose_correction.h>

namespace prehend::observation {

// By frame. What is expected of a frame is the median of the midpoints of the frames one, two and three away on both sides; it strays where it is
// off by more than six standard deviations and the step that is usual there. The first and the last frame, which have neighbours on one side only, stray where
// they are off by that and three times the largest step of the three frames beside them.
// `directions` of the noise by frame; those of the options where empty.
std::vector<char> stray_frames(const std::vector<math::Pose>& seen, CorrectionOptions options,
                               const std::vector<NoiseDirections>& directions);

}  // namespace prehend::observation
