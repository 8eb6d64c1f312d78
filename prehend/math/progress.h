// How far a long computation is, for whoever waits: the command line's bar, a notebook, a user's own window.
//
//   Progress progress("map of robustness", pushes.size());     in the loop's function
//   for (...) { ...; progress.advance(); }                      any thread; also ends the loop where an interrupt was requested
//
//   const auto now = current_progress();                        in another thread, as often as it likes
//
// Loops inside loops of the same thread count as parts of the outer loop's step. Where several threads compute side by side,
// the loop that began first is shown. A step costs one relaxed addition and one relaxed load.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include <prehend/math/interrupt.h>

namespace prehend::math {

class Progress {
 public:
  // `what` is shown to people and must outlive the loop: a literal.
  Progress(const char* what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::size_t steps = 1) {
    done_.fetch_add(steps, std::memory_order_relaxed);
    check_interrupt();
  }
  // Names the step that begins.
  void begin(const char* what) { what_.store(what, std::memory_order_relaxed); }

 private:
  friend struct ProgressReader;
  std::atomic<const char*> what_;
  std::atomic<std::size_t> done_{0};
  std::size_t total_;
  Progress* outer_{nullptr};  // of the same thread
  Progress* inner_{nullptr};
};

struct CurrentProgress {
  double fraction{0.0};  // 0 to 1
  const char* what{""};  // of the outermost loop
};

// None while no loop runs.
std::optional<CurrentProgress> current_progress();

}  // namespace prehend::math
