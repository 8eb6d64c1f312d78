// The poses nearest to the observed ones, in units of the noise, at which chosen contacts are closed: Newton steps on exact residuals.
#pragma once

#include <span>

#include <prehend/stability/mending/closure_choice.h>

namespace prehend::stability {

// Moves problem.bodies. Returns the largest residual left of the independent rows [m or rad]; infinite where no step could be computed.
double fit_poses(std::span<const ChosenClosure> closed, ChoiceProblem& problem);

}  // namespace prehend::stability
