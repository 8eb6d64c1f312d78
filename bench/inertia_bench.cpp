// Estimators of inertial parameters on 150 samples (1.5 s at 100 Hz), and one streaming update each.
//
// One section per method: `Solve` compresses the samples and solves, as a user's call does; `Update` takes one sample.
#include <benchmark/benchmark.h>

#include <prehend/inertia/estimator.h>
#include <prehend/inertia/methods/geometric.h>
#include <prehend/inertia/test/sample_maker.h>

namespace {

using namespace prehend;

struct Recording {
  inertia::Samples samples;
  inertia::Shape shape;
};

const Recording& recording() {
  static const Recording made = [] {
    Recording r;
    const inertia::SampleNoise noise{.a = 0.1, .w = 0.0, .al = 1.0, .force = 0.33, .torque = 0.0067};
    r.samples = inertia::test::make_samples(inertia::test::some_body(), 150, 1.0, 1);
    inertia::test::add_noise(r.samples, noise, 2);
    r.samples.noise = noise;
    r.samples.X_SO = math::Pose();
    r.shape.of_unit_mass = math::SpatialInertia::solid_box(1.0, {0.1, 0.2, 0.05});
    return r;
  }();
  return made;
}

void solve(benchmark::State& state, inertia::Method method) {
  const Recording& r = recording();
  for (auto _ : state) benchmark::DoNotOptimize(inertia::estimate(method, r.samples, &r.shape));
}

void update(benchmark::State& state, inertia::Method method) {
  const Recording& r = recording();
  const auto running = inertia::make_streaming_estimator(method, {&r.shape, r.samples.X_SO, r.samples.noise});
  std::size_t i = 0;
  for (auto _ : state) {
    running->add(r.samples.samples[i]);
    i = (i + 1) % r.samples.samples.size();
  }
}

// The parts of a solve.
void compress(benchmark::State& state) {
  for (auto _ : state) {
    inertia::NormalEquations sums;
    sums.add(recording().samples.samples);
    benchmark::DoNotOptimize(sums);
  }
}

void geometric_from_sums(benchmark::State& state) {
  inertia::NormalEquations sums;
  sums.add(recording().samples.samples);
  for (auto _ : state) benchmark::DoNotOptimize(inertia::geometric(sums, recording().shape, math::Pose()));
}

BENCHMARK(compress)->Name("Compress150Samples");
BENCHMARK_CAPTURE(solve, ols, inertia::Method::ols)->Name("Solve/ols");
BENCHMARK_CAPTURE(update, ols, inertia::Method::ols)->Name("Update/ols");
BENCHMARK_CAPTURE(solve, rtls, inertia::Method::rtls)->Name("Solve/rtls");
BENCHMARK_CAPTURE(update, rtls, inertia::Method::rtls)->Name("Update/rtls");
BENCHMARK_CAPTURE(solve, geo, inertia::Method::geo)->Name("Solve/geo");
BENCHMARK_CAPTURE(update, geo, inertia::Method::geo)->Name("Update/geo");
BENCHMARK(geometric_from_sums)->Name("SolveFromSums/geo");

}  // namespace
