// Something else that acts on the object, told from noise of the sensor that lasts (slow_noise.h).
//
// Further forces are asked whether they explain the rows better than noise alone does: one that goes with the sensor's place, as a hose or a spring pulls, one
// that goes with its velocity (drag), and a constant one in the world for a part of the time (a table, a hand); and an offset of the sensor that grows. Each is fitted beside the body and under
// slow noise of its own; what lasts without any is the sensor's.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <prehend/inertia/diagnosis/slow_noise.h>
#include <prehend/inertia/samples.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

// A sentence about what acts; nothing where none is found. `noise` is that of forces beside a body alone.
std::optional<std::string> lasting_cause(const model::WrenchLog& log, std::span<const Sample> samples,
                                         const SlowNoise& noise);

// Of what lasts and is small: a spring that may carry more of the weight than it shows, since its pull where the sensor is on the mean looks like a weight. It
// counts from so many deviations on.
std::optional<std::string> hidden_spring(const model::WrenchLog& log, std::span<const Sample> samples,
                                         const SlowNoise& noise, double mass, double deviations);

}  // namespace prehend::inertia
