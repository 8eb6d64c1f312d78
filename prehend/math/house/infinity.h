// Infinity of a double: no bound, no limit, no cost that would do.
#pragma once

#include <limits>

namespace prehend::math {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace prehend::math
