// Likelihood of a joint where every relative pose has its own covariance, as from camera trackers. Not part
// of the public interface.
//
// X_FM measured = Y(q) exp(V), V ~ N(0, s^2 C_i), Y the joint's pose. The residual V = log(Y^-1 X) is
// whitened by the Cholesky factor of C_i. The joint's parameters and each frame's state are found by damped
// Gauss-Newton (states eliminated) with exact gradients; the common scale s is estimated or given. In the
// directions that the joint leaves, V / s has Student's distribution with four degrees of freedom, because
// stated covariances may be wrong by factors. The result has the form of likelihood_engine.h's, so that both
// are compared alike; residuals are weighted, `squared` is twice the negative log density.
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
