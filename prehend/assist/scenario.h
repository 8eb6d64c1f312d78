// A trial of physical assistance as data: robot, person, sensors, contacts, limits, faults, and the settings of every state.
//
// Read from a YAML file by read_scenario(); docs/assist.md has every key with its default and its reason. Units are SI.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/angles.h>

namespace prehend::assist {

// Their text forms are the names that files and traces use.
enum class StateName {
  InitialPosture,
  NavigateToHuman,
  IntentCommunication,
  PreContact,
  MakeContact,
  RemoveContacts,
  MoveAway,
  SafeStop
};
inline constexpr int kStateCount = 8;
const char* to_string(StateName state);

enum class BodyRegion { right_shoulder, left_shoulder, right_hand, left_hand };
inline constexpr int kRegionCount = 4;
const char* to_string(BodyRegion region);

enum class FaultKind {
  vision_lost,
  tracker_frozen,
  tracker_jump,
  person_steps_back,
  person_pushes,
  joint_stuck,
  qp_infeasible,
  sensor_nan,
  tick_overrun
};
const char* to_string(FaultKind kind);

enum class StopCause {
  vision_lost,
  sensor_invalid,
  qp_infeasible,
  overrun,
  joint_stuck,
  tracking,
  unexpected_contact,
  force_limit,
  timeout,
  person_left
};
const char* to_string(StopCause cause);

// As ISO/TS 15066 is commonly quoted; no certified figures.
struct RegionLimits {
  double quasi_static_N{0.0};
  double stiffness_Npm{0.0};
  double effective_mass_kg{0.0};
};
RegionLimits region_limits(BodyRegion region);

struct RobotSpec {
  std::string urdf;  // path; empty: the built-in wheeled humanoid
  std::map<std::string, double>
      upright;  // [rad] or [m] by joint; joints that are not named stand at zero, or at the nearest limit
  std::array<std::string, 2> head{"neck_yaw", "neck_pitch"};
  std::string camera{"camera"}, tablet{"tablet"}, base_link{"base_link"};
  double speed_mps{0.1}, turn_radps{0.5}, acceleration_mps2{0.3}, turn_acceleration_radps2{0.75};
  std::vector<Eigen::Vector2d>
      support_m;  // corners, counter-clockwise, in the base link; empty: a square of 0.36 m
};

struct PersonSpec {
  double height_m{1.7}, seat_height_m{0.45};
  double x_m{1.2}, y_m{0.0}, yaw_rad{math::kPi};
  std::optional<double> looks_at_tablet_s{1.5}, gives_hand_s{1.0};  // after being asked; none: never
};

struct SensingSpec {
  double control_hz{83.0}, tracking_hz{15.0}, latency_s{0.1};
  double position_noise_m{0.005}, dropout{0.05};
  double close_range_m{0.6}, close_range_noise_m{0.015};
};

struct ContactSpec {
  std::string name, hand, frame;  // frame: the link of the palm
  BodyRegion region{BodyRegion::right_shoulder};
  std::string joint;  // watched
  std::string say, picture;
  double hold_s{2.0}, threshold_rad{0.015};
  bool invites{false};
  std::string gripper;  // joint that closes on contact; empty: none
  double limit_N{0.0};  // from limits.contact_N
};

struct FaultSpec {
  FaultKind kind{FaultKind::vision_lost};
  StateName state{StateName::NavigateToHuman};
  std::string contact;  // empty: the first time the state is entered
  double after_s{0.0};
  std::optional<double> for_s;  // none: for good
  double offset_m{0.0}, distance_m{0.0}, speed_mps{0.0}, force_N{0.0}, delay_ms{0.0};
  std::string link, joint, signal;
};

// Weights and stiffnesses of the tasks, and when a state ends.
struct StateSettings {
  double timeout_s{30.0};
  double posture_weight{10.0}, posture_stiffness{1.0};
  double base_weight{1e4}, base_stiffness{3.0};
  double com_weight{1e4}, com_stiffness{3.0};
  double look_weight{100.0}, look_stiffness{3.0};
  double hand_weight{2000.0}, hand_stiffness{40.0};
  int retries{0};
};

struct Tuning {
  std::array<StateSettings, kStateCount> states;
  double posture_done_rad{0.05};                              // InitialPosture: the largest error of a joint
  double navigation_done_m{0.04}, navigation_done_rad{0.08};  // apart: metres and radians do not add
  double target_forward_m{0.42},
      target_aside_m{0.42};  // of the base, from the pelvis, towards the side of the first contact
  double vision_short_s{0.5}, vision_long_s{5.0};
  double look_rad{0.6}, intent_s{7.0};
  int median_ticks{3};
  double approach_force_N{18.0}, approach_speed_mps{0.08};  // speed x sqrt(k m) stays below the force
  double person_left_m{0.2};
  double away_m{0.6};
  int approaches{2};  // further ones, after the person has left

  Tuning();  // the settings by state; docs/assist.md says which are the authors'
};

struct Scenario {
  std::string file;  // for messages
  std::uint64_t seed{0};
  double duration_s{180.0};
  RobotSpec robot;
  PersonSpec person;
  SensingSpec sensing;
  std::vector<ContactSpec> contacts;
  std::vector<FaultSpec> faults;
  Tuning tuning;
  std::string observer;              // path of a contact observer; empty: the built-in one
  std::map<std::string, int> lines;  // of the file, by key: "contacts.0.joint"; for messages

  int line_of(const std::string& key) const;  // of the key or what contains it; 0: unknown
};

// Throws model::InputError with file and line.
Scenario read_scenario(const std::string& path);
Scenario parse_scenario(const std::string& text, const std::string& name);
// The trial of Bolotnikova et al., section IV: 1.2 m, left hand to the right shoulder, right hand offered. The text is data/assist/trial.yaml.
Scenario default_scenario();

}  // namespace prehend::assist
