// Log density of observed poses under a fitted joint, states integrated out: comparable between types of
// different freedoms.
//
// A frame's pose splits into 6 - d residual directions with Gaussian noise and d directions along the joint.
// States are Gaussian with unknown spread, so the measured state has covariance T = spread + C, with C its
// measurement covariance:
//   log p = -1/2 (6 log 2 pi + log |noise| + |residual|^2) - 1/2 (log |T| - log |C| + d).
// A joint that does not move has T = C and exactly the density of a rigid one; with states maximised per
// frame (source K, (8)) every further freedom would win by following noise. Residuals and states are
// first-order autoregressive, with the coefficients of highest likelihood, so a slow wobble counts as one
// deviation.
//
// Outliers: share kOutlierShare, uniform over the ball that holds all positions and over all orientations.
#pragma once

#include <span>
#include <vector>

#include <prehend/articulation/fit/likelihood_fit.h>

namespace prehend::articulation {

// Expected share of frames with a flipped marker or a lost part; one in a hundred as in Sturm et al. 2011.
inline constexpr double kOutlierShare = 0.01;

// An angle beyond a turn is seen as within it: of a wheel that turns many times, the density of the state is never below that of one which is
// uniform over the turn. A part that rests most of the time has states that are no Gaussian: where it is more likely, states are a
// mixture of one place of rest and a Gaussian.
struct LogLikelihood {
  double smooth{0.0};       // autoregressive, as above
  double independent{0.0};  // all coefficients zero
};
// Entries of a type's state that come back after a whole turn; a screw's does not.
std::vector<int> angle_entries(model::JointType type);

// States of a fit, angles continuous from frame to frame; frames outside the noise follow the others and lead none.
std::vector<State> continuous_states(model::JointType type, const LikelihoodResult& result);

// Of a planar joint the spread depends on which point of M the states are shifts of: that of the point which moves least counts, where it is more likely.
struct SeenMotion {
  model::JointType type;
  double length{1.0};  // as in Frames
  int dimension{6};    // 3 for positions alone
  // Rest is looked for at the median state alone. Between pairs of parts: how their states are spread is no evidence of which one is connected.
  bool rests_at_median{false};
};
// `states` continuous in time, one per term.
LogLikelihood log_likelihood(std::span<const FrameTerms> terms, std::span<const State> states,
                             std::span<const double> weights, const SeenMotion& motion);

// What the likelihood estimates besides the joint's own parameters: mean is the state's zero, spread and noise.
int nuisance_parameters(int freedoms, int dimension);

}  // namespace prehend::articulation
