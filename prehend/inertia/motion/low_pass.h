// What a low-pass filter in the sensor makes of the motion that its wrench speaks of.
//
// The wrench is linear in a, al and w w^T (regressor.h), in the sensor's own axes, where sensors filter: a filtered wrench is the wrench of that motion
// filtered alike. One pole, exact for values that are linear between rows; before the first row they are taken as linear, too. Where w is filtered and
// then squared, (time constant x al)^2 is lost: at 5 Hz and 10 rad/s^2 a thousandth of the weight for a centre 0.1 m away.
#pragma once

#include <span>

#include <prehend/inertia/samples.h>

namespace prehend::inertia {

// Motion and gravity of the samples, in the order of time, through one pole of this time constant [s]; 0: as they are. Their mean delay is the time constant.
void low_pass(double time_constant, std::span<Sample> samples);

}  // namespace prehend::inertia
