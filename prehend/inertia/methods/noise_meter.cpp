#include <algorithm>
#include <cmath>

#include <prehend/inertia/methods/noise_meter.h>

namespace prehend::inertia {

void NoiseMeter::add(const Eigen::Vector3d& value) {
  if (values_ >= 3) {
    const double squared = (value - 3.0 * last_[2] + 3.0 * last_[1] - last_[0]).squaredNorm();
    if (squared > 0.0 && std::isfinite(squared)) {
      int exponent = 0;
      const double mantissa = std::frexp(squared, &exponent);  // in [1/2, 1)
      const int within =
          std::min(kBinsPerOctave - 1, static_cast<int>((mantissa - 0.5) * 2.0 * kBinsPerOctave));
      ++counts_[std::clamp((exponent + kOctaves / 2) * kBinsPerOctave + within, 0, kBins - 1)];
    } else {
      ++zeros_;
    }
  }
  last_[0] = last_[1];
  last_[1] = last_[2];
  last_[2] = value;
  ++values_;
}

double NoiseMeter::deviation() const {
  if (values_ < 8) return 0.0;
  const std::int64_t differences = values_ - 3;
  std::int64_t seen = zeros_;
  if (2 * seen >= differences) return 0.0;
  for (int bin = 0; bin < kBins; ++bin) {
    seen += counts_[bin];
    if (2 * seen < differences) continue;
    const double mantissa = 0.5 + (bin % kBinsPerOctave + 0.5) / (2.0 * kBinsPerOctave);
    const double squared = std::ldexp(mantissa, bin / kBinsPerOctave - kOctaves / 2);
    return std::sqrt(squared / (20.0 * 2.366));
  }
  return 0.0;
}

}  // namespace prehend::inertia
