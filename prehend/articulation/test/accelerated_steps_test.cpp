#include <gtest/gtest.h>

#include <prehend/articulation/fit/accelerated_steps.h>
#include <prehend/math/random.h>

namespace prehend::articulation {
namespace {

using engine::AcceleratedSteps;
using engine::ParameterMatrix;
using engine::ParameterVector;

// Steps -H^-1 A x towards the minimum of x'A x / 2 at zero, with a curvature H that is too large along some directions: how many until x'A x is below a
// millionth of what it was.
int steps_needed(const ParameterMatrix& A, const ParameterMatrix& H, ParameterVector x, bool accelerated) {
  AcceleratedSteps steps;
  const double enough = 1e-6 * x.dot(A * x);
  int count = 0;
  for (; count < 1000 && x.dot(A * x) > enough; ++count) {
    const ParameterVector step = -(H.inverse() * A * x).eval();
    x += accelerated ? steps.next(step, step.dot(H * step), H) : step;
  }
  return count;
}

TEST(AcceleratedSteps, FewWhereTheCurvatureIsWrongAlongTwoDirections) {
  math::RandomStream random(70);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::Index n = 5 + trial % 6;
    Eigen::MatrixXd B(n, n);
    for (Eigen::Index k = 0; k < B.size(); ++k) B(k) = random.normal();
    const ParameterMatrix A = B * B.transpose() + Eigen::MatrixXd::Identity(n, n);
    // H = A along all but two directions, where it is 10 and 20 times as large.
    Eigen::MatrixXd L = A.llt().matrixL();
    Eigen::VectorXd scale = Eigen::VectorXd::Ones(n);
    scale[0] = 10, scale[1] = 20;
    const ParameterMatrix H = L * scale.asDiagonal() * L.transpose();
    ParameterVector x(n);
    for (Eigen::Index k = 0; k < n; ++k) x[k] = random.normal();
    EXPECT_LE(steps_needed(A, H, x, true), 12) << "of " << n;
    EXPECT_GT(steps_needed(A, H, x, false), 40) << "of " << n;
  }
}

TEST(AcceleratedSteps, LeaveWhatConvergesAsItIs) {
  AcceleratedSteps steps;
  const ParameterMatrix H = ParameterMatrix::Identity(3, 3);
  for (const double length : {1.0, 0.1, 0.004, 1e-5}) {
    const ParameterVector step = length * ParameterVector::Ones(3);
    EXPECT_EQ(steps.next(step, step.squaredNorm(), H), step);
  }
  EXPECT_FALSE(steps.is_slow());
}

}  // namespace
}  // namespace prehend::articulation
