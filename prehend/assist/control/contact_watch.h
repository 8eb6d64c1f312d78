// Residuals of all joints: tracking error less what the learned model predicts, and the median of the last few.
#pragma once

#include <array>

#include <prehend/assist/contact_observer.h>
#include <prehend/assist/robot/robot_model.h>

namespace prehend::assist {

class ContactWatch {
 public:
  static constexpr int kMostTicks = 64;

  ContactWatch(const RobotModel& robot, const ObserverModel& observer, int median_ticks);

  struct Reference {
    double v{0.0}, a{0.0}, tau{0.0};
  };
  static double predicted(const ObserverModel::Joint& model, const Reference& reference);
  // One joint, one tick. `stiffness`: share of the servo's own; a softer servo has the larger error.
  void add(int joint, double error, const Reference& reference, double stiffness);
  void next_tick() { at_ = (at_ + 1) % ticks_, count_ += count_ < ticks_ ? 1 : 0; }
  void forget(int joint);

  double residual(int joint) const { return residual_[static_cast<std::size_t>(joint)]; }
  double filtered(int joint) const { return filtered_[static_cast<std::size_t>(joint)]; }

 private:
  int ticks_, at_{0}, count_{1};
  std::array<ObserverModel::Joint, kMaxJoints> models_;
  std::array<std::array<double, kMostTicks>, kMaxJoints> window_{};
  std::array<double, kMaxJoints> residual_{}, filtered_{};
};

}  // namespace prehend::assist
