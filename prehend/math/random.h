// Seeded random streams: the same seed and task give the same numbers on every platform and for any number of threads.
//
// The generator is counter based (Philox 4x32-10, Salmon et al. 2011): stream(seed, task) needs no shared state, so
// task 7 draws the same numbers whether it runs first or last. Distributions are written here because those of the
// standard library differ between implementations. Draw each number in a statement of its own: compilers order arguments as they like.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace prehend::math {

class RandomStream {
 public:
  using result_type = std::uint32_t;

  // `seed` is the user's; `task` numbers the independent pieces of work (a trial, a sample, a body).
  explicit RandomStream(std::uint64_t seed, std::uint64_t task = 0);

  // A further independent stream below this one; does not advance this stream.
  RandomStream split(std::uint64_t task) const;

  // UniformRandomBitGenerator, for std::shuffle and friends.
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  std::uint64_t bits64();
  // Uniform in [0, 1), 53 bits.
  double uniform();
  // Uniform in [low, high).
  double uniform(double low, double high);
  // Uniform integer in [0, count); throws std::invalid_argument when count is 0. Free of modulo bias.
  std::uint32_t below(std::uint32_t count);
  // Normal with mean 0 and standard deviation 1.
  double normal();

  Eigen::Vector3d normal3();
  // Uniform on the unit sphere.
  Eigen::Vector3d unit_vector();
  // Uniform over SO(3) (Haar measure).
  Eigen::Quaterniond rotation();

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint64_t task_;
  std::uint64_t counter_{0};
  std::array<std::uint32_t, 4> block_{};
  int used_{4};
  bool has_spare_normal_{false};
  double spare_normal_{0.0};
};

}  // namespace prehend::math
