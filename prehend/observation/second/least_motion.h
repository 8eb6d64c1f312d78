// The shortest x with G x >= g, or weights y >= 0 with G'y = 0 and g.y > 0 that forbid it.
//
// Least-distance programming by non-negative least squares (Lawson and Hanson 1974, chapter 23). An x longer than 1e5 times the largest
// g counts as none: the rows then depend on each other to 1e-5, and the answer would hang on digits nobody has.
#pragma once

#include <Eigen/Core>

namespace prehend::observation {

struct LeastMotion {
  bool found{false};
  bool failed{false};       // numbers too far apart for the solver: neither is known
  Eigen::VectorXd x;        // found
  Eigen::VectorXd weights;  // not found: largest is 1
};
LeastMotion least_motion(const Eigen::MatrixXd& G, const Eigen::VectorXd& g);

}  // namespace prehend::observation
