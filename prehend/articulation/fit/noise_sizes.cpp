#include <algorithm>
#include <cmath>
#include <vector>

#include <prehend/articulation/fit/noise_sizes.h>

namespace prehend::articulation {
namespace {

constexpr std::size_t kCount = NoiseSizes::kSizes.size();
using Densities = std::array<double, kCount>;

// Of each size, relative to a Gaussian of size one at zero.
class DensityOf {
 public:
  explicit DensityOf(double freedoms) {
    for (std::size_t k = 0; k < kCount; ++k) factors_[k] = std::pow(NoiseSizes::kSizes[k], -freedoms);
  }
  Densities operator()(double squared) const {
    Densities result;
    for (std::size_t k = 0; k < kCount; ++k)
      result[k] = factors_[k] * std::exp(-0.5 * squared / (NoiseSizes::kSizes[k] * NoiseSizes::kSizes[k]));
    return result;
  }

 private:
  Densities factors_;
};

constexpr double kLeastDensity = 1e-290;

double mixed(const Densities& shares, const Densities& p) {
  double sum = 0;
  for (std::size_t k = 0; k < kCount; ++k) sum += shares[k] * p[k];
  return sum;
}

}  // namespace

NoiseSizes::At NoiseSizes::at(double squared, double freedoms) const {
  const Densities p = DensityOf(freedoms)(squared);
  const double sum = mixed(shares, p);
  if (!(sum > kLeastDensity)) {  // far out: the largest size that there is
    std::size_t largest = kCount - 1;
    while (largest > 0 && !(shares[largest] > 1e-6)) --largest;
    const double precision = 1 / (kSizes[largest] * kSizes[largest]);
    return {precision, 0.0, squared * precision - freedoms * std::log(precision)};
  }
  double first = 0, second = 0;
  for (std::size_t k = 0; k < kCount; ++k) {
    const double share = shares[k] * p[k] / sum, precision = 1 / (kSizes[k] * kSizes[k]);
    first += share * precision;
    second += share * precision * precision;
  }
  return {first, std::max(second - first * first, 0.0), -2 * std::log(sum)};
}

SizesFit estimate_sizes(std::span<const double> squared, double freedoms, int rounds) {
  SizesFit fit;
  if (squared.empty() || !(freedoms > 0.1)) return fit;
  const DensityOf density(freedoms);
  std::vector<Densities> p;
  p.reserve(squared.size());
  for (const double s : squared) p.push_back(density(s));
  Densities& shares = fit.sizes.shares;
  shares.fill(1.0 / kCount);
  for (int round = 0; round < rounds; ++round) {
    Densities next{};
    double total = 0;
    for (const Densities& row : p) {
      const double sum = mixed(shares, row);
      if (!(sum > kLeastDensity)) continue;
      const double inverse = 1 / sum;
      for (std::size_t k = 0; k < kCount; ++k) next[k] += inverse * row[k];
      total += 1;
    }
    if (total == 0) return {};
    for (std::size_t k = 0; k < kCount; ++k) shares[k] *= next[k] / total;
  }
  // Products instead of logarithms, a few at a time.
  double product = 1;
  for (const Densities& row : p) {
    const double sum = mixed(shares, row);
    if (!(sum > kLeastDensity) || !(row[NoiseSizes::kOne] > kLeastDensity)) continue;
    product *= sum / row[NoiseSizes::kOne];
    if (product > 1e100 || product < 1e-100) fit.gain += std::log(product), product = 1;
  }
  fit.gain += std::log(product);
  return fit;
}

double SizesInformation::excess() const {
  if (!(freedoms_ > 0) || !(score2_ > 0)) return 1.0;
  // Slope and score's variance agree for the true shares; a slope that few residuals make small is not believed.
  const double slope = std::max(slope_, 0.5 * score2_);
  return weight_ * score2_ / (slope * slope);
}

}  // namespace prehend::articulation
