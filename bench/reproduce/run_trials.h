// Repeated trials side by side, for tables whose cells take long.
#pragma once

#include <cstddef>
#include <functional>

namespace prehend::reproduce {

// Calls trial(0) to trial(count - 1), on so many threads. The first exception ends the other threads after their trial and
// is thrown here; so does a request to end (math/interrupt.h). `what` is shown with the progress.
void run_trials(const char* what, std::size_t count, int threads,
                const std::function<void(std::size_t)>& trial);

}  // namespace prehend::reproduce
