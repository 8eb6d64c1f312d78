#include <thread>

#include <gtest/gtest.h>

#include <prehend/math/progress.h>

namespace prehend::math {
namespace {

TEST(Progress, IsThereWhileALoopRuns) {
  EXPECT_FALSE(current_progress());
  {
    Progress progress("work", 4);
    EXPECT_EQ(current_progress()->fraction, 0.0);
    EXPECT_STREQ(current_progress()->what, "work");
    progress.advance(3);
    EXPECT_EQ(current_progress()->fraction, 0.75);
    progress.begin("more");
    progress.advance(3);
    EXPECT_EQ(current_progress()->fraction, 1.0);
    EXPECT_STREQ(current_progress()->what, "more");
  }
  EXPECT_FALSE(current_progress());
}

TEST(Progress, InnerLoopsArePartsOfTheOuterStep) {
  Progress outer("outer", 2);
  outer.advance();
  {
    Progress inner("inner", 4);
    inner.advance(2);
    EXPECT_EQ(current_progress()->fraction, 0.75);
    EXPECT_STREQ(current_progress()->what, "outer");
    // Loops of other threads stand beside it and are not shown.
    std::thread([] { Progress("elsewhere", 1).advance(); }).join();
    EXPECT_EQ(current_progress()->fraction, 0.75);
  }
  EXPECT_EQ(current_progress()->fraction, 0.5);
}

TEST(Progress, ALoopOfNothingIsNotDividedByZero) {
  const Progress progress("nothing", 0);
  EXPECT_EQ(current_progress()->fraction, 0.0);
}

TEST(Progress, AStepEndsTheLoopWhereAnInterruptWasRequested) {
  clear_interrupt();
  Progress progress("work", 2);
  EXPECT_NO_THROW(progress.advance());
  request_interrupt();
  EXPECT_THROW(progress.advance(), Interrupted);
  clear_interrupt();
}

}  // namespace
}  // namespace prehend::math
