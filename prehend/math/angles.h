// Pi and degrees. The library computes in radians; degrees appear at the user's edge.
#pragma once

#include <numbers>

namespace prehend::math {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kDegree = kPi / 180.0;  // [rad]

constexpr double degrees(double radians) { return radians / kDegree; }
constexpr double radians(double degrees) { return degrees * kDegree; }

}  // namespace prehend::math
