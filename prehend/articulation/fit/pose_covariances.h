// Likelihood of a joint where every relative pose has its own covariance: what film trackers know. Not part of the public interface.
//
// A square marker's depth and tilt are known far worse than its place in the picture, blurred ones worse than sharp ones: no two numbers for all
// axes and frames describe that. With X_FM measured = Y(q) exp(V), V ~ N(0, s^2 C_i), Y the joint's pose: residual V = log(Y^-1 X),
// whitened by the Cholesky factor of C_i; the joint's parameters and each frame's state by damped Gauss-Newton (states eliminated), gradients
// exact through the logarithm's Jacobian; one common scale s, estimated or given. V / s is distributed as Student's with four degrees of freedom in
// the directions that the joint leaves: stated covariances are wrong by factors now and then. The result has the form of likelihood_engine.h's, so that
// all that compares types serves both; residuals come weighted, `squared` is twice the negative log density.
//
// Cost: about 1 us per frame and pass.
#pragma once

#include <vector>

#include <prehend/articulation/fit/frames.h>
#include <prehend/articulation/fit/likelihood_fit.h>
#include <prehend/articulation/joints/joint_kind.h>

namespace prehend::articulation {

// Covariance of V in X_FM exp(V) from those of the two parts' own poses.
math::Matrix6d relative_covariance(const math::Matrix6d& fixed, const math::Matrix6d& moving,
                                   const math::Pose& X_FM);

// Ready for fitting; a covariance that is not positive definite is std::invalid_argument.
std::vector<PoseWeight> pose_weights(const std::vector<math::Matrix6d>& covariances);

// [m, rad] Root mean square standard deviations per axis of the covariances: how s is stated in PoseNoise. Settings' known noise sets
// s^2 = (position angle) / (those of the frames).
PoseNoise typical_noise(const std::vector<PoseWeight>& weights);
PoseNoise typical_noise(const std::vector<math::Matrix6d>& covariances);

LikelihoodResult refine_with_covariances(const JointKind& kind, const Frames& frames, const Joint& start,
                                         const LikelihoodSettings& settings);

}  // namespace prehend::articulation
