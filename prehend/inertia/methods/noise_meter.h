// White noise of a smooth, evenly sampled signal, found while it streams by, in constant memory.
//
// Third differences of a motion sampled at 100 Hz or more are small; those of white noise of deviation s per axis have
// the variance 20 s^2. The median of their squared length (over 2.366, the median of chi^2 with three freedoms) does not
// see the few samples where the motion jumps. Noise that was filtered before is not white and comes out too small: then
// whoever filtered must say (SampleNoise). The median is read from a histogram with eight bins an octave (4 % in s).
#pragma once

#include <array>
#include <cstdint>

#include <Eigen/Core>

namespace prehend::inertia {

class NoiseMeter {
 public:
  void add(const Eigen::Vector3d& value);
  // Per axis, in the signal's unit; zero before eight values.
  double deviation() const;

 private:
  static constexpr int kBinsPerOctave = 8, kOctaves = 128, kBins = kBinsPerOctave * kOctaves;
  std::array<Eigen::Vector3d, 3> last_{};
  std::int64_t values_{0}, zeros_{0};
  std::array<std::uint32_t, kBins> counts_{};
};

}  // namespace prehend::inertia
