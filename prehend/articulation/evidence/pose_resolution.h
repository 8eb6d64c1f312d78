// How finely a log writes its poses: positions to a millimetre and quaternions to three digits are common, and nothing below that is motion. Rounded
// numbers are off by a uniform error: a twelfth of the squared step.
#pragma once

#include <prehend/articulation/observations.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// Standard deviations per axis of what rounding leaves in one pose; zero: not rounded.
PoseNoise pose_resolution(const model::PoseLog& log);

}  // namespace prehend::articulation
