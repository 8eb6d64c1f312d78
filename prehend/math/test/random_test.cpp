#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/math/random.h>

namespace prehend::math {
namespace {

TEST(RandomStream, SameSeedAndTaskGiveTheSameNumbersInAnyOrderOfTasks) {
  std::vector<double> forward, backward;
  for (int task = 0; task < 8; ++task) forward.push_back(RandomStream(42, task).uniform());
  for (int task = 7; task >= 0; --task) backward.push_back(RandomStream(42, task).uniform());
  for (int task = 0; task < 8; ++task) EXPECT_EQ(forward[task], backward[7 - task]);
  EXPECT_NE(forward[0], forward[1]);
  EXPECT_NE(RandomStream(42).bits64(), RandomStream(43).bits64());
}

TEST(RandomStream, MatchesThePublishedPhiloxVector) {
  // Known-answer test of Random123: counter 0, key 0.
  RandomStream stream(0, 0);
  EXPECT_EQ(stream(), 0x6627e8d5u);
  EXPECT_EQ(stream(), 0xe169c58du);
  EXPECT_EQ(stream(), 0xbc57ac4cu);
  EXPECT_EQ(stream(), 0x9b00dbd8u);
}

TEST(RandomStream, NormalHasTheRightMoments) {
  RandomStream stream(1);
  constexpr int kCount = 200000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = stream.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  // Standard errors are 1/sqrt(n), sqrt(2/n), sqrt(96/n): five of them.
  EXPECT_NEAR(sum / kCount, 0.0, 5 * std::sqrt(1.0 / kCount));
  EXPECT_NEAR(squares / kCount, 1.0, 5 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(fourth / kCount, 3.0, 5 * std::sqrt(96.0 / kCount));
}

TEST(RandomStream, RotationsAreUniform) {
  // Under Haar measure the trace of R has mean 0 and variance 1.
  RandomStream stream(5);
  constexpr int kCount = 50000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kCount; ++i) {
    const Eigen::Quaterniond q = stream.rotation();
    EXPECT_NEAR(q.norm(), 1.0, 1e-14);
    const double trace = q.toRotationMatrix().trace();
    sum += trace;
    squares += trace * trace;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 5.0 / std::sqrt(kCount));
  EXPECT_NEAR(squares / kCount, 1.0, 5.0 * std::sqrt(2.0 / kCount));
}

TEST(RandomStream, BelowIsUnbiasedAndRefusesZero) {
  RandomStream stream(9);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[stream.below(7)];
  for (int count : counts) EXPECT_NEAR(count, 10000, 5 * std::sqrt(10000.0 * 6 / 7));
  EXPECT_THROW(stream.below(0), std::invalid_argument);
}

TEST(RandomStream, SplitStreamsDiffer) {
  const RandomStream root(3, 4);
  EXPECT_NE(root.split(0).bits64(), root.split(1).bits64());
  EXPECT_EQ(root.split(1).bits64(), root.split(1).bits64());
  EXPECT_NE(RandomStream(3, 5).split(0).bits64(), root.split(0).bits64());
}

}  // namespace
}  // namespace prehend::math
