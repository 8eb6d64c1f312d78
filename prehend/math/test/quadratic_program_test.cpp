#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <prehend/math/house/infinity.h>
#include <prehend/math/quadratic_program.h>
#include <prehend/math/random.h>

namespace prehend::math {
namespace {

Eigen::VectorXd vector_of(std::initializer_list<double> values) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

// Nearest point of the box lower <= x <= upper to `target`.
QuadraticProgram projection(const Eigen::VectorXd& target, const Eigen::VectorXd& lower,
                            const Eigen::VectorXd& upper) {
  const Eigen::Index n = target.size();
  return {Eigen::MatrixXd::Identity(n, n), -target, {}, {}, Eigen::MatrixXd::Identity(n, n), lower, upper};
}

QuadraticProgram random_program(int n, int p, int q, RandomStream& random) {
  const auto normal = [&random](double) { return random.normal(); };
  const Eigen::MatrixXd root = Eigen::MatrixXd::Zero(n, n).unaryExpr(normal);
  QuadraticProgram program;
  program.H = root.transpose() * root;
  program.g = Eigen::VectorXd::Zero(n).unaryExpr(normal);
  program.A = Eigen::MatrixXd::Zero(p, n).unaryExpr(normal);
  program.C = Eigen::MatrixXd::Zero(q, n).unaryExpr(normal);
  const Eigen::VectorXd inside = Eigen::VectorXd::Zero(n).unaryExpr(normal);
  program.b = program.A * inside;
  program.lower = program.C * inside - Eigen::VectorXd::Constant(q, 0.5);
  program.upper = program.C * inside + Eigen::VectorXd::Constant(q, 0.5);
  return program;
}

std::string refusal(const QuadraticProgram& program, const QuadraticProgramOptions& options = {}) {
  try {
    solve_quadratic_program(program, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(QuadraticProgram, ProjectsOntoABox) {
  const QuadraticProgram program =
      projection(vector_of({3, -2, 0.5}), vector_of({-1, -1, -1}), vector_of({1, 1, kInfinity}));
  const QuadraticProgramResult result = solve_quadratic_program(program);
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_LE((result.x - vector_of({1, -1, 0.5})).norm(), 1e-7);
  EXPECT_LE((result.z - vector_of({2, -1, 0})).norm(), 1e-7);  // positive at upper, negative at lower bounds
  EXPECT_NEAR(result.objective, 0.5 * 2.25 - 3 - 2 - 0.25, 1e-7);
  EXPECT_LE(result.residuals.largest(), 1e-8);
  EXPECT_EQ(result.brief_report().find("quadratic program: optimal after "), 0u) << result.brief_report();
}

TEST(QuadraticProgram, FindsTheLeastNormPointOfAPlane) {
  QuadraticProgram program;
  program.H = Eigen::MatrixXd::Identity(3, 3);
  program.g = Eigen::VectorXd::Zero(3);
  program.A = Eigen::RowVector3d(1, 2, 2);
  program.b = vector_of({9});
  const QuadraticProgramResult result = solve_quadratic_program(program);
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_LE((result.x - vector_of({1, 2, 2})).norm(), 1e-7);
  EXPECT_NEAR(result.y[0], -1, 1e-7);
}

TEST(QuadraticProgram, SolvesWithoutConstraintsAndWithoutCurvature) {
  QuadraticProgram free;
  free.H = Eigen::Vector2d(2, 8).asDiagonal();
  free.g = vector_of({2, -8});
  EXPECT_LE((solve_quadratic_program(free).x - vector_of({-1, 1})).norm(), 1e-7);

  QuadraticProgram linear = projection(vector_of({1, -1}), vector_of({-3, -3}), vector_of({2, 2}));
  linear.H.setZero();
  const QuadraticProgramResult corner = solve_quadratic_program(linear);
  ASSERT_EQ(corner.status, SolverStatus::optimal);
  EXPECT_LE((corner.x - vector_of({2, -3})).norm(), 1e-7);

  linear.g.setZero();
  EXPECT_EQ(solve_quadratic_program(linear).status, SolverStatus::optimal);
}

TEST(QuadraticProgram, ProvesInfeasibility) {
  QuadraticProgram program = projection(vector_of({0, 0}), vector_of({-1, -1}), vector_of({1, 1}));
  program.A = Eigen::RowVector2d(1, 1);
  program.b = vector_of({3});
  const QuadraticProgramResult result = solve_quadratic_program(program);
  ASSERT_EQ(result.status, SolverStatus::primal_infeasible);
  EXPECT_EQ(result.objective, kInfinity);
  // The only certificate, x + y = 3 against x + y <= 2: -1 = 3 (-1) + 1 + 1.
  EXPECT_NEAR(result.y[0], -1, 1e-6);
  EXPECT_LE((result.z - vector_of({1, 1})).norm(), 1e-6);
  EXPECT_LE(result.certificate_residual, 1e-8);
}

TEST(QuadraticProgram, ProvesUnboundedness) {
  QuadraticProgram program;
  program.H = Eigen::Vector3d(1, 0, 0).asDiagonal();
  program.g = vector_of({1, -2, 0});
  program.C = Eigen::RowVector3d(0, 1, -1);
  program.lower = vector_of({-kInfinity});
  program.upper = vector_of({1});  // y <= z + 1: the way down is y and z together
  const QuadraticProgramResult result = solve_quadratic_program(program);
  ASSERT_EQ(result.status, SolverStatus::dual_infeasible);
  EXPECT_EQ(result.objective, -kInfinity);
  EXPECT_NEAR(program.g.dot(result.ray), -1, 1e-9);
  EXPECT_LE((program.H * result.ray).norm(), 1e-9);
  EXPECT_LE(program.C.row(0).dot(result.ray), 1e-9);
  EXPECT_LE(program.C.row(0).dot(result.x), 1 + 1e-8);
}

TEST(QuadraticProgram, SaysInfeasibleWhenBothAreTrue) {
  QuadraticProgram program;
  program.H = Eigen::MatrixXd::Zero(2, 2);
  program.g = vector_of({-1, 0});
  program.C = Eigen::MatrixXd(2, 2);
  program.C << 0, 1, 0, 1;
  program.lower = vector_of({1, -kInfinity});
  program.upper = vector_of({kInfinity, 0});
  EXPECT_EQ(solve_quadratic_program(program).status, SolverStatus::primal_infeasible);
}

TEST(QuadraticProgram, CopesWithRepeatedConstraints) {
  QuadraticProgram program = projection(vector_of({2, 2}), vector_of({0, 0}), vector_of({1, 1}));
  program.C = Eigen::MatrixXd(5, 2);
  program.C << 1, 0, 1, 0, 1, 1, 2, 2, 0, 1;
  program.lower = Eigen::VectorXd::Constant(5, -kInfinity);
  program.upper = vector_of({1, 1, 2, 4, 1});
  program.A = Eigen::MatrixXd(2, 2);
  program.A << 1, -1, 2, -2;
  program.b = vector_of({0, 0});
  const QuadraticProgramResult result = solve_quadratic_program(program);
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_LE((result.x - vector_of({1, 1})).norm(), 1e-7);
}

TEST(QuadraticProgram, GivesTheSameAnswerInOtherUnits) {
  RandomStream random(3);
  const QuadraticProgram metres = random_program(12, 3, 15, random);
  const QuadraticProgramResult reference = solve_quadratic_program(metres);
  ASSERT_EQ(reference.status, SolverStatus::optimal);
  for (const double scale : {0x1p-30, 1e-3, 1e3, 1e9}) {
    QuadraticProgram other = metres;
    other.g *= scale;
    other.b *= scale;
    other.lower *= scale;
    other.upper *= scale;
    const QuadraticProgramResult result = solve_quadratic_program(other);
    ASSERT_EQ(result.status, SolverStatus::optimal) << scale;
    EXPECT_LE((result.x / scale - reference.x).norm(), 1e-7 * reference.x.norm());
    EXPECT_NEAR(result.objective / (scale * scale), reference.objective,
                1e-7 * std::abs(reference.objective));
  }
}

TEST(QuadraticProgram, HugeIrrelevantBoundsDoNotBlurTheAnswer) {
  QuadraticProgram program = projection(vector_of({3, -2, 0.5}), vector_of({-1, -1, -1e12}), vector_of({1, 1, 1e12}));
  const QuadraticProgramResult result = solve_quadratic_program(program);
  ASSERT_EQ(result.status, SolverStatus::optimal);
  EXPECT_LE((result.x - vector_of({1, -1, 0.5})).norm(), 1e-7);
}

TEST(QuadraticProgram, WarmSolveTakesFewerStepsAndGivesTheColdAnswer) {
  RandomStream random(8);
  QuadraticProgram program = random_program(30, 5, 40, random);
  QuadraticProgramSolver solver;
  ASSERT_EQ(solver.solve(program).status, SolverStatus::optimal);
  int warm_steps = 0, cold_steps = 0;
  for (int round = 0; round < 20; ++round) {
    for (double& entry : program.g) entry += 1e-3 * random.normal();
    program.upper[round] += 1e-3;
    program.H(round, round) += 1e-3;
    const QuadraticProgramResult warm = solver.solve(program), cold = solve_quadratic_program(program);
    ASSERT_EQ(warm.status, SolverStatus::optimal);
    EXPECT_NEAR(warm.objective, cold.objective, 1e-7 * std::abs(cold.objective));
    EXPECT_LE((warm.x - cold.x).norm(), 1e-5 * cold.x.norm());
    warm_steps += warm.iterations;
    cold_steps += cold.iterations;
  }
  EXPECT_LT(2 * warm_steps, cold_steps);
  solver.forget();
  EXPECT_EQ(solver.solve(program).iterations, solve_quadratic_program(program).iterations);
}

TEST(QuadraticProgram, WarmSolverTakesAnySizeAndRecoversFromInfeasibility) {
  QuadraticProgramSolver solver;
  QuadraticProgram program = projection(vector_of({3, -2}), vector_of({-1, -1}), vector_of({1, 1}));
  EXPECT_EQ(solver.solve(program).status, SolverStatus::optimal);
  program.C.row(1) = -program.C.row(0);
  program.lower = vector_of({1, 1});
  program.upper = vector_of({2, 2});  // x >= 1 and -x >= 1
  EXPECT_EQ(solver.solve(program).status, SolverStatus::primal_infeasible);
  const auto again = solver.solve(projection(vector_of({3, -2, 7}), vector_of({-1, -1, -1}), vector_of({1, 1, 1})));
  ASSERT_EQ(again.status, SolverStatus::optimal);
  EXPECT_LE((again.x - vector_of({1, -1, 1})).norm(), 1e-7);
}

TEST(QuadraticProgram, NamesWhatIsWrongWithTheInput) {
  const QuadraticProgram good = projection(vector_of({3, -2}), vector_of({-1, -1}), vector_of({1, 1}));
  QuadraticProgram program = good;
  program.H(0, 0) = -1;
  EXPECT_EQ(refusal(program),
            "quadratic program: H has the eigenvalue -1 relative to its largest entry (after equilibration); "
            "it must "
            "be positive semidefinite, not below -1e-09");
  program = good;
  program.H(0, 1) = 0.5;
  EXPECT_EQ(refusal(program), "quadratic program: H(1,0) is 0 but H(0,1) is 0.5; H must be symmetric");
  program = good;
  program.lower[1] = 2;
  EXPECT_EQ(refusal(program),
            "quadratic program: the lower bound of C x[1] is 2; it must not exceed the upper bound 1");
  program = good;
  program.C(1, 0) = kInfinity;
  EXPECT_EQ(refusal(program), "quadratic program: C(1,0) is inf; it must be finite");
  program = good;
  program.b = vector_of({1});
  EXPECT_EQ(refusal(program), "quadratic program: the number of rows of A is 0; it must be 1");
  EXPECT_EQ(refusal(QuadraticProgram{}),
            "quadratic program: the problem has 0 unknowns; it needs at least 1");
  EXPECT_EQ(refusal(good, {.max_iterations = 0}),
            "QuadraticProgramOptions::max_iterations is 0; it must be finite and at least 1");
}

}  // namespace
}  // namespace prehend::math
