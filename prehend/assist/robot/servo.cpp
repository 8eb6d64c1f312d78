#include <cmath>

#include <prehend/assist/robot/robot_state.h>
#include <prehend/assist/robot/servo.h>

namespace prehend::assist {

ServoGains servo_gains(const RobotModel& robot, const Freedoms& upright) {
  constexpr double kTorquePerError = 3.5;                                // [1/rad] of the largest torque
  constexpr double kBaseStiffness = 3000.0, kBaseTurnStiffness = 400.0;  // [N/m], [N m/rad]
  constexpr double
      kWheelMass = 60.0,
      kWheelInertia =
          3.0;  // [kg], [kg m^2] of the wheels' motors through their gears, as the base feels them
  constexpr double kDampingRatio = 0.6;  // [-] of critical damping
  constexpr double kRotorShare = 0.1;    // of the inertia that the joint moves
  const int n = robot.freedoms();
  RobotState state(robot);
  state.set(upright, Freedoms::Zero(n));
  state.compute_dynamics();
  ServoGains gains{Freedoms::Zero(n), Freedoms::Zero(n), Freedoms::Zero(n)};
  for (int i = 0; i < n; ++i) {
    const double moved = state.mass_matrix()(i, i);
    gains.armature[i] = i < 2 ? kWheelMass : i == 2 ? kWheelInertia : kRotorShare * moved + 0.002;
    gains.stiffness[i] =
        i < 2    ? kBaseStiffness
        : i == 2 ? kBaseTurnStiffness
                 : kTorquePerError * robot.joints[static_cast<std::size_t>(i - kBaseFreedoms)].effort;
    gains.damping[i] = 2.0 * kDampingRatio * std::sqrt(gains.stiffness[i] * (moved + gains.armature[i]));
  }
  return gains;
}

}  // namespace prehend::assist
