// What is behind controller.h: the state machine, its tasks, and the way to stop.
#pragma once

#include <array>
#include <vector>

#include <prehend/assist/control/contact_watch.h>
#include <prehend/assist/control/person_track.h>
#include <prehend/assist/control/state_table.h>
#include <prehend/assist/control/whole_body.h>
#include <prehend/assist/controller.h>
#include <prehend/assist/person/seated_figure.h>
#include <prehend/assist/robot/servo.h>

namespace prehend::assist {

inline constexpr int kMostContacts = 8;

// A point that travels with bounded speed and acceleration.
struct MovingGoal {
  Eigen::Vector3d p{Eigen::Vector3d::Zero()}, v{Eigen::Vector3d::Zero()};
  struct Pace {
    double speed{0.2}, acceleration{0.5};
  };
  void step(const Eigen::Vector3d& target, const Pace& pace, double dt);
};

struct ContactRun {
  const ContactSpec* spec{nullptr};
  int hand{0};     // slot of its task
  int segment{0};  // that carries the palm
  Eigen::Vector3d p_S{Eigen::Vector3d::Zero()};
  double palm_radius{0.0};                 // [m]
  double reach{0.0};                       // [m] from the arm's root to the palm of a straight arm
  int watched{-1}, gripper{-1}, root{-1};  // joints; root: the arm's first
  double side{1.0};                        // +1: the arm hangs on the robot's left
  Eigen::Vector3d pre_W{Eigen::Vector3d::Zero()}, end_W{Eigen::Vector3d::Zero()},
      direction_W{Eigen::Vector3d::UnitX()};
  double speed{0.05};  // [m/s] of the approach
  int phase{0};
  int implausible{0};    // ticks with a load that no touch explains
  double phase_at{0.0};  // [s]
  bool detected{false}, removed{false};
  double hand_extent{
      0.0};  // [m] by which other shapes of the hand stand further from the palm's frame than its own
  bool goes_back{false};  // in SafeStop: it touches, or was on its way to
  double detected_at{0.0};
};

// The scenario's names as indices of the robot; throws model::InputError.
struct RobotSetup {
  RobotModel robot;
  WholeBody::Setup whole_body;
  int camera{-1}, tablet{-1};
  std::vector<ContactRun> contacts;
};
RobotSetup setup_robot(const Scenario& scenario);

struct Controller::Core {
  Core(const Scenario& scenario, const ObserverModel& observer);

  const Command& tick(const Sensors& sensors) noexcept;

  // core.cpp: one tick
  bool read_sensors(const Sensors& sensors);
  void see(const Sensors& sensors);
  void compare();
  void act();
  void write_command();
  void advance();

  // core_states.cpp: what each state asks for, and when it ends
  void choose_tasks();
  void choose_gaze();
  void run_state();
  void initial_posture();
  void navigate();
  void go_around();
  void communicate();
  void pre_contact();
  void make_contact();
  void remove_contacts();
  void move_away();
  void plan_touch(ContactRun& run);
  Eigen::Vector3d off_the_shoulder(const ContactRun& run, const Eigen::Vector3d& p_W) const;
  bool is_touch_plausible(const ContactRun& run) const;
  double touch_offset(const ContactRun& run) const;
  double approach_speed(const ContactRun& run);
  void finish(StateEnd end);
  void enter(StateName state, int contact);
  void late();
  Eigen::Vector3d base_target(double forward) const;
  Eigen::Vector3d in_base(const Eigen::Vector3d& p_B) const;
  struct HandForce {
    double newtons{0.0};
    double unexplained{0.0};  // share of the arm's torques that no force at the hand explains
  };
  HandForce estimated_force(const ContactRun& run) const;

  // core_safety.cpp: what ends a trial early
  void watch_joints();
  void watch_forces();
  bool is_about_to_touch(std::size_t contact_index) const;
  double touch_residual(int freedom) const;
  void watch_vision();
  void watch_person();
  void stop(StopCause cause);
  void safe_stop();
  void soften();
  bool is_contact_arm(int joint) const;
  bool is_stuck(int joint) const;
  void remember_moves();

  Scenario scenario;
  RobotSetup setup;
  const RobotModel& robot;
  int joints, n;
  double period;
  StateTable table;
  WholeBody whole_body;
  RobotState measured_state;
  ServoGains gains;
  PersonTrack track;
  ContactWatch watch;
  Tasks tasks;
  Surroundings around;
  std::array<MovingGoal, kMaxHands> goals;
  std::array<bool, kMaxHands> hand_on{};
  std::vector<ContactRun>& contacts;

  Command command;
  Freedoms q, v, a, tau;  // references now, and the acceleration from now on
  Freedoms upright, posture;
  Freedoms q_measured, v_measured;  // the last that were finite
  Freedoms base_residual;
  bool is_first{true}, infeasible{false}, is_soft{false}, base_stands{true}, was_valid{true};
  double touch_tolerance{0.02};  // [m] of where a touch is felt against where it is seen
  double gap{0.0};               // [s] between this tick and the last
  double now{0.0}, last_tick{0.0}, state_at{0.0}, seen_at{0.0}, asked_at{0.0};
  int bad_detections{0}, asked{0}, approaches{0}, late_ticks{0};
  bool looked{false}, declined{false}, returns{false};
  StateName state{StateName::InitialPosture};
  int contact{-1};
  bool has_stopped{false};
  StopCause cause{StopCause::timeout};
  Eigen::Vector3d anchor{Eigen::Vector3d::Zero()};  // the pelvis when navigation was done
  Eigen::Vector3d away{Eigen::Vector3d::Zero()};
  std::array<char, kMaxFreedoms> is_trunk{};
  std::array<double, kMaxJoints> share{};  // of the servo's stiffness, by joint

  static constexpr int kRemembered = 20;  // ticks
  std::array<std::array<double, kMaxJoints>, kRemembered> past_measured{}, past_reference{};
  int past{0};
  std::array<double, kMaxJoints> moved_to{}, reference_when_moved{};
};

}  // namespace prehend::assist
