// Does a joint leave so much that its parts are not connected by it? Not part of the public interface.
//
// Errors of trackers are a few millimetres and degrees, or new in every frame. Two things that are handled apart leave, under any joint, a motion that is far
// larger, is a good part of all motion, and goes on from frame to frame without jumps (markers that are exchanged or slip jump).
#pragma once

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

// Of a fit to poses with orientation in order of time; `slow_noise` [m, rad] per axis as in SelectionOptions.
bool leaves_free_motion(const JointFit& fit, const Observations& observations, const PoseNoise& slow_noise);

}  // namespace prehend::articulation
