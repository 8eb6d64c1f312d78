// Everything around the controller in a trial: robot, person, tracker, faults; sensor values out, commands in.
#pragma once

#include <memory>
#include <vector>

#include <prehend/assist/control/core.h>
#include <prehend/assist/trial.h>
#include <prehend/assist/world/simulated_person.h>
#include <prehend/assist/world/simulated_robot.h>
#include <prehend/assist/world/tracker.h>

namespace prehend::assist {

struct ContactTruth {
  double f{0.0};  // [N] largest in the tick
  Eigen::Vector3d force_W{Eigen::Vector3d::Zero()},
      point_W{Eigen::Vector3d::Zero()};  // on the robot, at the tick's end
  bool touches{false};
  double touched_at{-1.0}, last_at{-1.0};  // [s]
  double peak{0.0};
};

class TrialWorld {
 public:
  explicit TrialWorld(const Scenario& scenario);

  Sensors sense();
  // Until the next tick: the command takes effect after `delay_s`.
  void run(const Command& command, double delay_s, double duration_s);
  // Which faults are on, from the state the controller is in.
  void update_faults(const Command& command, std::vector<InjectedFault>& injected);
  void react(const Command& command);

  bool is_active(FaultKind kind) const;
  double overrun_s() const;
  double time() const { return robot_.time(); }
  const RobotState& truth() const { return robot_.state(); }
  const Freedoms& torque() const { return robot_.torque(); }
  const SimulatedPerson& person() const { return person_; }
  const std::vector<ContactTruth>& contacts() const { return contacts_; }
  double other_N() const { return other_; }
  double push_N() const { return push_; }
  const RobotSetup& setup() const { return setup_; }
  // What was assumed about the robot, one sentence each.
  std::vector<std::string> notes() const;
  math::Pose camera() const;
  Eigen::Vector3d tablet() const;
  double self_distance() const;
  Eigen::Vector3d navigation_error() const;

 private:
  struct FaultRun {
    FaultSpec spec;
    double entered{-1.0}, begins{-1.0}, ends{-1.0};
    bool is_on{false}, is_over{false};
  };
  void physics_step();
  void spoil(Sensors& sensors) const;
  void set_fault(FaultRun& fault, bool on);

  Scenario scenario_;
  RobotSetup setup_;
  SimulatedRobot robot_;
  SimulatedPerson person_;
  Tracker tracker_;
  TrackerFaults tracker_faults_;
  math::RandomStream random_;
  std::unique_ptr<WholeBody> pairs_;  // which capsules are watched
  std::vector<FaultRun> faults_;
  std::vector<ContactTruth> contacts_;
  double other_{0.0}, push_{0.0};
  StateName state_{StateName::InitialPosture};
  int contact_{-1};
  double state_at_{0.0}, asked_{-1.0}, make_at_{-1.0};
  int asked_contact_{-1};
};

}  // namespace prehend::assist
