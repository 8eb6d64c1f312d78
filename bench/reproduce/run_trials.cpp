#include "run_trials.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <prehend/math/progress.h>

namespace prehend::reproduce {

void run_trials(const char* what, std::size_t count, int threads,
                const std::function<void(std::size_t)>& trial) {
  math::Progress progress(what, count);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr first;
  const auto work = [&] {
    try {
      for (std::size_t k = next++; k < count; k = next++) {
        trial(k);
        progress.advance();
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!first) first = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int k = 1; k < std::max(threads, 1); ++k) helpers.emplace_back(work);
    work();
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace prehend::reproduce
