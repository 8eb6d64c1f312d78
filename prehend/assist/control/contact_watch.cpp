#include <algorithm>
#include <cmath>

#include <prehend/assist/control/contact_watch.h>

namespace prehend::assist {
namespace {

// [rad/s] Dry friction changes its sign over about this speed.
constexpr double kTurning = 0.03;

}  // namespace

ContactWatch::ContactWatch(const RobotModel& robot, const ObserverModel& observer, int median_ticks)
    : ticks_(std::clamp(median_ticks, 1, kMostTicks)) {
  for (std::size_t j = 0; j < robot.joints.size(); ++j)
    for (const ObserverModel::Joint& joint : observer.joints)
      if (joint.name == robot.joints[j].name) models_[j] = joint;
}

double ContactWatch::predicted(const ObserverModel::Joint& model, const Reference& reference) {
  return model.constant + model.direction * std::tanh(reference.v / kTurning) + model.speed * reference.v +
         model.acceleration * reference.a + model.torque * reference.tau;
}

void ContactWatch::add(int joint, double error, const Reference& reference, double stiffness) {
  const std::size_t j = static_cast<std::size_t>(joint);
  residual_[j] = error - predicted(models_[j], reference) / stiffness;
  window_[j][static_cast<std::size_t>(at_)] = residual_[j];
  std::array<double, kMostTicks> sorted;
  std::copy_n(window_[j].begin(), count_, sorted.begin());
  std::nth_element(sorted.begin(), sorted.begin() + count_ / 2, sorted.begin() + count_);
  filtered_[j] = sorted[static_cast<std::size_t>(count_ / 2)];
}

void ContactWatch::forget(int joint) {
  window_[static_cast<std::size_t>(joint)].fill(0.0);
  filtered_[static_cast<std::size_t>(joint)] = 0.0;
}

}  // namespace prehend::assist
