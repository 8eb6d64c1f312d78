// Placement. Wanted, in processor time: the first answer in 2 ms (median over scenes; each 10 ms), the default objective in 50 ms.
#include <benchmark/benchmark.h>

#include <generated/benchmark_scenes.h>
#include <prehend/geometry/primitives.h>
#include <prehend/placement/placement.h>

namespace {

using namespace prehend;

// A brick to be put onto a scene of N, fig. 4.12.
model::BodyIndex add_brick(model::Scene& scene) {
  model::Geom geom;
  geom.shape = model::Shape::box({0.08, 0.06, 0.04});
  geom.mesh = geometry::make_box({0.08, 0.06, 0.04});
  geom.friction = 0.6;
  model::Body body;
  body.name = "brick";
  body.movable = true;
  body.inertia = math::SpatialInertia::solid_box(0.3, {0.08, 0.06, 0.04});
  body.geoms.push_back(geom);
  scene.bodies.push_back(body);
  return model::BodyIndex(scene.bodies.size() - 1);
}

void place_on(benchmark::State& state, model::Scene scene, placement::Objective objective) {
  const model::BodyIndex brick = add_brick(scene);
  placement::PlacementOptions options;
  options.objective = objective;
  for (auto _ : state) {
    const placement::PlacementResult result = placement::place(scene, brick, options);
    if (result.status != placement::PlacementStatus::ok) state.SkipWithError("no placement");
  }
}

void BM_FirstOnCube(benchmark::State& s) { place_on(s, stability::cube_scene(), placement::Objective::first); }
void BM_FirstOnStack(benchmark::State& s) { place_on(s, stability::cube_stack_scene(), placement::Objective::first); }
void BM_FirstOnTable(benchmark::State& s) { place_on(s, stability::table_scene(), placement::Objective::first); }
void BM_FirstOnPileOf30(benchmark::State& s) { place_on(s, stability::pile_scene(30), placement::Objective::first); }
void BM_RobustOnStack(benchmark::State& s) { place_on(s, stability::cube_stack_scene(), placement::Objective::robust); }
void BM_RobustOnTable(benchmark::State& s) { place_on(s, stability::table_scene(), placement::Objective::robust); }
BENCHMARK(BM_FirstOnCube)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FirstOnStack)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FirstOnTable)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FirstOnPileOf30)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_RobustOnStack)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_RobustOnTable)->Unit(benchmark::kMillisecond);

}  // namespace
