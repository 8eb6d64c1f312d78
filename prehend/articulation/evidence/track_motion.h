// Whether a part moves in the world, or its poses only jitter.
#pragma once

#include <span>

#include <prehend/math/pose.h>

namespace prehend::articulation {

// In order of time. By the spread, well above the jitter from frame to frame (noise alone has a spread of 1/sqrt(2) of the differences), or, for few poses
// that were taken one by one, beyond what any tracker's noise is.
bool moves_in_world(std::span<const math::Pose> X_WP);

}  // namespace prehend::articulation
