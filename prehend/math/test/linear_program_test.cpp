#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <prehend/math/house/infinity.h>
#include <prehend/math/linear_program.h>
#include <prehend/math/random.h>

namespace prehend::math {
namespace {

Eigen::VectorXd vector(std::initializer_list<double> values) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

// Dantzig's textbook corner: maximise 3 x + 5 y, x <= 4, 2 y <= 12, 3 x + 2 y <= 18. Optimum 36 at (2, 6),
// multipliers 0, 3/2, 1.
LinearProgram textbook() {
  Eigen::MatrixXd A(3, 2);
  A << 1, 0, 0, 2, 3, 2;
  return {vector({-3, -5}),    A.sparseView(), vector({-kInfinity, -kInfinity, -kInfinity}),
          vector({4, 12, 18}), vector({0, 0}), vector({kInfinity, kInfinity})};
}

std::string refusal(const LinearProgram& program, const LinearProgramOptions& options = {}) {
  try {
    solve_linear_program(program, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// A transportation program: supplies to demands; feasible when the supplies cover the demands.
LinearProgram transport(int sources, int sinks, RandomStream& random) {
  const int n = sources * sinks;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(sources + sinks, n);
  LinearProgram program;
  program.c.resize(n);
  for (int i = 0; i < sources; ++i) {
    for (int j = 0; j < sinks; ++j) {
      A(i, i * sinks + j) = 1;
      A(sources + j, i * sinks + j) = 1;
      program.c[i * sinks + j] = random.uniform(1, 10);
    }
  }
  program.A = A.sparseView();
  program.row_lower = Eigen::VectorXd::Constant(sources + sinks, -kInfinity);
  program.row_upper = Eigen::VectorXd::Constant(sources + sinks, kInfinity);
  for (int i = 0; i < sources; ++i) program.row_upper[i] = 2.0 * sinks / sources;
  for (int j = 0; j < sinks; ++j) program.row_lower[sources + j] = random.uniform(0.5, 1.5);
  program.lower = Eigen::VectorXd::Zero(n);
  program.upper = Eigen::VectorXd::Constant(n, kInfinity);
  return program;
}

TEST(LinearProgram, FindsTheTextbookCornerAndItsMultipliers) {
  const LinearProgramResult result = solve_linear_program(textbook());
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_NEAR(result.objective, -36, 1e-12);
  EXPECT_TRUE(result.x.isApprox(vector({2, 6}), 1e-12));
  EXPECT_TRUE(result.y.isApprox(vector({0, 1.5, 1}), 1e-12));
  EXPECT_NEAR(result.w.norm(), 0, 1e-12);
  EXPECT_LE(result.residuals.largest(), 1e-12);
  EXPECT_EQ(result.ray.size(), 0);
  EXPECT_EQ(result.brief_report().find("linear program: optimal after "), 0u) << result.brief_report();
}

TEST(LinearProgram, SolvesWithoutRowsAndWithoutAMatrix) {
  LinearProgram program;
  program.c = vector({1, -1, 0});
  program.lower = vector({-2, -kInfinity, -kInfinity});
  program.upper = vector({kInfinity, 3, kInfinity});
  const LinearProgramResult result = solve_linear_program(program);
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_NEAR(result.objective, -5, 1e-12);
  EXPECT_NEAR(result.w[0], -1, 1e-12);  // at a lower bound
  EXPECT_NEAR(result.w[1], 1, 1e-12);   // at an upper bound
  program.upper[1] = kInfinity;
  const LinearProgramResult unbounded = solve_linear_program(program);
  ASSERT_EQ(unbounded.status, SolverStatus::dual_infeasible);
  EXPECT_TRUE(unbounded.ray.isApprox(vector({0, 1, 0}), 1e-12));
}

TEST(LinearProgram, ProvesInfeasibility) {
  LinearProgram program = textbook();
  program.row_lower[2] = 17;       // 3 x + 2 y >= 17 ...
  program.upper = vector({1, 2});  // ... but at most 7
  const LinearProgramResult result = solve_linear_program(program);
  ASSERT_EQ(result.status, SolverStatus::primal_infeasible);
  EXPECT_EQ(result.objective, kInfinity);
  EXPECT_EQ(result.x.size(), 0);
  EXPECT_LE((program.A.transpose() * result.y + result.w).norm(), 1e-12);
  // -1 = 17 (-0.1) + 1 (0.3) + 2 (0.2): the only certificate.
  EXPECT_NEAR(result.y[2], -0.1, 1e-12);
  EXPECT_TRUE(result.w.isApprox(vector({0.3, 0.2}), 1e-12));
  EXPECT_NE(result.brief_report().find("no point satisfies the constraints"), std::string::npos);
}

TEST(LinearProgram, ProvesInfeasibilityOfARowThatIsEmpty) {
  LinearProgram program = textbook();
  program.A.coeffRef(0, 0) = 0.0;
  program.A.prune(0.0);
  program.row_lower[0] = 1.0;  // 0 >= 1
  const LinearProgramResult result = solve_linear_program(program);
  ASSERT_EQ(result.status, SolverStatus::primal_infeasible);
  EXPECT_NEAR(result.y[0], -1, 1e-12);
}

TEST(LinearProgram, ProvesUnboundedness) {
  LinearProgram program = textbook();
  program.row_upper = vector({4, kInfinity, kInfinity});
  const LinearProgramResult result = solve_linear_program(program);
  ASSERT_EQ(result.status, SolverStatus::dual_infeasible);
  EXPECT_EQ(result.objective, -kInfinity);
  EXPECT_TRUE(result.ray.isApprox(vector({0, 0.2}), 1e-12));
  EXPECT_GE(result.x.minCoeff(), -1e-12);
  EXPECT_LE(result.x[0], 4 + 1e-12);
}

TEST(LinearProgram, PrefersInfeasibleWhenTheDualIsInfeasibleToo) {
  Eigen::MatrixXd A(2, 2);
  A << 1, -1, 1, -1;
  const LinearProgram program{vector({-1, -1}),       A.sparseView(), vector({1, -kInfinity}),
                              vector({kInfinity, 0}), vector({0, 0}), vector({kInfinity, kInfinity})};
  EXPECT_EQ(solve_linear_program(program).status, SolverStatus::primal_infeasible);
}

TEST(LinearProgram, SurvivesBealesCyclingExample) {
  Eigen::MatrixXd A(3, 4);
  A << 0.25, -60, -0.04, 9, 0.5, -90, -0.02, 3, 0, 0, 1, 0;
  const LinearProgram program{vector({-0.75, 150, -0.02, 6}),
                              A.sparseView(),
                              Eigen::VectorXd::Constant(3, -kInfinity),
                              vector({0, 0, 1}),
                              Eigen::VectorXd::Zero(4),
                              Eigen::VectorXd::Constant(4, kInfinity)};
  const LinearProgramResult result = solve_linear_program(program);
  ASSERT_EQ(result.status, SolverStatus::optimal);
  // Clp stops a little short here: some 1e-12 of violation times the multipliers.
  EXPECT_NEAR(result.objective, -0.05, 1e-10);
}

TEST(LinearProgram, GivesTheSameAnswerInMillimetresAndKilometres) {
  RandomStream random(4);
  const LinearProgram metres = transport(5, 7, random);
  const LinearProgramResult reference = solve_linear_program(metres);
  for (const double scale : {0x1p-30, 1e-3, 1e3, 1e9}) {
    LinearProgram other = metres;
    other.row_lower *= scale;
    other.row_upper *= scale;
    const LinearProgramResult result = solve_linear_program(other);
    ASSERT_EQ(result.status, SolverStatus::optimal) << scale;
    EXPECT_NEAR(result.objective / scale, reference.objective, 1e-10 * reference.objective);
    EXPECT_EQ(result.iterations, reference.iterations) << "same path at scale " << scale;
  }
}

TEST(LinearProgram, WarmSolveTakesFewerPivotsAndGivesTheColdAnswer) {
  RandomStream random(7);
  LinearProgram program = transport(12, 20, random);
  LinearProgramSolver solver(program);
  int cold_pivots = solver.solve().iterations, warm_pivots = 0, cold_total = 0;
  EXPECT_GT(cold_pivots, 10);
  for (int round = 0; round < 20; ++round) {
    if (round % 2 == 0) {
      program.row_lower[12 + round % 20] += 0.05;
      solver.set_row_bounds(program.row_lower, program.row_upper);
    } else {
      program.c[random.below(240)] += 0.5;
      solver.set_objective(program.c);
    }
    const LinearProgramResult warm = solver.solve(), cold = solve_linear_program(program);
    ASSERT_EQ(warm.status, SolverStatus::optimal);
    EXPECT_NEAR(warm.objective, cold.objective, 1e-10 * cold.objective);
    warm_pivots += warm.iterations;
    cold_total += cold.iterations;
  }
  EXPECT_LT(4 * warm_pivots, cold_total);
}

TEST(LinearProgram, ChangesBetweenFeasibleInfeasibleAndUnbounded) {
  LinearProgramSolver solver(textbook());
  EXPECT_EQ(solver.solve().status, SolverStatus::optimal);
  solver.set_bounds(vector({5, 0}), vector({kInfinity, kInfinity}));  // x <= 4 is a row
  EXPECT_EQ(solver.solve().status, SolverStatus::primal_infeasible);
  solver.set_bounds(vector({0, 0}), vector({kInfinity, kInfinity}));
  EXPECT_NEAR(solver.solve().objective, -36, 1e-12);
  solver.set_row_bounds(Eigen::VectorXd::Constant(3, -kInfinity), vector({4, kInfinity, kInfinity}));
  EXPECT_EQ(solver.solve().status, SolverStatus::dual_infeasible);
  solver.set_objective(vector({-3, 5}));
  EXPECT_NEAR(solver.solve().objective, -12, 1e-12);
  LinearProgramSolver moved = std::move(solver);
  EXPECT_NEAR(moved.solve().objective, -12, 1e-12);
}

TEST(LinearProgram, StopsAtTheIterationLimit) {
  RandomStream random(4);
  const LinearProgramResult result = solve_linear_program(transport(12, 20, random), {.max_iterations = 3});
  EXPECT_EQ(result.status, SolverStatus::iteration_limit);
  EXPECT_NE(result.brief_report().find("iteration_limit"), std::string::npos);
}

TEST(LinearProgram, PrintsNothing) {
  RandomStream random(5);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  solve_linear_program(transport(12, 20, random));
  LinearProgram infeasible = textbook();
  infeasible.lower[0] = 5;
  infeasible.A.makeCompressed();
  solve_linear_program(infeasible);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(LinearProgram, NamesWhatIsWrongWithTheInput) {
  LinearProgram program = textbook();
  program.lower[1] = 2;
  program.upper[1] = 1;
  EXPECT_EQ(refusal(program),
            "linear program: the lower bound of x[1] is 2; it must not exceed the upper bound 1");
  program = textbook();
  program.c[0] = std::nan("");
  EXPECT_EQ(refusal(program), "linear program: c[0] is nan; it must be finite");
  program = textbook();
  program.A.coeffRef(2, 1) = kInfinity;
  EXPECT_EQ(refusal(program), "linear program: A(2,1) is inf; it must be finite");
  program = textbook();
  program.row_upper = vector({4, 12});
  EXPECT_EQ(refusal(program), "linear program: the number of upper bounds of the rows is 2; it must be 3");
  program = textbook();
  program.lower[0] = kInfinity;
  program.upper[0] = kInfinity;
  EXPECT_EQ(refusal(program),
            "linear program: the lower bound of x[0] is inf; it must be a number or -infinity");
  EXPECT_EQ(refusal(LinearProgram{}), "linear program: the problem has 0 unknowns; it needs at least 1");
  EXPECT_EQ(refusal(textbook(), {.tolerance = -1}),
            "LinearProgramOptions::tolerance is -1; it must be strictly between 0 and 0.1");
  LinearProgramSolver solver(textbook());
  EXPECT_THROW(solver.set_objective(vector({1})), std::invalid_argument);
  EXPECT_THROW(solver.set_bounds(vector({0, 1}), vector({0, 0})), std::invalid_argument);
  EXPECT_THROW(solver.set_row_bounds(vector({0}), vector({1})), std::invalid_argument);
  EXPECT_NEAR(solver.solve().objective, -36, 1e-12) << "refused changes leave the program as it was";
}

}  // namespace
}  // namespace prehend::math
