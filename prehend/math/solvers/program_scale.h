// What the checks of linear and quadratic programs scale by: powers of two, which change no digit.
#pragma once

#include <cmath>

#include <Eigen/Core>

namespace prehend::math {

inline double nearest_power_of_two(double value) { return std::exp2(std::round(std::log2(value))); }
// In absolute value; 0 for a vector without entries.
inline double largest_entry(const Eigen::VectorXd& v) {
  return v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff();
}

}  // namespace prehend::math
