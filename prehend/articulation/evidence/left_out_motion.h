// Are frames that a joint leaves out a motion? Not part of the public interface.
//
// A flipped or mistaken marker is far off from one frame to the next, and back as suddenly. A part that moves for a short while, or whose motion is cut off by an
// end of the recording, leaves and comes back in steps that are small beside the way.
#pragma once

#include <span>
#include <vector>

#include <prehend/articulation/joint_fit.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {

// Whether some frames in a row that are `far` are reached and left in small steps. `residuals` of all frames in order of time, in units of their noise.
bool moves_away(std::span<const math::Vector6d> residuals, const std::vector<bool>& far);

// The same of a fit to poses with orientation: of the frames without weight.
bool leaves_motion_out(const JointFit& fit, const Observations& observations);

}  // namespace prehend::articulation
