// A time limit for whatever a thread computes.
//
//   try { const Deadline deadline(end); work(); } catch (const DeadlinePassed&) { ... }
//
// Where long loops ask whether they shall end (check_interrupt(), Progress::advance()), they end as well once the time is over, with everything
// released on the way out. Work that other threads do for this one goes on.
#pragma once

#include <chrono>
#include <exception>

namespace prehend::math {

class DeadlinePassed : public std::exception {
 public:
  const char* what() const noexcept override { return "the time limit was reached"; }
};

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  // One inside another: the earlier one counts.
  explicit Deadline(Clock::time_point end);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  Clock::time_point former_;
};

}  // namespace prehend::math
