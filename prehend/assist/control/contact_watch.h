// Residuals and loads of all joints: tracking error less what the learned model predicts, and the median of the last few.
//
// A servo answers an outside torque with stiffness x error + damping x speed error. The load is that answer over the stiffness [rad]: residual +
// (damping / stiffness) x speed error. At a touch the speed error is there within a tick, while the error has yet to grow: the load notices a contact some 0.05 s before
// the residual does. A stuck joint and a pushed one look alike in it; for those the residual alone is asked.
#pragma once

#include <array>
#include <cmath>

#include <prehend/assist/contact_observer.h>
#include <prehend/assist/robot/robot_model.h>
#include <prehend/assist/robot/servo.h>

namespace prehend::assist {

class ContactWatch {
 public:
  static constexpr int kMostTicks = 64;

  ContactWatch(const RobotModel& robot, const ObserverModel& observer, const ServoGains& gains,
               int median_ticks);

  struct Reference {
    double v{0.0}, a{0.0}, tau{0.0};
  };
  static double predicted(const ObserverModel::Joint& model, const Reference& reference);
  struct Error {
    double position{0.0}, speed{0.0};  // reference less measured: [rad], [rad/s]
  };
  // One joint, one tick. `stiffness`: share of the servo's own; a softer servo has the larger error.
  void add(int joint, const Error& error, const Reference& reference, double stiffness);
  void next_tick() { at_ = (at_ + 1) % ticks_, count_ += count_ < ticks_ ? 1 : 0; }
  void forget(int joint);
  // Moves the load's zero by a `share` of what it shows now. A joint that stands or creeps rests anywhere within its dry friction, for no reason of a touch: no more than
  // the learned friction is taken out.
  void settle(int joint, double stiffness, double share);

  // [rad] Learned dry friction: a joint rests anywhere within it.
  double friction(int joint) const { return std::abs(models_[static_cast<std::size_t>(joint)].direction); }
  double residual(int joint) const { return residual_[static_cast<std::size_t>(joint)]; }
  double filtered(int joint) const { return filtered_[static_cast<std::size_t>(joint)]; }
  double load(int joint) const { return load_[static_cast<std::size_t>(joint)]; }
  double filtered_load(int joint) const { return filtered_load_[static_cast<std::size_t>(joint)]; }

 private:
  using Window = std::array<double, kMostTicks>;
  double median_with(Window& window, double newest) const;

  int ticks_, at_{0}, count_{1};
  std::array<ObserverModel::Joint, kMaxJoints> models_;
  std::array<Window, kMaxJoints> window_{}, load_window_{};
  std::array<double, kMaxJoints> lead_{};  // [s] damping over stiffness
  std::array<double, kMaxJoints> residual_{}, filtered_{}, load_{}, filtered_load_{}, rest_{};
};

}  // namespace prehend::assist
