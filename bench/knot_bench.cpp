// Knots. Wanted: P-data of a rope of 1000 points in 5 ms, of 10 000 points in 100 ms.
#include <vector>

#include <benchmark/benchmark.h>

#include <prehend/knot/closure.h>
#include <prehend/knot/projection.h>
#include <prehend/knot/test/random_code.h>
#include <prehend/knot/test/ropes.h>

namespace {

using namespace prehend::knot;
using prehend::math::RandomStream;

// ------------------------------------------------------------------------------------------- ropes to P-data

void project(benchmark::State& state, const Points& rope) {
  ProjectionOptions options;
  options.view_W = Eigen::Vector3d(0, 0, -1);
  options.bulge_fraction = 0;
  ProjectionResult result;
  for (auto _ : state) benchmark::DoNotOptimize(result = project_rope(rope, options));
  if (result.status != ProjectionStatus::ok) state.SkipWithError(result.reason.c_str());
  state.counters["crossings"] = result.p_data.crossings();
}

// A tangled smooth rope with some hundred crossings.
void BM_SmoothRope(benchmark::State& state) {
  RandomStream random(1);
  project(state, sampled(random_curve(random, 8), 0, 3, static_cast<int>(state.range(0))));
}
BENCHMARK(BM_SmoothRope)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

// The worst that may be called a rope: corners everywhere, thousands of crossings.
void BM_RoughRope(benchmark::State& state) {
  RandomStream random(2);
  project(state, random_walk(random, static_cast<int>(state.range(0))));
}
BENCHMARK(BM_RoughRope)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

// A coil: every turn beside the last, all boxes close.
void BM_Coil(benchmark::State& state) {
  const auto coil = [](double t) { return Eigen::Vector3d(std::cos(t) + 0.01 * t, std::sin(t), 0.002 * t); };
  project(state, sampled(coil, 0, 200, static_cast<int>(state.range(0))));
}
BENCHMARK(BM_Coil)->Arg(10000)->Unit(benchmark::kMillisecond);

// ------------------------------------------------------------------------------------------- closing

void BM_ClosedOver(benchmark::State& state) {
  RandomStream random(3);
  const PData data = random_code(30, random);
  for (auto _ : state) benchmark::DoNotOptimize(closed_over(data));
}
BENCHMARK(BM_ClosedOver)->Unit(benchmark::kMicrosecond);

}  // namespace
