// Solvers of prehend/math: cold and warm, at the sizes of grasp and contact problems.
#include <limits>

#include <benchmark/benchmark.h>

#include <prehend/math/linear_program.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/quadratic_program.h>
#include <prehend/math/random.h>

namespace {

using namespace prehend::math;

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, RandomStream& random) {
  return Eigen::MatrixXd::Zero(rows, columns).unaryExpr([&random](double) { return random.normal(); });
}

QuadraticProgram random_quadratic_program(Eigen::Index n, RandomStream& random) {
  const Eigen::MatrixXd root = random_matrix(n, n, random);
  const Eigen::VectorXd inside = random_matrix(n, 1, random);
  QuadraticProgram program;
  program.H = root.transpose() * root;
  program.g = random_matrix(n, 1, random);
  program.A = random_matrix(6, n, random);
  program.b = program.A * inside;
  program.C = random_matrix(n, n, random);
  program.lower = program.C * inside - Eigen::VectorXd::Constant(n, 0.5);
  program.upper = program.C * inside + Eigen::VectorXd::Constant(n, 0.5);
  return program;
}

// Six equations of equilibrium per body, non-negative forces along the edges of friction pyramids.
LinearProgram random_force_program(Eigen::Index bodies, RandomStream& random) {
  const Eigen::Index rows = 6 * bodies, columns = 32 * bodies;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const Eigen::Index body = j / 32;
    A.block(6 * body, j, 6, 1) = random_matrix(6, 1, random);
    if (body > 0) A.block(6 * (body - 1), j, 6, 1) = -A.block(6 * body, j, 6, 1);
  }
  LinearProgram program;
  program.c = random_matrix(columns, 1, random).cwiseAbs();
  program.A = A.sparseView();
  program.row_lower = A * random_matrix(columns, 1, random).cwiseAbs();
  program.row_upper = program.row_lower;
  program.lower = Eigen::VectorXd::Zero(columns);
  program.upper = Eigen::VectorXd::Constant(columns, std::numeric_limits<double>::infinity());
  return program;
}

void quadratic_program_cold(benchmark::State& state) {
  RandomStream random(1);
  const QuadraticProgram program = random_quadratic_program(state.range(0), random);
  for (auto _ : state) benchmark::DoNotOptimize(solve_quadratic_program(program).objective);
}
BENCHMARK(quadratic_program_cold)->Arg(10)->Arg(30)->Arg(100)->Unit(benchmark::kMicrosecond);

void quadratic_program_warm(benchmark::State& state) {
  RandomStream random(1);
  QuadraticProgram program = random_quadratic_program(state.range(0), random);
  QuadraticProgramSolver solver;
  solver.solve(program);
  for (auto _ : state) {
    for (double& entry : program.g) entry += 1e-3 * random.normal();
    benchmark::DoNotOptimize(solver.solve(program).objective);
  }
}
BENCHMARK(quadratic_program_warm)->Arg(10)->Arg(30)->Arg(100)->Unit(benchmark::kMicrosecond);

void linear_program_cold(benchmark::State& state) {
  RandomStream random(2);
  const LinearProgram program = random_force_program(state.range(0), random);
  for (auto _ : state) benchmark::DoNotOptimize(solve_linear_program(program).objective);
}
BENCHMARK(linear_program_cold)->Arg(2)->Arg(10)->Arg(50)->Unit(benchmark::kMicrosecond);

void linear_program_warm(benchmark::State& state) {
  RandomStream random(2);
  const LinearProgram program = random_force_program(state.range(0), random);
  LinearProgramSolver solver(program);
  solver.solve();
  Eigen::VectorXd right = program.row_lower;
  for (auto _ : state) {
    for (Eigen::Index i = 0; i < right.size(); ++i) right[i] = program.row_lower[i] + 1e-3 * random.normal();
    solver.set_row_bounds(right, right);
    benchmark::DoNotOptimize(solver.solve().objective);
  }
}
BENCHMARK(linear_program_warm)->Arg(2)->Arg(10)->Arg(50)->Unit(benchmark::kMicrosecond);

void nonnegative_least_squares(benchmark::State& state, NonnegativeLeastSquaresRoute route) {
  RandomStream random(3);
  const Eigen::Index n = state.range(0);
  const Eigen::MatrixXd A = random_matrix(n + n / 2, n, random);
  const Eigen::VectorXd b = random_matrix(n + n / 2, 1, random);
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_nonnegative_least_squares(A, b, {.route = route}).objective);
  }
}
BENCHMARK_CAPTURE(nonnegative_least_squares, automatic, NonnegativeLeastSquaresRoute::automatic)
    ->Arg(20)
    ->Arg(100)
    ->Arg(500)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(nonnegative_least_squares, orthogonal, NonnegativeLeastSquaresRoute::orthogonal)
    ->Arg(20)
    ->Arg(100)
    ->Arg(500)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
