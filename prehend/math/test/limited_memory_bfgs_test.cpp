#include <cmath>
#include <limits>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <prehend/math/house/limited_memory_bfgs.h>
#include <prehend/math/random.h>

namespace prehend::math {
namespace {

TEST(LimitedMemoryBfgs, FollowsRosenbrocksValley) {
  int calls = 0;
  const auto rosenbrock = [&](const Eigen::VectorXd& x, Eigen::VectorXd& g) {
    ++calls;
    double value = 0.0;
    g.setZero();
    for (int i = 0; i + 1 < x.size(); ++i) {
      const double a = 1.0 - x[i], b = x[i + 1] - x[i] * x[i];
      value += a * a + 100.0 * b * b;
      g[i] += -2.0 * a - 400.0 * x[i] * b;
      g[i + 1] += 200.0 * b;
    }
    return value;
  };
  const auto result =
      limited_memory_bfgs(rosenbrock, Eigen::VectorXd::Constant(10, -1.2), {.max_iterations = 1000});
  EXPECT_EQ(result.status, SolverStatus::optimal);
  EXPECT_LT((result.x - Eigen::VectorXd::Ones(10)).norm(), 1e-7);
  EXPECT_EQ(result.evaluations, calls);
}

TEST(LimitedMemoryBfgs, SolvesAQuadraticOfConditionAMillion) {
  RandomStream random(4);
  const int n = 30;
  Eigen::VectorXd scale(n), centre(n);
  for (int i = 0; i < n; ++i) scale[i] = std::pow(10.0, 6.0 * i / (n - 1)), centre[i] = random.normal();
  const auto bowl = [&](const Eigen::VectorXd& x, Eigen::VectorXd& g) {
    g = scale.cwiseProduct(x - centre);
    return 0.5 * g.dot(x - centre);
  };
  const auto result = limited_memory_bfgs(bowl, Eigen::VectorXd::Zero(n),
                                          {.memory = 40, .max_iterations = 2000, .decrease_tolerance = 0.0});
  EXPECT_EQ(result.status, SolverStatus::optimal);
  EXPECT_LT((result.x - centre).norm(), 1e-6);
}

// The analytic centre of a triangle: all three distances to the sides equal.
TEST(LimitedMemoryBfgs, StaysInsideABarrier) {
  const auto barrier = [](const Eigen::VectorXd& x, Eigen::VectorXd& g) {
    const double a = x[0], b = x[1], c = 1.0 - x[0] - x[1];
    if (!(a > 0 && b > 0 && c > 0)) return std::numeric_limits<double>::infinity();
    g = Eigen::Vector2d(-1 / a + 1 / c, -1 / b + 1 / c);
    return -std::log(a * b * c);
  };
  const auto result = limited_memory_bfgs(barrier, Eigen::Vector2d(0.98, 0.01));
  EXPECT_EQ(result.status, SolverStatus::optimal);
  EXPECT_LT((result.x - Eigen::Vector2d::Constant(1.0 / 3.0)).norm(), 1e-8);
  EXPECT_THROW(limited_memory_bfgs(barrier, Eigen::Vector2d(2.0, 0.0)), std::invalid_argument);
}

TEST(LimitedMemoryBfgs, NamesABadOption) {
  try {
    LimitedMemoryBfgsOptions{.memory = 0}.validate();
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "LimitedMemoryBfgsOptions::memory is 0; it must be finite and at least 1");
  }
}

}  // namespace
}  // namespace prehend::math
