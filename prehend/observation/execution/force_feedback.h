// K (f - f_d) of (A.26): how the hand's command is moved for what the contacts exert.
#pragma once

#include <prehend/math/spatial.h>
#include <prehend/observation/execution/assembly_path.h>

namespace prehend::observation {

struct HandStiffness {
  double shift{1000.0};  // [N/m]
  double turn{1.0};      // [N m/rad] about the body's middle
};

// The wanted wrench on the moving body: every contact pressed by the same force, shared evenly by its points.
math::Vector6d wanted_wrench(const ContactWrenches& kept, double push_N);

// A small turn [rad] and shift [m] of the command that takes away `share` of what the wrench is off, in the directions that the contacts restrict; others are left
// alone. Turns about the body's middle, in the axes of the wrench.
math::Vector6d feedback_step(const ContactWrenches& kept, const math::Vector6d& wrench, double push_N,
                             const HandStiffness& stiffness, double share);

}  // namespace prehend::observation
