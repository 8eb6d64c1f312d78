#include <algorithm>
#include <atomic>
#include <csignal>
#include <mutex>

#include <prehend/math/house/deadline.h>
#include <prehend/math/interrupt.h>

namespace prehend::math {
namespace {

std::atomic<int> requests{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch what takes no lock");

thread_local Deadline::Clock::time_point deadline = Deadline::Clock::time_point::max();

std::mutex guards_mutex;
int guards = 0;           // InterruptOnSignal objects alive
struct sigaction former;  // read by the handler; written only while it is not installed

bool has_former_handler() {
  return (former.sa_flags & SA_SIGINFO) != 0 ||
         (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN);
}

extern "C" void on_signal(int signal, siginfo_t* info, void* context) {
  request_interrupt();
  if (!has_former_handler()) return;
  if ((former.sa_flags & SA_SIGINFO) != 0) {
    former.sa_sigaction(signal, info, context);
  } else {
    former.sa_handler(signal);
  }
}

}  // namespace

void request_interrupt() noexcept { requests.fetch_add(1, std::memory_order_relaxed); }

void clear_interrupt() noexcept { requests.store(0, std::memory_order_relaxed); }

int interrupt_requests() noexcept { return requests.load(std::memory_order_relaxed); }

void check_interrupt() {
  if (interrupt_requested()) throw Interrupted();
  if (deadline != Deadline::Clock::time_point::max() && Deadline::Clock::now() > deadline)
    throw DeadlinePassed();
}

Deadline::Deadline(Clock::time_point end) : former_(deadline) { deadline = std::min(deadline, end); }

Deadline::~Deadline() { deadline = former_; }

InterruptOnSignal::InterruptOnSignal() {
  const std::scoped_lock lock(guards_mutex);
  if (guards++ > 0) return;
  clear_interrupt();
  sigaction(SIGINT, nullptr, &former);
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  // System calls go on, unless whoever waits for the signal wants them interrupted (Python does).
  action.sa_flags = SA_SIGINFO | (has_former_handler() ? former.sa_flags & SA_RESTART : SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

InterruptOnSignal::~InterruptOnSignal() {
  const std::scoped_lock lock(guards_mutex);
  if (--guards > 0) return;
  sigaction(SIGINT, &former, nullptr);
  clear_interrupt();  // whom it was meant for has ended
}

}  // namespace prehend::math
