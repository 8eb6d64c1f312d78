// Standard deviations of a joint whose motion is not large against the noise.
//
// The curvature of the likelihood takes measured turns and shifts for true ones. Of a door that is barely opened most of them are noise, and the
// stated deviations are too small by the square of their ratio. What is known of the true states is the measured ones drawn to their mean, by
// the share of their variance that is no noise (Wiener); the curvature at poses of these states is what the motion tells, with the variance of
// the errors-in-variables estimator: (s^2 + c) / s^4 instead of 1 / (s^2 + c), where states spread by s^2 and are measured with variance c.
#pragma once

#include <prehend/articulation/fit/frames.h>
#include <prehend/articulation/fit/likelihood_fit.h>
#include <prehend/articulation/joints/joint_kind.h>

namespace prehend::articulation {

// Widens the covariance of a fit, parameter by parameter; leaves it where the motion is ten times the noise and more.
void widen_for_small_motion(const JointKind& kind, const Frames& frames, const LikelihoodSettings& settings,
                            LikelihoodResult& result);

}  // namespace prehend::articulation
