#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/topology/evidence/combination_search.h>

namespace prehend::topology {
namespace {

struct Sample {
  Eigen::VectorXd constant;
  Eigen::MatrixXd terms;
  std::vector<int> options;
  std::vector<double> cost;
  std::vector<int> truth;
};

// Terms of very different strength, some zero, some equal, some collinear; the constant is what a random combination leaves.
Sample sample(std::uint64_t seed, int most_joints, int most_options) {
  math::RandomStream random(3, seed);
  Sample s;
  const int n = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(most_joints)));
  int columns = 0;
  for (int j = 0; j < n; ++j) {
    s.options.push_back(1 + static_cast<int>(random.below(static_cast<std::uint32_t>(most_options))));
    columns += s.options.back();
  }
  const int rows = 2 + static_cast<int>(random.below(40));
  s.terms = Eigen::MatrixXd::Zero(rows, columns);
  const bool is_hard = random.uniform() < 0.5;
  for (int c = 0; c < columns; ++c) {
    const double draw = random.uniform();
    const double strength = is_hard ? std::pow(10.0, random.uniform(-3.0, 2.0)) : 10.0;
    if (is_hard && draw < 0.15) continue;
    if (is_hard && draw < 0.3 && c > 0) {
      s.terms.col(c) = s.terms.col(static_cast<int>(random.below(static_cast<std::uint32_t>(c))));
      continue;
    }
    for (int r = 0; r < rows; ++r) s.terms(r, c) = strength * random.normal();
  }
  s.constant = Eigen::VectorXd::Zero(rows);
  for (int r = 0; r < rows; ++r) s.constant[r] = random.normal();
  int first = 0;
  for (int j = 0; j < n; ++j) {
    s.truth.push_back(
        static_cast<int>(random.below(static_cast<std::uint32_t>(s.options[static_cast<std::size_t>(j)]))));
    s.constant -= s.terms.col(first + s.truth.back());
    first += s.options[static_cast<std::size_t>(j)];
  }
  if (random.uniform() < 0.5)
    for (int c = 0; c < columns; ++c) s.cost.push_back(5.0 * random.normal());
  return s;
}

double direct_error(const Sample& s, const std::vector<int>& choice) {
  Eigen::VectorXd residual = s.constant;
  double cost = 0.0;
  int first = 0;
  for (std::size_t j = 0; j < choice.size(); ++j) {
    residual += s.terms.col(first + choice[j]);
    if (!s.cost.empty()) cost += s.cost[static_cast<std::size_t>(first + choice[j])];
    first += s.options[j];
  }
  return residual.squaredNorm() + cost;
}

TEST(CombinationSearch, EqualsEnumerationInBestAndRunnerUp) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const bool is_binary = seed % 2 == 0;
    const Sample s = sample(seed, is_binary ? 10 : 5, is_binary ? 2 : 5);
    const CombinationProblem problem = combination_problem(s.constant, s.terms, s.options, s.cost);
    const CombinationSearch found = search_combinations(problem), all = enumerate_combinations(problem);
    ASSERT_TRUE(found.is_exact);
    const double scale = problem.gram.diagonal().maxCoeff();
    ASSERT_NEAR(found.best.error, all.best.error, 1e-11 * scale) << seed;
    ASSERT_EQ(found.runner_up.choice.empty(), all.runner_up.choice.empty()) << seed;
    if (!all.runner_up.choice.empty()) {
      ASSERT_NEAR(found.runner_up.error, all.runner_up.error, 1e-11 * scale) << seed;
      ASSERT_NE(found.best.choice, found.runner_up.choice);
      ASSERT_NEAR(found.runner_up.error, direct_error(s, found.runner_up.choice), 1e-10 * scale) << seed;
    }
    ASSERT_NEAR(found.best.error, direct_error(s, found.best.choice), 1e-10 * scale) << seed;
    // Where nothing ties, the combination itself is the same.
    if (!all.runner_up.choice.empty() && all.runner_up.error - all.best.error > 1e-9 * scale) {
      ASSERT_EQ(found.best.choice, all.best.choice) << seed;
    }
  }
}

TEST(CombinationSearch, JointsThatHardlyMovedDoNotMultiplyTheWork) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    math::RandomStream random(11, seed);
    const int n = 30;
    Sample s;
    s.options.assign(n, 2);
    s.terms = Eigen::MatrixXd::Zero(240, 2 * n);
    for (int c = 0; c < 2 * n; ++c) {
      // A third stood still, a third moved within the noise, a third clearly.
      const double strength = c / 2 % 3 == 0 ? 0.0 : c / 2 % 3 == 1 ? 0.02 : 3.0;
      for (int r = 0; r < 240; ++r) s.terms(r, c) = strength * random.normal();
    }
    s.constant = Eigen::VectorXd::Zero(240);
    for (int r = 0; r < 240; ++r) s.constant[r] = random.normal();
    for (int j = 0; j < n; ++j) s.constant -= s.terms.col(2 * j + 1);
    const CombinationSearch found = search_combinations(combination_problem(s.constant, s.terms, s.options));
    EXPECT_TRUE(found.is_exact);
    EXPECT_LT(found.visited, 200'000u);
    for (int j = 2; j < n; j += 3) EXPECT_EQ(found.best.choice[static_cast<std::size_t>(j)], 1);
  }
}

TEST(CombinationSearch, AllEqualIsATieOfTwo) {
  const CombinationSearch found = search_combinations(
      combination_problem(Eigen::VectorXd::Ones(6), Eigen::MatrixXd::Zero(6, 60), std::vector<int>(30, 2)));
  EXPECT_TRUE(found.is_exact);
  EXPECT_DOUBLE_EQ(found.best.error, 6.0);
  EXPECT_DOUBLE_EQ(found.runner_up.error, 6.0);
  EXPECT_NE(found.best.choice, found.runner_up.choice);
}

TEST(CombinationSearch, NamesWhatDoesNotFit) {
  EXPECT_THROW(combination_problem(Eigen::VectorXd::Ones(3), Eigen::MatrixXd::Zero(3, 2), {1}),
               std::invalid_argument);
  EXPECT_THROW(combination_problem(Eigen::VectorXd::Ones(3), Eigen::MatrixXd::Zero(3, 2), {2, 0}),
               std::invalid_argument);
  EXPECT_THROW(combination_problem(Eigen::VectorXd::Ones(3), Eigen::MatrixXd::Zero(3, 2), {2}, {1.0}),
               std::invalid_argument);
}

}  // namespace
}  // namespace prehend::topology
