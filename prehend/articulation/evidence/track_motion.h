// Whether a part moves in the world, or its poses only jitter.
#pragma once

#include <span>

#include <prehend/math/pose.h>

namespace prehend::articulation {

// In order of time. By the spread, well above the jitter from frame to frame (noise alone has a spread of 1/sqrt(2) of the differences), or, for few poses
// that were taken one by one, beyond what any tracker's noise is.
bool moves_in_world(std::span<const math::Pose> X_WP);

struct PoseDistance {
  double position{0}, angle{0};  // [m, rad]
};

// Half of the poses lie farther than this from each of the first, the middle and the last one, whichever is nearest to most: flipped markers are fewer.
PoseDistance usual_distance(std::span<const math::Pose> X_WP);

// Whether a part that is usually so far from where it was is carried, beside what a rigid connection to another leaves of their relative pose per axis: errors of both
// spread as much, and half of the poses with errors alone lie within 2.2 standard deviations of one axis from any of them.
bool is_carried(const PoseDistance& distance, const PoseDistance& left_by_rigid);

}  // namespace prehend::articulation
