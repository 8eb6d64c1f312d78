// Point masses and homogeneous parts: one whole estimate from samples in memory, one solve, one streaming update.
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include <prehend/inertia/methods/homogeneous_parts.h>
#include <prehend/inertia/methods/point_masses.h>
#include <prehend/math/random.h>
#include <prehend/model/point_cloud.h>

namespace {

using namespace prehend;
using Eigen::Vector3d;

inertia::Shape shape_of(int points, int parts) {
  math::RandomStream random(1);
  model::PointCloud cloud;
  for (int i = 0; i < points; ++i) {
    cloud.points.push_back(
        {random.uniform(-0.15, 0.15), random.uniform(-0.04, 0.04), random.uniform(-0.03, 0.03)});
    cloud.labels.push_back(i % parts);
    cloud.points.back() += 0.03 * Vector3d(i % parts == 0, i % parts == 1, i % parts == 2);
  }
  return inertia::shape_of_cloud(cloud, "bench");
}

std::vector<inertia::Sample> samples_of(const inertia::Shape& shape, int count, bool still) {
  math::RandomStream random(2);
  math::SpatialInertia body = shape.of_unit_mass;
  body.mass = 0.6;
  body.I_com *= 0.6;
  std::vector<inertia::Sample> samples(count);
  for (int k = 0; k < count; ++k) {
    const double t = 0.01 * k;
    inertia::Sample& s = samples[k];
    s.gravity = 9.81 * Vector3d(std::sin(3 * t), std::cos(4 * t), 0.5).normalized();
    if (!still) {
      s.motion.w = Vector3d(std::cos(4 * t), std::sin(5 * t), std::cos(6 * t));
      s.motion.al = 5 * Vector3d(std::sin(4 * t), std::cos(5 * t), std::sin(6 * t)) + 0.5 * random.normal3();
      s.motion.a = Vector3d(std::sin(7 * t), std::cos(6 * t), std::sin(5 * t));
    }
    s.motion.a -= s.gravity;
    s.wrench = inertia::wrench_regressor(s.motion) * body.parameters();
    s.wrench.head<3>() += 0.005 * random.normal3();
    s.wrench.tail<3>() += 0.1 * random.normal3();
  }
  return samples;
}

// 56 points, 150 samples: everything from samples in memory to the Estimate, the points chosen before.
void pmd_estimate(benchmark::State& state, inertia::PointMassForm form, bool given_c1) {
  const inertia::Shape shape = shape_of(56, 4);
  const std::vector<inertia::Sample> samples = samples_of(shape, 150, false);
  inertia::PointMassOptions options;
  options.form = form;
  if (given_c1) options.c1 = 300.0;
  for (auto _ : state) benchmark::DoNotOptimize(inertia::point_masses(samples, shape, math::Pose(), options));
}
BENCHMARK_CAPTURE(pmd_estimate, noise_weighted, inertia::PointMassForm::noise_weighted, false)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pmd_estimate, printed_squared, inertia::PointMassForm::printed_squared, true)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pmd_estimate, printed_norms, inertia::PointMassForm::printed_norms, true)
    ->Unit(benchmark::kMicrosecond);

void pmd_solve(benchmark::State& state) {
  const inertia::Shape shape = shape_of(56, 4);
  inertia::PointMasses running(shape, math::Pose());
  for (const inertia::Sample& s : samples_of(shape, 150, false)) running.add(s);
  for (auto _ : state) benchmark::DoNotOptimize(running.fit());
}
BENCHMARK(pmd_solve)->Unit(benchmark::kMicrosecond);

void pmd_update(benchmark::State& state) {
  const inertia::Shape shape = shape_of(56, 4);
  const std::vector<inertia::Sample> samples = samples_of(shape, 1000, false);
  inertia::PointMasses running(shape, math::Pose());
  std::size_t k = 0;
  for (auto _ : state) running.add(samples[k++ % samples.size()]);
}
BENCHMARK(pmd_update)->Unit(benchmark::kMicrosecond);

void hps_estimate(benchmark::State& state, bool printed) {
  const inertia::Shape shape = shape_of(56, 4);
  const std::vector<inertia::Sample> samples = samples_of(shape, 150, true);
  inertia::HomogeneousPartsOptions options;
  options.printed = printed;
  for (auto _ : state)
    benchmark::DoNotOptimize(inertia::homogeneous_parts(samples, shape, math::Pose(), options));
}
BENCHMARK_CAPTURE(hps_estimate, prior, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(hps_estimate, printed, true)->Unit(benchmark::kMicrosecond);

void hps_solve(benchmark::State& state) {
  const inertia::Shape shape = shape_of(56, 4);
  inertia::HomogeneousParts running(shape, math::Pose());
  for (const inertia::Sample& s : samples_of(shape, 150, true)) running.add(s);
  for (auto _ : state) benchmark::DoNotOptimize(running.fit());
}
BENCHMARK(hps_solve)->Unit(benchmark::kMicrosecond);

}  // namespace
