// Maximum likelihood of one type of joint: Gauss-Newton over the two joint frames, states eliminated frame by frame.
//
// Residuals and derivatives are those of frame_residual.h; the gradient is exact, so the end point is a minimum of the stated likelihood,
// however the curvature is approximated. Sums over frames come from the type's pass (frame_pass.h), which alone is compiled per type.
// Poses with covariances of their own go to pose_covariances.h.
//
// Cost: a pass over n frames is linear in n; a few on 200 frames first where there are many, then two or three on all.
#pragma once

#include <prehend/articulation/fit/frames.h>
#include <prehend/articulation/fit/likelihood_fit.h>
#include <prehend/articulation/fit/pass_state.h>
#include <prehend/articulation/joints/joint_kind.h>

namespace prehend::articulation {

namespace engine {

// Infinite where it is singular; scaled to a unit diagonal first, so that metres and radians do not decide what counts as that.
ParameterMatrix inverse_curvature(const ParameterMatrix& H);
// What the half-normal prior on the distance to axis or centre adds to the curvature; zero without a prior.
ParameterMatrix prior_curvature(const JointKind& kind, const Joint& joint,
                                const LikelihoodSettings& settings);

}  // namespace engine

// From `start` on, to the nearest minimum.
LikelihoodResult refine(const JointKind& kind, const Frames& frames, const Joint& start,
                        const LikelihoodSettings& settings);

}  // namespace prehend::articulation
