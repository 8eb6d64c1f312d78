// Answers without prestress in pages: what they are called, and when they deserve a flag.
#pragma once

namespace prehend::stability {

inline constexpr char kWithoutPrestress[] = "without prestress";

// Statics grants any squeeze. Where load-caused forces hold less than this part of the answer, the page says so: 5 % is what a
// reader would not put down to friction being known to two digits.
inline constexpr double kSameWithoutPrestress = 0.95;

}  // namespace prehend::stability
