// From closed forms to the most likely joint of one type: several starts, outliers, and joints that explain the motion as well. Not part
// of the public interface.
//
// Closed forms may give several starts (a little turned door, the two axes of a universal joint): they race on few frames, and only the
// best are refined on all. Frames far outside the noise spoil closed forms: these are repeated without such frames. Outliers that agree among
// themselves may take a closed form over unnoticed by weights; then residuals are not distributed as noise is, and closed
// forms of few frames at a time compete.
#pragma once

#include <vector>

#include <prehend/articulation/fit/frames.h>
#include <prehend/articulation/fit/likelihood_fit.h>
#include <prehend/articulation/joints/joint_kind.h>

namespace prehend::articulation {

// `alternatives`: other joints of the type that explain the motion as well (universal only). `frames.weights` come back as ones.
LikelihoodResult most_likely(const JointKind& kind, Frames& frames, const LikelihoodSettings& settings,
                             std::vector<Joint>& alternatives);

}  // namespace prehend::articulation
