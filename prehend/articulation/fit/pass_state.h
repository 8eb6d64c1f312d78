// What a pass over the frames of a joint reads and leaves: the joint, its noise, weights and states so far, and sums over frames.
//
// The likelihood engine owns it; the pass of each type (frame_pass.h), the only code that is compiled per type, works on it.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/frames.h>
#include <prehend/articulation/fit/likelihood_fit.h>
#include <prehend/articulation/fit/noise_components.h>
#include <prehend/articulation/fit/noise_sizes.h>

namespace prehend::articulation::engine {

inline constexpr int kMostParameters = 10;  // screw and universal
using ParameterVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMostParameters, 1>;
using ParameterMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostParameters, kMostParameters>;

// Sums over frames: curvature, gradient, noise statistics.
struct FrameSums {
  ParameterMatrix H;
  ParameterVector g;
  NoiseComponents<double> noise;
  double cost{0}, count{0}, frames{0};
  double apart{0};      // added to the cost, frames outside the noise lie anywhere, whatever the noise
  double a2{0}, c2{0};  // squared residuals [rad^2, m^2]
  double along2{0}, across2{0};   // whitened, along and across the line between the origins
  double D2{0};                   // [m^2] squared distance of the origins
  double taken_a{0}, taken_c{0};  // what states take of the three components of rotation and displacement
};

struct PassState {
  const Frames& frames;
  const LikelihoodSettings& settings;
  Joint joint;
  double p{1}, r{1};              // variances [m^2, rad^2]
  double near{0}, far{0};         // squared residuals between which a frame's weight falls from 1 to 0
  std::size_t stride{1};          // every how-manieth frame counts
  std::vector<double> weights{};  // by frame
  std::vector<double> q{};        // states as known so far, those of a frame together; not a number: not yet
  std::vector<FrameTerms>* terms{nullptr};
  FrameSums sums{};
  // Of several sizes: roots of each frame's precision, angle and position; and their information since it was cleared.
  std::vector<std::array<double, 2>> factors{};
  std::array<SizesInformation, 2> information{};

  bool several_sizes() const { return settings.sizes.has_value(); }
};

}  // namespace prehend::articulation::engine
