// How long a call takes: the median of several, of which the first ones warm up.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "verb.h"

namespace prehend::cli {

// [ms] Throws UsageError below one call.
inline double median_time(int repeat, const std::function<void()>& call) {
  if (repeat < 1) throw UsageError("--repeat is " + std::to_string(repeat) + "; it must be at least 1");
  std::vector<double> times;
  for (int k = 0; k < repeat; ++k) {
    const Stopwatch stopwatch;
    call();
    times.push_back(stopwatch.milliseconds());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

}  // namespace prehend::cli
