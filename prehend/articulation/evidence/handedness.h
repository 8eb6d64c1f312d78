// Do positions and orientations speak of the same world? A recorder that mixes left-handed positions with right-handed
// quaternions, or writes the inverse of a quaternion, gives poses that no joint explains but a mirrored joint does.
#pragma once

#include <string>

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

// What w, x, y, z were when their file meant x, y, z, w. From one frame to the next such orientations turn as far as the right ones
// (an order is an orthogonal map of the four numbers), so jumps do not tell; they are inverse rotations between constant
// ones, and no longer fit the positions.
Eigen::Quaterniond read_xyzw(const Eigen::Quaterniond& as_wxyz);

// Whether a joint explains poses to within what matters to a user, in metres and degrees and not in standard deviations: then nothing is wrong
// with the poses, however much better another reading of them fits.
bool explains(const JointFit& fit, const Observations& observations);

// Whether what a joint leaves of another reading is noise: new in every frame, or no more than slow errors are. A reading that is only better than one
// which explains nothing contradicts nothing.
bool leaves_noise(const JointFit& fit, const Observations& observations);

// A sentence when a turning joint explains the poses with one axis mirrored, with inverse orientations or with quaternions in the order
// x, y, z, w, at least
// `margin` nats per frame better than `log_likelihood`, the best as they stand; empty otherwise. For a part seen from the
// world; parts seen from other parts mix the mirrors of both.
std::string contradiction(const Observations& observations, double log_likelihood, double margin = 1.0);

}  // namespace prehend::articulation
