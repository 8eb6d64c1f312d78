#include <limits>

#include <gtest/gtest.h>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/random.h>

namespace prehend::math {
namespace {

Eigen::MatrixXd random_matrix(RandomStream& random, int rows, int columns) {
  Eigen::MatrixXd A(rows, columns);
  for (int k = 0; k < A.size(); ++k) A(k) = random.normal();
  return A;
}

TEST(CompiledSolves, SpectraAndSolutionsAreWhatTheySay) {
  for (int trial = 0; trial < 50; ++trial) {
    RandomStream random(311, static_cast<std::uint64_t>(trial));
    const Eigen::MatrixXd G = random_matrix(random, 6, 6), H = random_matrix(random, 6, 8);
    const Eigen::MatrixXd A = G + G.transpose(), B = H * H.transpose();
    const Spectrum pair = spectrum(A, B);
    ASSERT_EQ(pair.values.size(), 6);
    EXPECT_LT((A * pair.vectors - B * pair.vectors * pair.values.asDiagonal()).norm(), 1e-8 * A.norm());
    EXPECT_LT((pair.vectors.transpose() * B * pair.vectors - Eigen::MatrixXd::Identity(6, 6)).norm(), 1e-9);
    EXPECT_LT((spectrum(A).values - Eigen::VectorXd(eigenvalues(Matrix6d(A)))).norm(), 1e-12 * A.norm());
    const Vector6d b = random_matrix(random, 6, 1);
    EXPECT_LT((B * symmetric_solve(Matrix6d(B), b) - b).norm(), 1e-8);
    // Three rows, one twice: the shortest of many solutions lies in the rows' span.
    Eigen::MatrixXd rows = random_matrix(random, 3, 6);
    rows.row(2) = rows.row(0);
    const Eigen::VectorXd right = rows * random_matrix(random, 6, 1), x = minimum_norm_solution(rows, right);
    EXPECT_LT((rows * x - right).norm(), 1e-12);
    EXPECT_LT((x - rows.transpose() * minimum_norm_solution(rows.transpose(), x)).norm(), 1e-12);
  }
}

TEST(CompiledSolves, NothingFiniteGivesNoValues) {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(2, 2);
  EXPECT_EQ(spectrum(one, 0.0 * one).values.size(), 0);
  EXPECT_EQ(spectrum(one, -one).values.size(), 0);
  EXPECT_EQ(spectrum(std::numeric_limits<double>::quiet_NaN() * one, one).values.size(), 0);
  EXPECT_EQ(spectrum(1e300 * one, 1e-300 * one).values.size(), 0);
}

}  // namespace
}  // namespace prehend::math
