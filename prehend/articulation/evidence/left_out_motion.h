// Are frames that a joint leaves out a motion? Not part of the public interface.
#pragma once

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

// Of a fit to poses with orientation: whether its frames without weight are reached and left in small steps (short_motion.h).
bool leaves_motion_out(const JointFit& fit, const Observations& observations);

}  // namespace prehend::articulation
