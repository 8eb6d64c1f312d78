// What was demonstrated, done again: the sub-skills between contact states, executed in the physics engine with force feedback
// (Takamatsu 2004, A.7).
//
// A compliant hand holds the moving body: a spring between where the hand is commanded to be and where the body is, which is also the
// force sensor. Its command follows the planned trajectory and the measured wrench,
//   q(t) = q(t-1) + (q_d(t) - q_d(t-1)) + K (f - f_d)                                        (A.26)
// in the directions that the kept contacts restrict, turns included (A.9.2). The wanted wrench f_d presses every kept contact by the same
// small force at its middle: opposite contacts cancel. A step ends when force rises against the motion, or falls where the body
// slides over a rim; a blocked step is begun again (A.7.3). Gravity is left out: the hand carries the body.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/watch.h>

namespace prehend::observation {

// The states of a demonstration, at the poses in the middle of each.
std::vector<RelationPose> assembly_states(const Watched& watched);

// What the robot does not know.
struct ExecutionErrors {
  // Where the fixed body truly stands, in the frame where the robot takes it to stand.
  math::Pose X_WF;
  // How the moving body truly lies in the hand; turns about its middle.
  math::Pose X_HM;
};

// What the hand's command follows besides the plan.
enum class Feedback {
  none,    // nothing: steps end where their trajectories end
  force,   // as in the thesis, whose sensors give no moments: orientations stay as planned
  wrench,  // forces and moments
};
const char* to_string(Feedback feedback);

struct ExecutionOptions {
  Feedback feedback{Feedback::wrench};
  double push_N{0.5};  // [N] on every kept contact; the thesis presses with 50 gf
  double speed_mps{0.02}, turn_radps{0.3};
  // [N/m] Of the hand; against turns this times the square of a quarter of the moving body's size [N m/rad].
  double stiffness_Npm{1000.0};
  // [m] The moving body is made smaller by so much, so that what fits exactly can be put together: the engine's contacts are soft, its bodies rigid.
  double clearance_m{3e-4};
  double friction{0.2};
  double force_noise_N{
      0.02};  // [N] standard deviation per axis and reading; of the moment this times a quarter of the size
  double control_hz{100.0};
  int retries{40};  // of blocked steps, in all
  // [m] and [rad] How far a step may go on beyond its planned end until a contact is felt: the errors that are expected.
  double search_m{8e-3}, search_rad{0.1};
  std::uint64_t seed{0};
  ExecutionErrors errors;

  void validate() const;
};

enum class ExecutionStatus {
  not_computed,
  no_plan,  // `reason`
  ok,  // every contact of the last state is there, within a hundredth of the smaller body's size; free: none
  failed,        // the sequence ended elsewhere; `reason`
  undetermined,  // the engine cannot have these bodies; `reason`
};
const char* to_string(ExecutionStatus status);

// Why a step ended.
enum class StepEnd {
  reached,  // the end of its trajectory
  contact,  // force rose against the motion
  passed,   // the force on the kept contact fell: over the rim
  blocked,  // force rose where none was to be
  lost,     // neither within the search; the next step presses what it keeps
};
const char* to_string(StepEnd end);

struct ExecutedStep {
  int step{0};  // of the plan
  int from{0}, to{0};
  StepEnd end{StepEnd::lost};
  double t0_s{0.0}, t1_s{0.0};
  double advance{0.0};  // of the planned way; above 1: searched beyond it
  double peak_N{0.0};
};

struct ExecutionSample {
  double t_s{0.0};
  int step{0};                                   // of the plan
  math::Pose X_WM;                               // true, in the frame of the robot
  Eigen::Vector3d f_W{Eigen::Vector3d::Zero()};  // [N] on the moving body, as the sensor reads it
  double pressed_N{0.0};                         // along the kept contacts' mean normal
};

struct Execution {
  ExecutionStatus status{ExecutionStatus::not_computed};
  std::string reason;
  AssemblyPlan plan;
  ExecutionErrors errors;
  std::vector<ExecutedStep> steps;  // as done: repeated ones again
  std::vector<ExecutionSample> samples;
  double duration_s{0.0}, peak_N{0.0};
  // [m] What the least consistent contact of the last state is apart, at the true poses.
  double end_gap_m{0.0};
  int repeated{0};
};

// Throws std::invalid_argument for invalid options.
Execution execute(const BodyPair& pair, const std::vector<RelationPose>& states,
                  const ExecutionOptions& options = {});

// Random errors of the fixed body's pose and of the grasp: uniform up to the bounds, in random directions.
struct ErrorBounds {
  double position_m{0.0}, angle_rad{0.0};
};
ExecutionErrors random_errors(const ErrorBounds& fixed, const ErrorBounds& grasp, std::uint64_t seed);

struct TrialOptions {
  int count{1};
  ErrorBounds fixed, grasp;  // drawn anew for every trial; the k-th has the seed of the options plus k

  void validate() const;
};

struct TrialSummary {
  ExecutionStatus status{ExecutionStatus::not_computed};
  std::string reason;
  ExecutionErrors errors;
  double end_gap_m{0.0}, duration_s{0.0}, peak_N{0.0};
  int repeated{0};
};

struct ExecutionTrials {
  ExecutionStatus status{ExecutionStatus::not_computed};  // ok: all arrived
  std::string reason;
  Execution first;  // in full
  std::vector<TrialSummary> trials;
  int arrived{0};
  std::vector<std::string> notes;  // sentences

  // {"status","notes","arrived","trials":[{status,reason,shift_m,turn_rad,end_gap_m,duration_s,peak_N,repeated}],"plan":[{from,to,skills,critical,kept,poses}],
  // "steps":[{from,to,end,t0_s,t1_s,advance,peak_N}]}; shift and turn are those of the fixed body, the steps those of the first trial.
  std::string to_json() const;
  std::string brief_report() const;
};

// Throws as execute() does.
ExecutionTrials execute_trials(const BodyPair& pair, const std::vector<RelationPose>& states,
                               const ExecutionOptions& options = {}, const TrialOptions& trials = {});
// Of the states that were watched; `notes` say where these are doubtful.
ExecutionTrials execute_trials(const BodyPair& pair, const Watched& watched,
                               const ExecutionOptions& options = {}, const TrialOptions& trials = {});

}  // namespace prehend::observation
