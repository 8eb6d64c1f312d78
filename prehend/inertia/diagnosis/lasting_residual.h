// What a body leaves unexplained and what lasts: the mark of something else that acts.
//
// Noise of a sensor and errors of a smoothed motion pass within some hundredths of a second. A table that carries part of the weight, a hose, poses that do
// not belong to the wrenches, a drifting sensor last longer. The part of the residual that lasts is the root of its covariance with itself a tenth of a
// second later; white noise has none, whatever its size.
#pragma once

#include <span>

#include <prehend/inertia/samples.h>
#include <prehend/math/inertia.h>

namespace prehend::inertia {

struct LastingResidual {
  double force{0.0};   // [N] root mean square per component
  double torque{0.0};  // [N m]
  double share{0.0};   // of the wrench: the larger one of force and torque
  double at{0.0};      // [s] the middle of the half second in which it is largest
};
// `bias` [N m; N] in the sensor's axes is taken out first.
LastingResidual lasting_residual(const math::Vector10d& phi, const math::Vector6d& bias,
                                 std::span<const Sample> samples);

}  // namespace prehend::inertia
