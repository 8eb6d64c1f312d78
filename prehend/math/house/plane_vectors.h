// Vectors of the plane, where the cross product is a number.
#pragma once

#include <Eigen/Core>

namespace prehend::math {

// The signed area of the parallelogram a, b: positive where b lies to the left of a.
inline double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

}  // namespace prehend::math
