// Trials of source N, figures 3.4 to 3.7: the modular object on the wrist, five speeds, noise by table 3.2.
#pragma once

#include <array>
#include <vector>

#include "modular_object.h"
#include "reproduction.h"
#include <prehend/inertia/estimator.h>
#include <prehend/inertia/samples.h>
#include <prehend/math/random.h>

namespace prehend::reproduce {

inline constexpr std::array<double, 5> kWristSpeeds{1.0, 1.5, 2.0, 3.0, 4.0};  // [rad/s] mean
inline constexpr std::array<double, 5> kTipSpeeds{0.14, 0.2, 0.27, 0.41,
                                                  0.54};  // [m/s] the same, of the sensor

struct WristTrial {
  inertia::Samples raw;       // noisy accelerations as they stand
  inertia::Samples smoothed;  // empty unless asked for; the whole recording smoothed at once
};
struct WristTrialOptions {
  double speed{1.0};      // [rad/s] mean
  double duration{10.0};  // [s]
  std::size_t noise{2};   // index into source_noise_levels(): moderate
  bool smooth{false};
};
WristTrial wrist_trial(const ModularObject& object, const WristTrialOptions& options,
                       math::RandomStream stream);

// The five and ours, named; ours takes the smoothed samples. `seconds`: only the first ones count.
struct FigureMethod {
  const char* name;
  inertia::Method method;
};
const std::vector<FigureMethod>& figure_methods();
inertia::Estimate figure_estimate(inertia::Method method, const WristTrial& trial,
                                  const ModularObject& object, double seconds);

// Figures repeat a fifth of the runs asked for, at least one: each has hundreds of recordings.
int figure_runs(const ReproduceOptions& options);

}  // namespace prehend::reproduce
