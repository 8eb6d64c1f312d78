// Motions in which nothing touches the robot: what the contact observer learns from, and is tested on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <Eigen/Core>

#include <prehend/assist/control/core.h>
#include <prehend/assist/scenario.h>

namespace prehend::assist {

class FreeMotions {
 public:
  using Features = Eigen::Matrix<double, 5, 1>;  // 1, tanh(v / 0.03), v, a, tau
  using Sample = std::function<void(int joint, const ContactWatch::Error& error, const Features& features)>;

  explicit FreeMotions(const Scenario& scenario);
  int joint_count() const { return setup_.robot.joint_count(); }
  const std::string& joint_name(int joint) const { return setup_.robot.joints[static_cast<std::size_t>(joint)].name; }
  // The joints go to random postures and the base drives, through the whole-body program; one sample per joint and tick.
  void run(std::uint64_t seed, int motion, const Sample& sample) const;

 private:
  Scenario scenario_;
  RobotSetup setup_;
};

}  // namespace prehend::assist
