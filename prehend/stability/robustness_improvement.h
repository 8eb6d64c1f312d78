// Does a force here make the scene more robust, or less? (source N, definition 6: (4.27), (4.30), (4.41)-(4.43))
//
// slip: the derivative of the contact condition mu f_n - |f_t| with respect to the force, summed over the points of all
// interfaces on simple paths from the body to the ground. topple: the derivative of the squared torque margins, summed
// over the axes of all feasible cuts that contain the body, at the force `at`. Positive: better.
//
// The push reaches an interface from the side that is nearer to the pushed body (in steps of the contact graph; then
// from the one farther from the ground; where both are alike the mean of both sides counts). As in slip_robustness.h
// the contact's force changes by minus the push. (4.27) has no value where a contact carries no tangential force: any
// push along the face worsens it there, by |e_t|. The text before (4.30) refers to (4.41) and to toppling; it means
// (4.27) and slipping. A force that decreases the margin of an axis has tau_e > 0 there, so (4.43) at force zero is
// -2 tau_c tau_e: its sign is as defined only if tau_e is the torque towards the turn.
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
