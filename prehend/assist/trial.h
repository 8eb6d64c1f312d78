// A whole trial in simulation: the controller, the robot in MuJoCo, the person, the tracker and the faults, tick by tick.
//
// What the result says is read from the simulation, not from the controller: forces, times of touch, speeds, rest. Same scenario and seed, same
// numbers, except processor times.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/assist/controller.h>
#include <prehend/assist/scenario.h>
#include <prehend/math/pose.h>

namespace prehend::assist {

struct TrialOptions {
  // How many times this thread has asked for memory since it began; none: not counted. The command line counts every malloc.
  std::uint64_t (*allocations)(){nullptr};
};

struct StateVisit {
  StateName name{StateName::InitialPosture};
  std::string contact;  // empty: none
  double t0_s{0.0}, t1_s{0.0};
  StateEnd end{StateEnd::done};
};

struct ContactResult {
  std::string name, hand, region;
  std::optional<double> touched_s, detected_s, released_s, peak_N, hold_N;
  double limit_N{0.0};
};

struct StopResult {
  StopCause cause{StopCause::timeout};
  double at_s{0.0};
  std::optional<double> rest_s, clear_s;
};

struct InjectedFault {
  FaultKind kind{FaultKind::vision_lost};
  StateName state{StateName::InitialPosture};
  double t_s{0.0};
};

struct Utterance {
  double t_s{0.0};
  std::string text;
};

struct TickTimes {
  int count{0}, overruns{0};
  double p50_us{0.0}, p99_us{0.0}, max_us{0.0};
  std::optional<std::uint64_t> allocations;
  int variables{0}, rows{0};
};

// One control tick; not-a-number where a cell is undefined.
struct TraceRow {
  double t{0.0};
  StateName state{StateName::InitialPosture};
  int contact{-1};
  QpStatus qp{QpStatus::not_used};
  double tick_us{0.0};
  std::vector<double> values;  // by Trace::columns, from base_x on
};

struct Trace {
  std::vector<std::string> columns;   // all, from t on
  std::vector<std::string> contacts;  // names
  std::vector<TraceRow> rows;

  std::string to_csv() const;
  int column(const std::string& name) const;  // into TraceRow::values; -1: none
};

// For the page: where everything stood.
struct TrialPicture {
  double t{0.0};
  std::vector<math::Pose> segments;          // of the robot
  std::vector<Eigen::Vector3d> person_ends;  // two per body part
};

struct TrialResult {
  TrialOutcome outcome{TrialOutcome::running};
  std::string reason;  // one sentence
  // What the simulation saw and the robot may not have: a force above its limit, a touch of another part, a contact that was not at its region. A completed trial with any is no success.
  std::vector<std::string> violations;
  double duration_s{0.0};
  std::vector<StateVisit> states;
  std::vector<ContactResult> contacts;
  std::optional<StopResult> stop;
  std::vector<InjectedFault> faults;
  std::vector<Utterance> said, shown;
  double base_speed_mps{0.0}, base_turn_radps{0.0}, contact_N{0.0}, other_contact_N{0.0};
  double self_distance_m{std::numeric_limits<double>::infinity()};
  std::array<int, 4>
      widened_rows{};  // torque, tipping, distances, others: rows that braking would have broken
  TickTimes ticks;
  Trace trace;
  std::vector<TrialPicture> pictures;
  std::vector<double> person_radii;  // [m] by body part
  std::string scenario_file;
  std::vector<std::string> notes;  // what was assumed about the robot, one sentence each

  std::string to_json() const;
  // The story, line by line.
  std::string brief_report() const;
};

// Throws model::InputError for what the scenario gets wrong about the robot.
TrialResult run_trial(const Scenario& scenario, const TrialOptions& options = {});

}  // namespace prehend::assist
