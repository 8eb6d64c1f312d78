// The largest push on a row or wall of bricks with exact friction cones: building the solver, and solving
// again. bench/cone_vs_clarabel.py runs comparable programs through Clarabel.
#include <vector>

#include <Eigen/Geometry>
#include <benchmark/benchmark.h>

#include <prehend/math/cone_program.h>

namespace {
namespace math = prehend::math;

// `height` layers of `width` bricks in stack bond; each stands on the one below by four points, and touches
// its left neighbour by four. Width 1 is a tower.
math::ConeProgram wall(int width, int height, double mu) {
  std::vector<Eigen::Triplet<double>> A, G;
  int column = 0;
  const auto force = [&](int body, const Eigen::Vector3d& p, const Eigen::Vector3d& f, int at) {
    const Eigen::Vector3d moment = p.cross(f);
    for (int i = 0; i < 3; ++i) {
      if (f[i] != 0.0) A.emplace_back(6 * body + i, at, f[i]);
      if (moment[i] != 0.0) A.emplace_back(6 * body + 3 + i, at, moment[i]);
    }
  };
  const auto interface = [&](int on, int from, const Eigen::Vector3d& normal) {
    const Eigen::Vector3d t = normal.unitOrthogonal(), u = normal.cross(t);
    for (double a : {-0.4, 0.4}) {
      for (double b : {-0.4, 0.4}) {
        const Eigen::Vector3d p = -0.5 * normal + a * t + b * u;
        const Eigen::Vector3d axes[3] = {normal, t, u};
        for (int k = 0; k < 3; ++k, ++column) {
          force(on, p, axes[k], column);
          if (from >= 0) force(from, p + normal, -axes[k], column);
          G.emplace_back(column, column, k == 0 ? -mu : -1.0);
        }
      }
    }
  };
  for (int layer = 0; layer < height; ++layer) {
    for (int k = 0; k < width; ++k) {
      const int body = layer * width + k;
      interface(body, layer == 0 ? -1 : body - width, Eigen::Vector3d::UnitZ());
      if (k > 0) interface(body, body - 1, Eigen::Vector3d::UnitX());
    }
  }
  const int bodies = width * height;
  force(bodies - 1, {0, 0, 0.3}, {0.0, 1.0, 0.0}, column);
  math::ConeProgram program;
  program.c = -Eigen::VectorXd::Unit(column + 1, column);
  program.A.resize(6 * bodies, column + 1);
  program.A.setFromTriplets(A.begin(), A.end());
  program.b = Eigen::VectorXd::Zero(6 * bodies);
  for (int body = 0; body < bodies; ++body) program.b[6 * body + 2] = 9.81;
  program.G.resize(column, column + 1);
  program.G.setFromTriplets(G.begin(), G.end());
  program.h = Eigen::VectorXd::Zero(column);
  program.cones.second_order.assign(column / 3, 3);
  return program;
}

void label(benchmark::State& state, const math::ConeProgram& program, const math::ConeResult& result) {
  state.counters["interfaces"] = static_cast<double>(program.cones.second_order.size()) / 4;
  state.counters["iterations_ipm"] = result.iterations;
  if (result.status != math::SolverStatus::optimal) state.SkipWithError(result.brief_report().c_str());
}

void build_and_solve(benchmark::State& state) {
  const math::ConeProgram program =
      wall(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), 0.6);
  math::ConeResult result;
  for (auto _ : state) result = math::solve_cone_program(program);
  label(state, program, result);
}

void solve_again(benchmark::State& state) {
  const math::ConeProgram program =
      wall(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), 0.6);
  math::ConeSolver solver(program);
  for (auto _ : state) {
    solver.set_equality_bounds(program.b);
    benchmark::DoNotOptimize(&solver.solve());
  }
  label(state, program, solver.solve());
}
}  // namespace

// (1, 1) is a cube on a table; (5, 6) has 54 interfaces, (10, 11) 209.
BENCHMARK(build_and_solve)
    ->Args({1, 1})
    ->Args({1, 5})
    ->Args({5, 6})
    ->Args({10, 11})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(solve_again)
    ->Args({1, 1})
    ->Args({1, 5})
    ->Args({5, 6})
    ->Args({10, 11})
    ->Unit(benchmark::kMicrosecond);
