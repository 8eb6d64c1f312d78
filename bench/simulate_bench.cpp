// Stepping a 10-body scene through our interface against calling the engine directly: at most 5 % more.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <prehend/simulate/mujoco/engine.h>
#include <prehend/simulate/simulation.h>
#include <prehend/simulate/test/test_scenes.h>

namespace prehend::simulate {
namespace {

model::Scene ten_boxes() {
  model::Scene scene;
  add_floor(scene);
  for (int i = 0; i < 10; ++i) {
    add_box(scene, "box" + std::to_string(i), 1.0, {0.1, 0.1, 0.1},
            math::Pose::translation({0.11 * (i % 5), 0.0, 0.05 + 0.1 * (i / 5)}));
  }
  return scene;
}

void BM_StepDirectly(benchmark::State& state) {
  const EngineModel engine = build_engine_model(ten_boxes(), {});
  mjData* data = mj_makeData(engine.model.get());
  for (auto _ : state) mj_step(engine.model.get(), data);
  mj_deleteData(data);
}

void BM_StepThroughOurInterface(benchmark::State& state) {
  Simulation simulation(ten_boxes());
  for (auto _ : state) simulation.step();
}

void BM_StepAndReadAllPoses(benchmark::State& state) {
  Simulation simulation(ten_boxes());
  for (auto _ : state) {
    simulation.step();
    for (model::BodyIndex b(1); b < simulation.scene().bodies.size(); ++b)
      benchmark::DoNotOptimize(simulation.X_WB(b));
  }
}

BENCHMARK(BM_StepDirectly)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_StepThroughOurInterface)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_StepAndReadAllPoses)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace prehend::simulate
