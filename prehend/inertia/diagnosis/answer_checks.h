// Whether an answer may stand beside the samples it was found from: each check is a sentence, or nothing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <prehend/inertia/diagnosis/slow_noise.h>
#include <prehend/inertia/estimate.h>
#include <prehend/inertia/samples.h>
#include <prehend/inertia/shape.h>

namespace prehend::inertia {

// Heavier than the shape's box full of the densest metal.
std::optional<std::string> too_heavy(const Estimate& estimate, const Shape* shape);

// Longer than what a hand holds: its file is in millimetres or centimetres.
std::optional<std::string> oversized_shape(const Estimate& estimate, const Shape* shape);

// Residuals that are large beside the signal, or beside what ten free parameters leave.
std::optional<std::string> poor_fit(const Estimate& estimate, const Samples& samples, const Shape* shape);

// A constant wrench in the sensor's axes that no body explains: by a free offset beside the ten parameters. It `matters` where it changes the body. Beside
// slow noise it must stand out from that.
struct SensorOffset {
  std::string sentence;
  bool matters{false};
  math::Vector10d change{math::Vector10d::Zero()};  // of the parameters once it is taken out
};
std::optional<SensorOffset> sensor_offset(std::span<const Sample> samples,
                                          const LastingNoise* slow = nullptr);

// Parameters that no body can have (methods without constraints).
std::optional<std::string> impossible_body(const Estimate& estimate);

}  // namespace prehend::inertia
