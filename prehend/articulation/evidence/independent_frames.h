// How many independent deviations do the residuals of a fit show? Not part of the public interface.
#pragma once

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

// Frames over the integrated autocorrelation time of the residuals, in units of their noise, summed until correlation has
// died away; outliers are left out.
double independent_frames(const JointFit& fit, const Observations& observations);

}  // namespace prehend::articulation
