// Does what rests move for a short while? Not part of the public interface.
//
// A flipped or mistaken marker is far off from one frame to the next, and back as suddenly. A part that moves for a short while, or whose motion is cut off by an
// end of the recording, leaves and comes back in steps that are small beside the way.
#pragma once

#include <span>
#include <vector>

#include <prehend/math/se3.h>

namespace prehend::articulation {

// Without what is off for up to three frames: of each component the middle one of seven in a row, of fewer near the ends. A marker that is mistaken for a moment within
// a motion does not make it a jump; one that is mistaken for longer still jumps.
std::vector<math::Vector6d> without_spikes(std::span<const math::Vector6d> residuals);

// Whether some frames in a row that are `far` are reached and left in small steps. `measured`: residuals of all frames in order of time, in units of their noise.
bool moves_away(std::span<const math::Vector6d> measured, const std::vector<bool>& far);

// The same of a joint's states in units of their noise: of those far from the median.
bool moves_for_a_while(std::span<const double> states);

}  // namespace prehend::articulation
