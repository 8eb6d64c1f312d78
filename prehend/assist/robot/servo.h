// The joints' own position servos, as the controller assumes them and the simulation has them.
#pragma once

#include <prehend/assist/robot/robot_model.h>

namespace prehend::assist {

struct ServoGains {
  Freedoms stiffness, damping;  // [N m/rad], [N m s/rad]; base: [N/m], [N s/m] and per rad
  Freedoms armature;            // [kg m^2] of the rotors; base: [kg]
};

// Stiffness from what the motor exerts: full torque at 0.28 rad of error; damping 0.6 of critical for the inertia that the joint moves upright.
ServoGains servo_gains(const RobotModel& robot, const Freedoms& upright);

}  // namespace prehend::assist
