// How noisy the columns of a motion are, and how lively the motion is, found from the motion itself.
//
// Restricted maximum likelihood of the chain (motion_chain.h): the standard deviations of x, v and a and the density of
// the jerk that make the recording most probable, states integrated out. With nothing stated the common scale has a
// closed form, and a Nelder-Mead search over at most three logarithms remains (each step one linear pass).
//
// A robot stops and goes: one density of jerk for all times smooths the stops too little and the starts too much. The
// local density follows from the same residuals in a sliding window (fixed-point iteration of the restricted
// likelihood's equation: squares / (count - fitted), Fellner and Schall).
#pragma once

#include <optional>

#include <prehend/inertia/motion/motion_chain.h>

namespace prehend::inertia {

// What the caller knows already; absent: estimated.
struct StatedNoise {
  std::optional<double> x, v, a;  // standard deviations per axis
  std::optional<double> jerk;     // square root of density; stated: the same at all times
};

struct NoiseSearch {
  ChainNoise noise;
  double log_likelihood{0.0};  // at the global optimum, up to a constant of the data
  int evaluations{0};
  bool at_resolution{false};  // positions are as exact as the file's digits: x was held at that floor
  bool interpolates{
      false};  // the jerk within one step outweighs the noise of positions: nothing is smoothed away
};

// `window` [samples]: half width over which the jerk's density is taken as equal; 0: the same at all times.
NoiseSearch estimate_chain_noise(const ChainData& data, const StatedNoise& stated, double unit,
                                 double window);

// Root mean square per axis by which v and a change when every second sample is left out (a's own column unused): an
// upper bound of their error where positions are interpolated. There the white-jerk model, which must allow for the
// sharpest moment, says far too much.
struct HalvingError {
  double v{0.0}, a{0.0};
};
HalvingError halving_error(const ChainData& data, const ChainNoise& noise, double unit);

}  // namespace prehend::inertia
