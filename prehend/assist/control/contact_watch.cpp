#include <algorithm>
#include <cmath>

#include <prehend/assist/control/contact_watch.h>

namespace prehend::assist {
namespace {

// [rad/s] Dry friction changes its sign over about this speed.
constexpr double kTurning = 0.03;

}  // namespace

ContactWatch::ContactWatch(const RobotModel& robot, const ObserverModel& observer, const ServoGains& gains, int median_ticks)
    : ticks_(std::clamp(median_ticks, 1, kMostTicks)) {
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const int i = static_cast<int>(j) + kBaseFreedoms;
    lead_[j] = gains.damping[i] / gains.stiffness[i];
    for (const ObserverModel::Joint& joint : observer.joints)
      if (joint.name == robot.joints[j].name) models_[j] = joint;
  }
}

double ContactWatch::predicted(const ObserverModel::Joint& model, const Reference& reference) {
  return model.constant + model.direction * std::tanh(reference.v / kTurning) + model.speed * reference.v +
         model.acceleration * reference.a + model.torque * reference.tau;
}

double ContactWatch::median_with(Window& window, double newest) const {
  window[static_cast<std::size_t>(at_)] = newest;
  Window sorted;
  std::copy_n(window.begin(), count_, sorted.begin());
  std::nth_element(sorted.begin(), sorted.begin() + count_ / 2, sorted.begin() + count_);
  return sorted[static_cast<std::size_t>(count_ / 2)];
}

void ContactWatch::add(int joint, const Error& error, const Reference& reference, double stiffness) {
  const std::size_t j = static_cast<std::size_t>(joint);
  residual_[j] = error.position - predicted(models_[j], reference) / stiffness;
  filtered_[j] = median_with(window_[j], residual_[j]);
  load_[j] = residual_[j] + lead_[j] * error.speed - rest_[j];
  filtered_load_[j] = median_with(load_window_[j], load_[j]);
}

void ContactWatch::forget(int joint) {
  const std::size_t j = static_cast<std::size_t>(joint);
  window_[j].fill(0.0), load_window_[j].fill(0.0);
  filtered_[j] = filtered_load_[j] = rest_[j] = 0.0;
}

void ContactWatch::settle(int joint, double stiffness, double share) {
  const std::size_t j = static_cast<std::size_t>(joint);
  const double friction = std::abs(models_[j].direction) / stiffness;
  const double rest = std::clamp(rest_[j] + share * filtered_load_[j], -friction, friction), change = rest - rest_[j];
  rest_[j] = rest;
  for (double& value : load_window_[j]) value -= change;
  filtered_load_[j] -= change;
}

}  // namespace prehend::assist
