// The robot in MuJoCo: a tree on a planar base, driven by position servos as real joints are, with friction and masses that its model does not know.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include <prehend/assist/controller.h>
#include <prehend/assist/robot/robot_state.h>
#include <prehend/assist/robot/servo.h>

namespace prehend::assist {

// MJCF of the robot alone, without geoms: its masses times `mass_scale` by segment.
std::string robot_mjcf(const RobotModel& robot, const ServoGains& gains,
                       const std::vector<double>& mass_scale, double timestep_s);

// Of one control period: about 1 ms each and at least 12. The spring of a hand (75 N/mm, 0.6 kg) swings 56 times a second; steps of 4 ms would feed it.
int physics_steps(double period_s);

class SimulatedRobot {
 public:
  struct Setup {
    Freedoms start;        // base and joints
    double period{0.012};  // [s] of control
    int steps{12};         // of physics per period: physics_steps()
    std::uint64_t unit{
        1};  // which exemplar of the robot: its masses and frictions differ a little from the model's
    double base_acceleration{0.3}, turn_acceleration{0.75};  // [m/s^2], [rad/s^2] largest of the base
  };
  SimulatedRobot(const RobotModel& robot, const ServoGains& gains, const Setup& setup);
  ~SimulatedRobot();

  // A new reference for the servos from now on.
  void command(const Command& command);
  void add_force(int segment, const Eigen::Vector3d& point_W, const Eigen::Vector3d& force_W);
  void set_stuck(int joint, bool stuck);
  // One physics step with the forces added since the last one. Throws simulate::SimulationError when numbers leave the finite world.
  void step();

  double time() const { return time_; }
  double timestep() const { return timestep_; }
  const RobotState& state() const { return state_; }  // the truth
  const Freedoms& torque() const { return torque_; }  // of the motors

 private:
  struct Engine;
  void drive();

  const RobotModel* robot_;
  ServoGains gains_;
  double timestep_, time_{0.0}, period_, base_acceleration_, turn_acceleration_;
  std::unique_ptr<Engine> engine_;
  RobotState state_;
  Freedoms torque_, q_ref_, v_ref_, a_ref_, tau_ref_, share_;
  Eigen::Vector3d v_goal_{Eigen::Vector3d::Zero()};  // of the base
  double since_{0.0};                                // [s] since the last command
};

}  // namespace prehend::assist
