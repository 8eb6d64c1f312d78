#pragma once

namespace prehend::stability {

inline constexpr double kWeight = 9.81;  // [N] of the kilogram that the test bodies have

}  // namespace prehend::stability
