// Ending a long computation from outside: Ctrl-C on the command line, in Python, or a user's own stop button.
//
// Whoever wants it to end calls request_interrupt(), from any thread or a signal handler. Long loops call check_interrupt() at
// least every 100 ms; it throws Interrupted where an end was requested, so that everything is released on the way out and no
// half result is returned. A check costs one relaxed load.
#pragma once

#include <exception>

namespace prehend::math {

class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

void request_interrupt() noexcept;  // safe in a signal handler
void clear_interrupt() noexcept;
int interrupt_requests() noexcept;  // since the last clear_interrupt(): 2 is an impatient user
inline bool interrupt_requested() noexcept { return interrupt_requests() > 0; }
void check_interrupt();

// While one lives, the signal SIGINT requests an interrupt, and then does what it did before, except ending or stopping the
// process. Several may live at once, in any threads; with the last, the former handler comes back. Requests from before the first
// and after the last are forgotten.
class InterruptOnSignal {
 public:
  InterruptOnSignal();
  ~InterruptOnSignal();
  InterruptOnSignal(const InterruptOnSignal&) = delete;
  InterruptOnSignal& operator=(const InterruptOnSignal&) = delete;
};

}  // namespace prehend::math
