#include <atomic>
#include <csignal>

#include <prehend/math/interrupt.h>

namespace prehend::math {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch what takes no lock");

struct sigaction former;

extern "C" void on_signal(int) { requested.store(true, std::memory_order_relaxed); }

}  // namespace

void request_interrupt() noexcept { requested.store(true, std::memory_order_relaxed); }

void clear_interrupt() noexcept { requested.store(false, std::memory_order_relaxed); }

bool interrupt_requested() noexcept { return requested.load(std::memory_order_relaxed); }

void check_interrupt() {
  if (interrupt_requested()) throw Interrupted();
}

InterruptOnSignal::InterruptOnSignal() {
  clear_interrupt();
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &former);
}

InterruptOnSignal::~InterruptOnSignal() { sigaction(SIGINT, &former, nullptr); }

}  // namespace prehend::math
