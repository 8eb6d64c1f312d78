// The recommended estimator (`likelihood`): what body is most probable, given the wrenches, their noise and the shape?
//
// Forces and torques count by the noise that their own residuals show; the prior (body_prior.h) holds what the motion
// does not determine to what the shape says, as firmly as the data themselves find the shape to be trusted; and
// nu log det J, J the pseudo inertia, keeps every answer a body that can exist (J positive definite, Lee 2019).
//
// Everything from running sums: constant memory, streaming. Cost of an answer: about 1 ms, most of it the prior, made
// once. Covariance is of phi, to first order; the truth lies within its 95 % ellipsoid in 93 to 97 % of trials on generated
// tools (test/likelihood_test.cpp), in about 80 % on the recorded workshop tools with their scanned parts
// (`prehend reproduce table-3.8`). What was chosen (body_prior.h) was chosen on generated tools only.
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
