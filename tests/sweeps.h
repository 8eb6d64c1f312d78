// Test support: sweeps over random cases are short in `make test` and long in `make test-slow`.
#pragma once

#include <cstdlib>

namespace prehend::test {

inline bool is_slow_run() { return std::getenv("PREHEND_SLOW") != nullptr; }

// How many cases a sweep has: `few`, or `many` with PREHEND_SLOW set.
inline int sweep_size(int few, int many) { return is_slow_run() ? many : few; }

}  // namespace prehend::test
