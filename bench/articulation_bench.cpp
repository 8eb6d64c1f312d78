// Time to fit one joint and to select among all types.
#include <benchmark/benchmark.h>

#include <prehend/articulation/selection.h>
#include <prehend/math/random.h>

namespace prehend::articulation {
namespace {

// Noise of the moving part, or of both parts alike.
Observations seen(model::JointType type, int frames, bool fixed_is_measured = false) {
  math::RandomStream random(1);
  Joint joint;
  joint.type = type;
  joint.X_FJ = math::Pose(random.rotation(), random.unit_vector());
  joint.X_MJ = math::Pose(random.rotation(), 0.3 * random.unit_vector());
  std::vector<math::Pose> poses;
  for (int i = 0; i < frames; ++i) {
    const auto noise = [&] {
      math::Vector6d e;
      e << 0.02 * random.normal3(), 0.003 * random.normal3();
      return math::exp_se3(e);
    };
    math::Pose X = joint.forward(State::Constant(joint.freedoms(), 1.2 * i / frames)) * noise();
    if (fixed_is_measured) X = noise() * X;
    poses.push_back(X);
  }
  return observations_of(poses, fixed_is_measured);
}

void fit(benchmark::State& state, model::JointType type, bool fixed_is_measured = false) {
  const Observations observations = seen(type, static_cast<int>(state.range(0)), fixed_is_measured);
  for (auto _ : state) benchmark::DoNotOptimize(fit_joint(type, observations));
}
// The same with noise whose size differs from frame to frame.
void fit_uneven(benchmark::State& state, model::JointType type) {
  Observations observations = seen(type, static_cast<int>(state.range(0)));
  math::RandomStream random(2);
  for (Observation& o : observations.poses) {
    math::Vector6d e;
    e << 0.05 * random.uniform() * random.normal3(), 0.01 * random.uniform() * random.normal3();
    o.X_FM = o.X_FM * math::exp_se3(e);
  }
  for (auto _ : state) benchmark::DoNotOptimize(fit_joint(type, observations));
}
// The closed form alone, whose time is mostly that of copying poses: what the likelihood takes is told as a ratio to it.
void closed_form(benchmark::State& state, model::JointType type) {
  const Observations observations = seen(type, static_cast<int>(state.range(0)));
  FitOptions options;
  options.method = FitMethod::closed_form;
  for (auto _ : state) benchmark::DoNotOptimize(fit_joint(type, observations, options));
}
BENCHMARK_CAPTURE(closed_form, prismatic, model::JointType::prismatic)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(closed_form, revolute, model::JointType::revolute)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit, prismatic, model::JointType::prismatic)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit, revolute, model::JointType::revolute)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit, revolute_both_measured, model::JointType::revolute, true)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit_uneven, revolute, model::JointType::revolute)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit, screw, model::JointType::screw)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit, universal, model::JointType::universal)->Arg(1000)->Unit(benchmark::kMicrosecond);

void select_all(benchmark::State& state) {
  const Observations observations = seen(model::JointType::revolute, static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(select_joint(observations));
}
BENCHMARK(select_all)->Arg(200)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace prehend::articulation
