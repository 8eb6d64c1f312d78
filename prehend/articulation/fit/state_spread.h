// How much do a joint's states say when some frames know them well and others badly? Not part of the public interface.
//
// States are Gaussian with unknown mean m and spread A, each measured with its own covariance C_i: q_i ~ N(m, A + C_i). Mean and spread by
// expectation and maximisation, compared with no spread at all. Where all C_i are alike the closed form of likelihood.h gives the same.
#pragma once

#include <span>
#include <vector>

#include <prehend/articulation/fit/likelihood_fit.h>

namespace prehend::articulation {

// [nats] Mean over the frames `used` of log |A + C_i| - log |C_i| + |q_i - m|^2 in units of A + C_i, at its least.
double varied_state_information(std::span<const FrameTerms> terms, std::span<const State> states,
                                const std::vector<int>& used);

}  // namespace prehend::articulation
