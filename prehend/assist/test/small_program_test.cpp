#include <vector>

#include <gtest/gtest.h>

#include <prehend/assist/control/small_program.h>
#include <prehend/math/quadratic_program.h>
#include <prehend/math/random.h>

namespace prehend::assist {
namespace {

struct Filled {
  math::QuadraticProgram dense;
  SmallProgram small;
};

std::unique_ptr<Filled> random_program(math::RandomStream& random, int n, int m, bool feasible) {
  auto both = std::make_unique<Filled>();
  Eigen::MatrixXd L(n, n);
  for (int i = 0; i < n * n; ++i) L.data()[i] = random.normal();
  both->dense.H = L * L.transpose() + 0.01 * Eigen::MatrixXd::Identity(n, n);
  both->dense.g.resize(n), both->dense.C.resize(m, n), both->dense.lower.resize(m);
  both->dense.A.resize(0, n), both->dense.b.resize(0);
  Eigen::VectorXd inside(n);
  for (int i = 0; i < n; ++i) both->dense.g[i] = 3.0 * random.normal(), inside[i] = random.normal();
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < n; ++i) both->dense.C(k, i) = random.normal();
    const double slack = random.uniform(0.0, 0.5);
    both->dense.lower[k] = both->dense.C.row(k).dot(inside) - (feasible ? slack : -3.0);
  }
  both->dense.upper = Eigen::VectorXd::Constant(m, std::numeric_limits<double>::infinity());
  both->small.clear(n);
  for (int i = 0; i < n; ++i) {
    both->small.g(i) = both->dense.g[i];
    for (int j = 0; j < n; ++j) both->small.H(i, j) = both->dense.H(i, j);
  }
  for (int k = 0; k < m; ++k) {
    double* row = both->small.add_row(both->dense.lower[k]);
    for (int i = 0; i < n; ++i) row[i] = both->dense.C(k, i);
  }
  return both;
}

// The library's proximal method is another route to the same minimum.
TEST(SmallProgram, AgreesWithTheProximalMethod) {
  math::RandomStream random(7, 0);
  int active = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 3 + static_cast<int>(random.below(20)), m = 5 + static_cast<int>(random.below(80));
    const auto both = random_program(random, n, m, true);
    ASSERT_EQ(both->small.solve(), ProgramStatus::solved);
    active += both->small.active();
    const math::QuadraticProgramResult other = math::solve_quadratic_program(both->dense);
    ASSERT_EQ(other.status, math::SolverStatus::optimal);
    const Eigen::Map<const Eigen::VectorXd> x(both->small.x(), n);
    const double own = 0.5 * x.dot(both->dense.H * x) + both->dense.g.dot(x);
    EXPECT_NEAR(own, other.objective, 1e-5 * (1.0 + std::abs(other.objective)));
    EXPECT_GT((both->dense.C * x - both->dense.lower).minCoeff(), -1e-6);
  }
  EXPECT_GT(active, 100);  // bounds were met
}

TEST(SmallProgram, SaysWhereThereIsNoSolution) {
  SmallProgram program;
  program.clear(2);
  program.H(0, 0) = program.H(1, 1) = 1.0;
  program.add_row(1.0)[0] = 1.0;   // x >= 1
  program.add_row(1.0)[0] = -1.0;  // x <= -1
  EXPECT_EQ(program.solve(), ProgramStatus::infeasible);
  program.clear(2);
  program.H(0, 0) = 1.0;  // not strictly convex
  EXPECT_EQ(program.solve(), ProgramStatus::unsolved);
}

TEST(SmallProgram, ManyRowsThroughOneLineAreNoTrouble) {
  SmallProgram program;
  program.clear(3);
  for (int i = 0; i < 3; ++i) program.H(i, i) = 1.0, program.g(i) = -10.0;
  // c^2 x + s^2 y + z <= 2 for every angle is max(x, y) + z <= 2; the point nearest to (10, 10, 10) is (4, 4, -2).
  for (int k = 0; k < 40; ++k) {
    const double a = 0.15 * k;
    double* row = program.add_row(-(std::cos(a) * std::cos(a) + std::sin(a) * std::sin(a) + 1.0));
    row[0] = -std::cos(a) * std::cos(a), row[1] = -std::sin(a) * std::sin(a), row[2] = -1.0;
  }
  ASSERT_EQ(program.solve(), ProgramStatus::solved);
  EXPECT_NEAR(program.x()[0], 4.0, 1e-9);
  EXPECT_NEAR(program.x()[1], 4.0, 1e-9);
  EXPECT_NEAR(program.x()[2], -2.0, 1e-9);
}

// Two parts whose distance no joint changes give a row of rounding alone: it says nothing, unless it asks for what no variable can give.
TEST(SmallProgram, ARowWithoutVariablesDecidesNothing) {
  math::RandomStream random(12, 0);
  for (int trial = 0; trial < 50; ++trial) {
    const auto both = random_program(random, 8, 12, true);
    ASSERT_EQ(both->small.solve(), ProgramStatus::solved);
    const std::vector<double> x(both->small.x(), both->small.x() + 8);
    double* row = both->small.add_row(trial % 2 == 0 ? -3e-17 : 0.0);
    for (int i = 0; i < 8; ++i) row[i] = 1e-17 * random.normal();
    ASSERT_EQ(both->small.solve(), ProgramStatus::solved) << trial;
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(both->small.x()[i], x[static_cast<std::size_t>(i)], 1e-9);
    both->small.add_row(0.1);
    EXPECT_EQ(both->small.solve(), ProgramStatus::infeasible);
  }
}

}  // namespace
}  // namespace prehend::assist
