// Noise whose size differs from frame to frame: a mixture of Gaussians of a few sizes whose shares are estimated. Not part of the public
// interface.
//
// Where a frame's amplitude is uniform between zero and a bound (source L), residuals have a sharp peak and no tail. Their fourth moment is
// nearly a Gaussian's, so Student's distribution, whatever its degrees of freedom, is hardly more likely; but frames in the peak are worth
// many others. Shares of given sizes are a concave problem, which expectation and maximisation solve from anywhere.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace prehend::articulation {

struct NoiseSizes {
  // In standard deviations of all frames together, octaves apart. Smaller ones would hold on to where the fit began.
  static constexpr std::array<double, 4> kSizes{0.25, 0.5, 1.0, 2.0};
  static constexpr std::size_t kOne = 2;
  std::array<double, kSizes.size()> shares{0, 0, 1, 0};

  struct At {
    double precision;  // mean of one over the size squared, as this residual tells it
    double spread;     // variance of the same
    double loss;       // twice the negative log density, up to that of a Gaussian of size one at zero
  };
  // `squared`: of a residual of that many freedoms, in units of the noise.
  At at(double squared, double freedoms) const;
};

struct SizesFit {
  NoiseSizes sizes;
  double gain{0.0};  // [nats] ahead of one size for all
};
// Of residuals whose mean square per freedom is one.
SizesFit estimate_sizes(std::span<const double> squared, double freedoms, int rounds);

// By how much the inverse of the weighted curvature falls short of the covariance of what is estimated: the score is precision times
// residual, its covariance and its mean slope make the usual sandwich.
class SizesInformation {
 public:
  void add(double squared, double freedoms, const NoiseSizes::At& at) {
    freedoms_ += freedoms;
    weight_ += freedoms * at.precision;
    score2_ += squared * at.precision * at.precision;
    slope_ += freedoms * at.precision - squared * at.spread;
  }
  double excess() const;

 private:
  double freedoms_{0}, weight_{0}, score2_{0}, slope_{0};
};

}  // namespace prehend::articulation
