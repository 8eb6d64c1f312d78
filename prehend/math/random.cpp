#include <cmath>
#include <stdexcept>

#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::math {
namespace {

// One block of Philox 4x32 with ten rounds; constants as published.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0], product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint64_t mix(std::uint64_t value) {  // finaliser of SplitMix64
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t task)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, task_(task) {}

RandomStream RandomStream::split(std::uint64_t task) const {
  const std::uint64_t seed = (static_cast<std::uint64_t>(key_[1]) << 32) | key_[0];
  return RandomStream(mix(seed + 0x9E3779B97F4A7C15ULL * (mix(task_) | 1)), task);
}

RandomStream::result_type RandomStream::operator()() {
  if (used_ == 4) {
    block_ = philox({static_cast<std::uint32_t>(counter_), static_cast<std::uint32_t>(counter_ >> 32),
                     static_cast<std::uint32_t>(task_), static_cast<std::uint32_t>(task_ >> 32)},
                    key_);
    ++counter_;
    used_ = 0;
  }
  return block_[used_++];
}

std::uint64_t RandomStream::bits64() {
  const std::uint64_t high = (*this)();
  return (high << 32) | (*this)();
}

double RandomStream::uniform() { return static_cast<double>(bits64() >> 11) * 0x1.0p-53; }

double RandomStream::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::uint32_t RandomStream::below(std::uint32_t count) {
  if (count == 0) throw std::invalid_argument("RandomStream::below: count is 0; it must be at least 1");
  const std::uint32_t reject_below = (0u - count) % count;
  std::uint32_t value = (*this)();
  while (value < reject_below) value = (*this)();
  return value % count;
}

double RandomStream::normal() {  // Box-Muller; both values of a pair are used
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  const double angle = 2.0 * kPi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_normal_ = true;
  return radius * std::cos(angle);
}

Eigen::Vector3d RandomStream::normal3() {
  const double x = normal(), y = normal(), z = normal();
  return {x, y, z};
}

Eigen::Vector3d RandomStream::unit_vector() {
  const double z = uniform(-1.0, 1.0), angle = uniform(0.0, 2.0 * kPi);
  const double radius = std::sqrt(std::max(0.0, 1.0 - z * z));
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

Eigen::Quaterniond RandomStream::rotation() {
  const double u = uniform(), a = uniform(0.0, 2.0 * kPi), b = uniform(0.0, 2.0 * kPi);
  const double s = std::sqrt(1.0 - u), c = std::sqrt(u);
  return {c * std::cos(b), s * std::sin(a), s * std::cos(a), c * std::sin(b)};
}

}  // namespace prehend::math
