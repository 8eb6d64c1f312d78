#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/random.h>

namespace prehend::math {
namespace {

using Route = NonnegativeLeastSquaresRoute;

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, RandomStream& random) {
  return Eigen::MatrixXd::Zero(rows, columns).unaryExpr([&random](double) { return random.normal(); });
}

std::string refusal(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                    const NonnegativeLeastSquaresOptions& options = {}) {
  try {
    solve_nonnegative_least_squares(A, b, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

class BothRoutes : public testing::TestWithParam<Route> {};
INSTANTIATE_TEST_SUITE_P(NonnegativeLeastSquares, BothRoutes,
                         testing::Values(Route::normal_equations, Route::orthogonal));

TEST_P(BothRoutes, ClipsWhenColumnsAreOrthogonal) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 3);
  A.diagonal() << 2, 3, 4;
  const Eigen::Vector4d b(4, -3, 8, 5);
  const auto result = solve_nonnegative_least_squares(A, b, {.route = GetParam()});
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_TRUE(result.x.isApprox(Eigen::Vector3d(2, 0, 2), 1e-14));
  EXPECT_TRUE(result.gradient.isApprox(Eigen::Vector3d(0, 9, 0), 1e-14));
  EXPECT_NEAR(result.residual_norm, std::sqrt(34), 1e-14);
  EXPECT_NEAR(result.objective, 17, 1e-13);
  EXPECT_EQ(result.route, GetParam());
}

TEST_P(BothRoutes, AppliesTheRidge) {
  // One unknown: x = a b / (a^2 + ridge).
  const Eigen::MatrixXd A = Eigen::MatrixXd::Constant(1, 1, 2.0);
  const auto result = solve_nonnegative_least_squares(A, Eigen::VectorXd::Constant(1, 3.0),
                                                      {.ridge = 8.0, .route = GetParam()});
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_NEAR(result.x[0], 0.5, 1e-14);
  EXPECT_NEAR(result.objective, 0.5 * 4 + 0.5 * 8 * 0.25, 1e-13);
  EXPECT_NEAR(result.gradient[0], 0, 1e-13);
}

TEST_P(BothRoutes, RecoversAnExactCombination) {
  RandomStream random(2);
  const Eigen::MatrixXd A = random_matrix(60, 40, random);
  Eigen::VectorXd x(40);
  for (Eigen::Index j = 0; j < 40; ++j) x[j] = j % 3 == 0 ? 0.0 : random.uniform(0.5, 2);
  const auto result = solve_nonnegative_least_squares(A, A * x, {.route = GetParam()});
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_LE((result.x - x).norm(), 1e-12 * x.norm());
}

TEST_P(BothRoutes, TreatsZeroColumnsZeroRightHandSideAndNoRows) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Ones(3, 2);
  A.col(1).setZero();
  const auto result = solve_nonnegative_least_squares(A, Eigen::Vector3d(1, 2, 3), {.route = GetParam()});
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_TRUE(result.x.isApprox(Eigen::Vector2d(2, 0), 1e-14));
  const auto zero = solve_nonnegative_least_squares(A, Eigen::Vector3d::Zero(), {.route = GetParam()});
  ASSERT_EQ(zero.status, SolverStatus::optimal);
  EXPECT_EQ(zero.x.norm(), 0);
  const auto empty =
      solve_nonnegative_least_squares(Eigen::MatrixXd(0, 2), Eigen::VectorXd(0), {.route = GetParam()});
  EXPECT_EQ(empty.status, SolverStatus::optimal);
  EXPECT_EQ(empty.objective, 0);
}

TEST_P(BothRoutes, IsBlindToTheUnitsOfColumnsAndOfTheRightHandSide) {
  RandomStream random(6);
  const Eigen::MatrixXd A = random_matrix(20, 12, random);
  const Eigen::VectorXd b = random_matrix(20, 1, random);
  const auto reference = solve_nonnegative_least_squares(A, b, {.route = GetParam()});
  Eigen::VectorXd units(12);
  for (Eigen::Index j = 0; j < 12; ++j) units[j] = std::pow(10.0, random.uniform(-90, 90));
  const auto result =
      solve_nonnegative_least_squares(A * units.asDiagonal(), 1e-20 * b, {.route = GetParam()});
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_EQ(result.iterations, reference.iterations);
  EXPECT_LE((1e20 * units.cwiseProduct(result.x) - reference.x).norm(), 1e-12 * reference.x.norm());
}

TEST(NonnegativeLeastSquares, RoutesAgreeOnFiveHundredUnknowns) {
  RandomStream random(1);
  const Eigen::MatrixXd A = random_matrix(600, 500, random);
  const Eigen::VectorXd b = random_matrix(600, 1, random);
  const auto normal = solve_nonnegative_least_squares(A, b, {.route = Route::normal_equations});
  const auto orthogonal = solve_nonnegative_least_squares(A, b, {.route = Route::orthogonal});
  ASSERT_EQ(normal.status, SolverStatus::optimal);
  ASSERT_EQ(orthogonal.status, SolverStatus::optimal);
  EXPECT_LE((normal.x - orthogonal.x).norm(), 1e-11 * orthogonal.x.norm());
  EXPECT_LE(normal.residuals.largest(), 1e-13);
  EXPECT_LE(orthogonal.residuals.largest(), 1e-13);
}

TEST(NonnegativeLeastSquares, GoesOverToTheOrthogonalRouteWhenColumnsNearlyCoincide) {
  // Laeuchli's columns: 1 + e^2 rounds to 1, so the normal equations see the same column twice.
  constexpr double kTiny = 1e-9;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 3);
  A.row(0).setOnes();
  A.bottomRows(3).diagonal().setConstant(kTiny);
  const Eigen::VectorXd b = A * Eigen::Vector3d(1, 2, 3);
  const auto result = solve_nonnegative_least_squares(A, b);
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_EQ(result.route, Route::orthogonal);
  EXPECT_LE((result.x - Eigen::Vector3d(1, 2, 3)).norm(), 1e-6);  // condition 2e9 times rounding
  EXPECT_NE(result.brief_report().find("(orthogonal)"), std::string::npos);
  EXPECT_NE(solve_nonnegative_least_squares(A, b, {.route = Route::normal_equations}).status,
            SolverStatus::optimal);
}

TEST(NonnegativeLeastSquares, DoesNotCycleOnRepeatedColumnsAndTies) {
  // Every column stands there four times, and the target is a column: ties at every step.
  RandomStream random(11);
  for (int trial = 0; trial < 200; ++trial) {
    Eigen::MatrixXd A(12, 24);
    for (Eigen::Index j = 0; j < 24; ++j) {
      for (Eigen::Index i = 0; i < 12; ++i)
        A(i, j) = j < 6 ? static_cast<double>(random.below(3)) - 1 : A(i, j % 6);
    }
    const auto result = solve_nonnegative_least_squares(A, A.col(trial % 24) + A.col((trial + 1) % 24));
    ASSERT_EQ(result.status, SolverStatus::optimal) << trial;
    EXPECT_LE(result.residual_norm, 1e-13) << trial;
    EXPECT_LE(result.iterations, 200) << trial;
  }
}

TEST(NonnegativeLeastSquares, StopsAtTheIterationLimit) {
  RandomStream random(1);
  const Eigen::MatrixXd A = random_matrix(60, 50, random);
  const auto result = solve_nonnegative_least_squares(A, random_matrix(60, 1, random),
                                                      {.max_iterations = 2, .route = Route::orthogonal});
  EXPECT_EQ(result.status, SolverStatus::iteration_limit);
  EXPECT_EQ(result.iterations, 2);
}

TEST(NonnegativeLeastSquares, NamesWhatIsWrongWithTheInput) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Ones(2, 2);
  EXPECT_EQ(refusal(A, Eigen::Vector3d::Zero()),
            "non-negative least squares: the number of entries of b is 3; it must be 2");
  A(1, 0) = std::nan("");
  EXPECT_EQ(refusal(A, Eigen::Vector2d::Zero()),
            "non-negative least squares: A(1,0) is nan; it must be finite");
  A(1, 0) = 0;
  EXPECT_EQ(refusal(A, Eigen::Vector2d(0, std::numeric_limits<double>::infinity())),
            "non-negative least squares: b[1] is inf; it must be finite");
  EXPECT_EQ(refusal(A, Eigen::Vector2d::Zero(), {.ridge = -1}),
            "NonnegativeLeastSquaresOptions::ridge is -1; it must be finite and at least 0");
  EXPECT_EQ(refusal(Eigen::MatrixXd(2, 0), Eigen::Vector2d::Zero()),
            "non-negative least squares: the problem has 0 unknowns; it needs at least 1");
}

}  // namespace
}  // namespace prehend::math
