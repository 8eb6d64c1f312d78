// The recommended estimator (`likelihood`): what body is most believable, given the wrenches, their noise and the shape?
//
// Forces and torques count by the noise that their own residuals show; the prior (body_prior.h) holds what the motion
// does not tell to what the shape says, as firmly as the data themselves find the shape to be trusted; and
// nu log det J, J the pseudo inertia, keeps every answer a body that can exist (J positive definite, Lee 2019). For one
// component of the prior the most probable body minimises
//   (phi - p)^T H (phi - p) / 2 + |z|^2 / 2 - nu log det J(phi),   phi = m (mean + L z),   L L^T = covariance + free mass,
// H the information of the data, p what they say alone: convex, ten unknowns, a few Newton steps from the
// unconstrained answer. Components are averaged by their evidence (Laplace), which gives mean and covariance; a mean of
// bodies is a body. Noise levels and the mass in the prior's scale are found by repeating this (expectation-maximisation).
//
// Accelerations with white noise of known size (SampleNoise a, al) sit in the regressor A and would pull H up and the
// parameters down. Their expected share is taken out: H - n B in place of H in the estimating equation, whose own
// variance remains H; so the information is (H - n B) H^-1 (H - n B). After smoothing this correction is small. Noise in w
// is taken as none. Errors are taken as independent from sample to sample.
//
// Everything from running sums: constant memory, streaming. Cost of an answer: about 1 ms, most of it the prior, made
// once. Covariance is of phi, to first order; the truth lies within its 95 % ellipsoid in 93 to 97 % of trials on generated
// tools (test/likelihood_test.cpp), in about 80 % on the recorded workshop tools with their scanned parts
// (`prehend reproduce table-3.8`). What was chosen (body_prior.h) was chosen on generated tools only.
#pragma once

#include <memory>
#include <optional>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/methods/body_prior.h>
#include <prehend/inertia/methods/normal_equations.h>

namespace prehend::inertia {

struct Background;
struct EstimatorOptions;
class StreamingEstimator;

struct LikelihoodOptions {
  BodyPriorOptions prior{};
  // Weight nu of log det J; zero: answers may be no bodies. One half counts as one observation that has extent. In [0, 10].
  double extent{0.5};
  // Off: every row counts the same in SI units, as in ordinary least squares. For comparison.
  bool weigh_by_noise{true};
  // Known wrench noise counts as this many samples against what residuals show. Not negative.
  double known_noise_samples{20.0};
  // Rounds of noise and mass. In [1, 100].
  int rounds{4};
  // Noise is not believed to be smaller than this share of the wrench's own size: logs are written with nine digits.
  double noise_floor{1e-8};
  // As for least squares; only for the report of what the data tell.
  double rank_tolerance{1e-7};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

Estimate likelihood(const NormalEquations& sums, const BodyPrior& prior,
                    const std::optional<SampleNoise>& noise = {}, const LikelihoodOptions& options = {});

// The shape is used where background has shape and X_SO.
std::unique_ptr<StreamingEstimator> make_likelihood_estimator(const Background& background,
                                                              const EstimatorOptions& options);

}  // namespace prehend::inertia
