// Does a force here make the scene more robust, or less? (source N, definition 6: (4.27), (4.30), (4.41)-(4.43))
//
// slip: the derivative of the contact condition mu f_n - |f_t| with respect to the force, summed over the points of all
// interfaces on simple paths from the body to the ground. topple: the derivative of the squared torque margins, summed
// over the axes of all feasible cuts that contain the body, at the force `at`. Positive: better.
//
// The push reaches an interface from the side that is nearer to the pushed body (in steps of the contact graph; then
// from the one farther from the ground; where both are alike the mean of both sides counts). Where the print is wrong or says too
// little: robustness_improvement.cpp.
#pragma once

#include <prehend/stability/push.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {

struct RobustnessImprovement {
  AnswerStatus status{AnswerStatus::not_computed};
  double slip{0.0};    // [-] newton of margin per newton of force
  double topple{0.0};  // [N m^2] squared torque per newton of force
  std::string note;
};

// `at`: [N] force already applied. Throws std::invalid_argument as push_load does, and for a negative force.
RobustnessImprovement robustness_improvement(const model::Scene& scene, const ContactSystem& system,
                                             const Push& push, double at = 0.0);

}  // namespace prehend::stability
