// The recommended estimator (`likelihood`): the most probable body, given the wrenches, their noise and the
// shape.
//
// Forces and torques are weighted by the noise that their own residuals show. The prior (body_prior.h)
// determines what the motion does not, as firmly as the data find the shape to be trusted. The term nu log
// det J, J the pseudo inertia, keeps the result physically possible (J positive definite, Lee 2019).
//
// Streaming in constant memory, from running sums. Cost of an answer: about 1 ms, most of it the prior, made
// once. The covariance is of phi, to first order; its 95 % ellipsoid holds the truth in 93 to 99 % of trials
// on generated tools (test/likelihood_test.cpp), on which the prior was chosen, and in about 80 % on the
// recorded workshop tools (`prehend reproduce table-3.8`).
#pragma once

#include <optional>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/methods/body_prior.h>
#include <prehend/inertia/methods/normal_equations.h>

namespace prehend::inertia {

Estimate likelihood(const NormalEquations& sums, const BodyPrior& prior,
                    const std::optional<SampleNoise>& noise = {}, const LikelihoodOptions& options = {});

}  // namespace prehend::inertia
