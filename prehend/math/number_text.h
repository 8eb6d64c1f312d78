// Numbers inside sentences.
#pragma once

#include <cstdio>
#include <string>

namespace prehend::math {

// As few digits as needed, at most `digits` significant ones: 0.5, 1e-09, -12.3457.
inline std::string number_text(double value, int digits = 6) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

}  // namespace prehend::math
