// Whether the object changed within a log: moved in the grasp, touched something, was set down.
//
// Two sets of parameters, before and after one of some twenty moments, against one, the sensor's offsets being common. Two cases count. Residuals that
// shrink by half: any parameter may have changed. Less: mass and centre alone, with inertia and offsets common, beyond what leaving
// out any fifth of a second changes (a jackknife: residuals of a smoothed motion last, and are larger where it is fast), and
// large beside the weight in the orientations of either side.
#pragma once

#include <span>
#include <vector>

#include <prehend/inertia/log_diagnosis.h>

namespace prehend::inertia {

std::vector<Finding> check_parameter_change(std::span<const Sample> samples, const DiagnosisOptions& options,
                                            const std::vector<bool>& use);

}  // namespace prehend::inertia
