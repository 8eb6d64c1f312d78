// Whether something of the surroundings carries a part of the object: a hose, a cable, a hand.
//
// Forces alone: f = m (a_C - g) + F + k (p - mean) + offset, with a constant force F and a stiffness k in the world. A hose's mean pull looks like weight, but not
// like inertia, and is some ten times what its changes leave. Errors are those of a jackknife over fifths of a second, since residuals
// of a smoothed motion last. Only a force that lifts and a stiffness that pulls back are findings: errors of the accelerations,
// and filters in the sensor, make the opposite.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <prehend/inertia/samples.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

struct CarriedWeight {
  std::string sentence;  // where either stands out and is large beside the weight, else empty
  double mass{0.0};      // [kg] by the weight alone, whatever the accelerations say
  double std_mass{0.0};  // [kg]
};
// `samples` are rows of the log. None where these are too few or have no mass.
std::optional<CarriedWeight> carried_weight(const model::WrenchLog& log, std::span<const Sample> samples,
                                            const Eigen::Vector3d& gravity_W);

}  // namespace prehend::inertia
