// A motion of a robot's joints as a function of time, and the same as a table of samples.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/regressor.h>
#include <prehend/model/joint_chain.h>

namespace prehend::inertia {

struct JointState {
  Eigen::VectorXd q, qd, qdd;  // [rad or m], [per s], [per s^2]
};

struct JointMotion {
  double duration{0.0};                                 // [s]
  std::function<void(double t, JointState& state)> at;  // 0 <= t <= duration
};

// One row per instant.
struct Trajectory {
  Eigen::VectorXd t;           // [s] equally spaced from zero
  Eigen::MatrixXd q, qd, qdd;  // one column per joint

  // `t,NAME,...` with one column per joint, then NAME_vel and NAME_acc; numbers read back to the same bits.
  std::string csv(const std::vector<std::string>& joints) const;
};

// At t = 0, 1/rate, ... up to the duration.
Trajectory sample_motion(const JointMotion& motion, double rate);

// How the sensor at the chain's end moves on the way: one Motion per row.
std::vector<Motion> sensor_motions(const model::JointChain& chain, const Trajectory& trajectory);

}  // namespace prehend::inertia
