// Ctrl-C on the command line: the computation is asked to end, and the process ends within half a second in any case.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include <prehend/math/interrupt.h>

namespace prehend::cli {

// Lives while a verb runs. The first Ctrl-C makes math::check_interrupt() throw. Where that has not ended the verb after
// 0.4 s, or at the second Ctrl-C, the process prints `document` on standard output (with --json), says "interrupted" and
// ends with code 130, leaving every file complete or absent.
class InterruptionGuard {
 public:
  explicit InterruptionGuard(std::string document);
  ~InterruptionGuard();
  InterruptionGuard(const InterruptionGuard&) = delete;
  InterruptionGuard& operator=(const InterruptionGuard&) = delete;

 private:
  void watch(const std::stop_token& stop);

  std::string document_;
  math::InterruptOnSignal on_signal_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread watching_;
};

}  // namespace prehend::cli
