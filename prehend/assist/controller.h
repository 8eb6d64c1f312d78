// The controller of a trial as a pure object: tick(sensors) gives a command, whatever produced the sensor values.
//
// All memory is made at construction; a tick allocates nothing, takes no lock, throws nothing and reads no file or clock. Time is what the
// sensors say. Commands are references for the joints' own position servos (position, speed, torque feed-forward, share of stiffness) and for the
// base's velocity drive. A servo that gets no new command for two periods must brake by itself; damping follows stiffness, but below a tenth of it twice the full damping stays.
//
// The whole-body program runs on the reference state; what is measured is compared with it, and the difference, less what a learned model
// predicts, is how contact is noticed (Bolotnikova et al. 2020, III-D).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <Eigen/Core>

#include <prehend/assist/contact_observer.h>
#include <prehend/assist/scenario.h>
#include <prehend/math/pose.h>

namespace prehend::assist {

inline constexpr int kMostJoints = 32;

// What the body tracker saw, in the camera's optical frame (z forward, x right), at its own time.
struct PersonDetection {
  double t_s{0.0};  // when the picture was taken
  math::Pose X_CP;  // pelvis on the seat: x forward, z up
  Eigen::Vector3d head_C{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d face_C{Eigen::Vector3d::UnitZ()};  // unit: where the face points
  std::array<Eigen::Vector3d, kRegionCount> regions_C{};  // [m] centres, by BodyRegion
};

struct Sensors {
  double t_s{0.0};
  std::array<double, kMostJoints> q{}, v{}, tau{};  // by joint: [rad], [rad/s], [N m]
  Eigen::Vector3d base{Eigen::Vector3d::Zero()};    // x, y [m], yaw [rad]: odometry
  Eigen::Vector3d base_rate{Eigen::Vector3d::Zero()};
  std::optional<PersonDetection> person;  // when one arrived since the last tick
};

enum class QpStatus { solved, unsolved, infeasible, not_used };
const char* to_string(QpStatus status);

enum class StateEnd { done, timeout, retry, fault };
const char* to_string(StateEnd end);

enum class TrialOutcome { running, completed, declined, safe_stop };
const char* to_string(TrialOutcome outcome);

struct Command {
  std::array<double, kMostJoints> q{}, v{}, a{}, tau{}, stiffness{};  // stiffness: share of the servo's own, 0 to 1
  Eigen::Vector3d base{Eigen::Vector3d::Zero()}, base_rate{Eigen::Vector3d::Zero()}, base_acceleration{Eigen::Vector3d::Zero()};
  Eigen::Vector3d base_force{Eigen::Vector3d::Zero()};  // [N], [N m] feed-forward: what the base needs for itself and against the arms
  StateName state{StateName::InitialPosture};
  int contact{-1};  // that the state is about
  std::optional<StateEnd> ended;  // the state before this one ended in this tick
  QpStatus qp{QpStatus::not_used};
  std::optional<StopCause> stop;  // SafeStop, and why
  TrialOutcome outcome{TrialOutcome::running};
  std::string_view say{}, show{};  // new in this tick; they live as long as the controller
  std::array<double, 8> residual{}, filtered{};  // [rad] by contact
  std::array<bool, 8> touching{};                // detected and not yet removed, by contact
  std::optional<Eigen::Vector3d> navigation_error;  // x, y [m], yaw [rad]: the base in its target frame
  std::optional<double> tablet_angle;              // [rad] face to tablet, as seen
  bool person_seen{false};                         // an accepted detection in this tick
  bool is_at_rest{false};                          // references stand
};

class Controller {
 public:
  // Throws model::InputError for what the scenario names and the robot does not have.
  explicit Controller(const Scenario& scenario, const ObserverModel& observer = {});
  ~Controller();
  Controller(Controller&&) noexcept;
  Controller& operator=(Controller&&) noexcept;

  const Command& tick(const Sensors& sensors) noexcept;

  int joint_count() const;
  std::string_view joint_name(int joint) const;
  double period_s() const;
  int variables() const;  // of the program
  int rows() const;       // of the program, in the last tick
  // Rows of the last ticks that full braking would have broken and that were widened to it: torque, tipping, distances, others.
  std::array<int, 4> widened_rows() const;
  double self_distance_m() const;  // least between the robot's own parts, for the references
  // The fault of that name: until it is taken back, the program has no solution.
  void make_infeasible(bool infeasible);

  struct Core;  // control/core.h, for this room alone

 private:
  std::unique_ptr<Core> core_;
};

// Whether the contacts can be reached from where the base will stand, before anything moves; empty: yes, else a sentence.
std::string out_of_reach(const Scenario& scenario);

}  // namespace prehend::assist
