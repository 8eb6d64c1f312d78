#pragma once

#include <prehend/knot/p_data.h>

namespace prehend::knot {

inline const PData kTrefoil{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}};

}  // namespace prehend::knot
