// Time to discover an object, and to take one more frame while it is watched.
#include <benchmark/benchmark.h>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/online_discovery.h>
#include <prehend/articulation/simulated/object_motion.h>

namespace prehend::articulation {
namespace {

SimulatedMotion random_motion(int parts, int frames, double noise) {
  RandomObjectOptions object;
  object.parts = parts;
  object.seed = 1;
  MotionOptions motion;
  motion.frames = frames;
  motion.position_noise *= noise;
  motion.angle_noise *= noise;
  return simulate_motion(random_object(object), motion);
}

// Source K's robot arm: five parts, four hinges.
void discover_arm(benchmark::State& state) {
  MotionOptions motion;
  motion.frames = static_cast<int>(state.range(0));
  motion.position_noise = 0.002;
  motion.angle_noise = 0.01;
  const SimulatedMotion seen = simulate_motion(named_object("arm"), motion);
  for (auto _ : state) benchmark::DoNotOptimize(discover(seen.log, "arm"));
}
BENCHMARK(discover_arm)->Arg(200)->Unit(benchmark::kMillisecond);

void discover_thirty_parts(benchmark::State& state) {
  const SimulatedMotion seen = random_motion(30, 500, 0.2);
  for (auto _ : state) benchmark::DoNotOptimize(discover(seen.log, "thirty"));
}
BENCHMARK(discover_thirty_parts)->Unit(benchmark::kMillisecond);

void discover_hundred_features(benchmark::State& state) {
  RandomObjectOptions object;
  object.parts = 5;
  MotionOptions motion;
  motion.inflation = 19;
  const SimulatedMotion seen = simulate_motion(random_object(object), motion);
  for (auto _ : state) benchmark::DoNotOptimize(discover(seen.log, "features"));
}
BENCHMARK(discover_hundred_features)->Unit(benchmark::kMillisecond);

// One frame of a watched object, when its buffers are full.
void one_more_frame(benchmark::State& state) {
  const SimulatedMotion seen = random_motion(static_cast<int>(state.range(0)), 300, 1.0);
  const PartTracks tracks = part_tracks(seen.log, "online");
  OnlineDiscovery online(seen.log.parts);
  std::vector<std::optional<math::Pose>> frame(tracks.parts.size());
  std::size_t t = 0;
  double time = 0;
  const auto next = [&] {
    for (std::size_t k = 0; k < frame.size(); ++k) frame[k] = tracks.parts[k].X_WP[t % tracks.times.size()];
    ++t;
    online.add(time += 0.03, frame);
  };
  for (int i = 0; i < 300; ++i) next();
  for (auto _ : state) next();
}
BENCHMARK(one_more_frame)->Arg(5)->Arg(30)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace prehend::articulation
