// How long a segmentation takes: clouds of 2000 to 32 000 points, a mesh of many triangles.
#include <benchmark/benchmark.h>
#include <generated/generated_tools.h>

#include <prehend/geometry/primitives.h>
#include <prehend/parts/segmentation.h>

namespace {

using namespace prehend;

void segment_cloud(benchmark::State& state) {
  const generated::GeneratedTool tool =
      generated::generated_tool(static_cast<int>(state.range(1)), 7, static_cast<int>(state.range(0)));
  parts::SegmentOptions options;
  options.parts = 4;
  for (auto _ : state) benchmark::DoNotOptimize(parts::segment_cloud(tool.points, tool.colours, options));
  state.SetLabel(tool.name);
}
BENCHMARK(segment_cloud)->ArgsProduct({{2000, 8000, 32000}, {1, 6, 8}})->Unit(benchmark::kMillisecond);

void segment_mesh(benchmark::State& state) {
  const geometry::TriangleMesh ball = geometry::make_icosphere(0.05, static_cast<int>(state.range(0)));
  const geometry::TriangleMesh two =
      geometry::merged(ball, geometry::transformed(ball, math::Pose::translation({0.2, 0.0, 0.0})));
  for (auto _ : state) benchmark::DoNotOptimize(parts::segment_mesh(two));
  state.counters["triangles"] = static_cast<double>(two.triangles.size());
}
BENCHMARK(segment_mesh)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
