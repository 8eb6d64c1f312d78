// Moves from rest to rest between still poses, and the order in which poses are visited.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/excitation_options.h>
#include <prehend/inertia/joint_motion.h>

namespace prehend::inertia {

// Rest to rest along a straight line of the joint space: q = from + s(t / duration) (to - from), s = 10 x^3 - 15 x^4 +
// 6 x^5.
struct RestMove {
  Eigen::VectorXd from, to;
  double duration{0.0};  // [s] the shortest that the limits allow
  bool has_room{true};   // the object stays in its room all the way
  void at(double t, JointState& state) const;
};
RestMove rest_move(const model::JointChain& chain, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                   const ExcitationOptions& options);

// Order of least total duration through all poses: indices into the durations (row: from, column: to). Starts at
// `first`, or anywhere when it is negative. Infinite durations are ways that do not exist.
std::vector<int> visiting_order(const Eigen::MatrixXd& durations, int first = -1);

}  // namespace prehend::inertia
