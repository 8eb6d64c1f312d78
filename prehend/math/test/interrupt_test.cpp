#include <csignal>
#include <thread>

#include <gtest/gtest.h>

#include <prehend/math/house/deadline.h>
#include <prehend/math/interrupt.h>

namespace prehend::math {
namespace {

TEST(Interrupt, IsThrownOnceRequestedAndUntilCleared) {
  clear_interrupt();
  EXPECT_NO_THROW(check_interrupt());
  request_interrupt();
  EXPECT_THROW(check_interrupt(), Interrupted);
  EXPECT_THROW(check_interrupt(), Interrupted);
  clear_interrupt();
  EXPECT_NO_THROW(check_interrupt());
}

TEST(Interrupt, EndsWorkAtADeadlineAndTheEarlierOneCounts) {
  clear_interrupt();
  const auto now = Deadline::Clock::now();
  {
    const Deadline later(now + std::chrono::hours(1));
    EXPECT_NO_THROW(check_interrupt());
    {
      const Deadline over(now - std::chrono::seconds(1));
      EXPECT_THROW(check_interrupt(), DeadlinePassed);
      const Deadline longer(now + std::chrono::hours(2));
      EXPECT_THROW(check_interrupt(), DeadlinePassed);
      std::thread([] { EXPECT_NO_THROW(check_interrupt()); }).join();
    }
    EXPECT_NO_THROW(check_interrupt());
  }
  EXPECT_NO_THROW(check_interrupt());
}

int former_handler_calls = 0;

TEST(Interrupt, TheSignalRequestsItAndTheFormerHandlerIsStillCalled) {
  std::signal(SIGINT, [](int) { ++former_handler_calls; });
  {
    const InterruptOnSignal guard;
    std::raise(SIGINT);
    EXPECT_THROW(check_interrupt(), Interrupted);
    EXPECT_EQ(interrupt_requests(), 1);
  }
  EXPECT_EQ(former_handler_calls, 1);
  std::raise(SIGINT);
  EXPECT_EQ(former_handler_calls, 2);
  EXPECT_NO_THROW(check_interrupt());
  std::signal(SIGINT, SIG_DFL);
}

TEST(Interrupt, SeveralGuardsLiveAtOnceAndTheSignalDoesNotEndTheProcess) {
  const InterruptOnSignal outer;
  {
    const InterruptOnSignal inner;
    std::raise(SIGINT);
  }
  std::raise(SIGINT);
  EXPECT_EQ(interrupt_requests(), 2);
}

}  // namespace
}  // namespace prehend::math
