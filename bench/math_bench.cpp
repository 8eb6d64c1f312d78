// Lie-group arithmetic: the figure is one logarithm plus one exponential of SE(3), 60 ns.
#include <vector>

#include <benchmark/benchmark.h>

#include <prehend/math/random.h>
#include <prehend/math/se3.h>

namespace {

using prehend::math::Pose;

void BM_Se3LogExp(benchmark::State& state) {
  prehend::math::RandomStream random(1);
  std::vector<Pose> poses;
  for (int i = 0; i < 1024; ++i) {
    const Eigen::Quaterniond q = random.rotation();
    poses.emplace_back(q, random.normal3());
  }
  std::size_t i = 0;
  for (auto _ : state) {
    Pose X = prehend::math::exp_se3(prehend::math::log_se3(poses[i]));
    benchmark::DoNotOptimize(X);
    i = (i + 1) & 1023;
  }
}
BENCHMARK(BM_Se3LogExp);

}  // namespace
