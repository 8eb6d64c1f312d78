#include <cmath>

#include <prehend/inertia/motion/low_pass.h>

namespace prehend::inertia {
namespace {

using Channels = Eigen::Matrix<double, 12, 1>;

Channels channels_of(const Sample& sample) {
  Channels x;
  x << sample.motion.a, sample.motion.w, sample.motion.al, sample.gravity;
  return x;
}

}  // namespace

void low_pass(double time_constant, std::span<Sample> samples) {
  if (!(time_constant > 0.0) || samples.size() < 2) return;
  Channels before = channels_of(samples[0]), state = before, slope = Channels::Zero();
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const std::size_t next = k == 0 ? 1 : k;  // the first row has the slope of the first step
    const double h = samples[next].t - samples[next - 1].t;
    const Channels now = k == 0 ? before : channels_of(samples[k]);
    if (h > 0.0) {
      slope = ((k == 0 ? channels_of(samples[1]) : now) - before) / h;
      // Of x = x0 + s t the filter gives x - T s, and what it was off by fades.
      const Channels off =
          k == 0 ? Channels(Channels::Zero())
                 : Channels((state - before + time_constant * slope) * std::exp(-h / time_constant));
      state = now - time_constant * slope + off;
    }
    before = now;
    samples[k].motion = {state.segment<3>(0), state.segment<3>(3), state.segment<3>(6)};
    samples[k].gravity = state.segment<3>(9);
  }
}

}  // namespace prehend::inertia
