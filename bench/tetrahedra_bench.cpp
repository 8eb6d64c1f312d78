// Tetrahedra of surfaces with about 10 000 triangles, and the Delaunay step alone. Wanted: at most 2 s per
// surface.
#include <benchmark/benchmark.h>

#include <prehend/geometry/delaunay_tetrahedra.h>
#include <prehend/geometry/test/tetrahedra_shapes.h>
#include <prehend/geometry/tetrahedra.h>
#include <prehend/math/random.h>

namespace {

using namespace prehend::geometry;

void fill(benchmark::State& state, const TriangleMesh& mesh, double max_edge) {
  TetrahedraOptions options;
  options.max_edge = max_edge;
  std::size_t count = 0;
  for (auto _ : state) {
    const Tetrahedra result = tetrahedralize(mesh, options);
    if (result.status != TetrahedraStatus::ok) state.SkipWithError(result.brief_report().c_str());
    count = result.tetrahedra.size();
  }
  state.counters["triangles"] = static_cast<double>(mesh.triangles.size());
  state.counters["tetrahedra"] = static_cast<double>(count);
}

void torus(benchmark::State& state) { fill(state, shapes::torus(1.0, 0.4, 100, 50), 0.0); }
void dented_sphere(benchmark::State& state) { fill(state, shapes::dented_sphere(71, 0.3), 0.0); }
void dented_sphere_refined(benchmark::State& state) { fill(state, shapes::dented_sphere(71, 0.3), 0.15); }

void l_block(benchmark::State& state) {
  std::vector<Eigen::Vector3i> cells;
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j)
      for (int k = 0; k < 24; ++k)
        if (i < 16 || j < 16) cells.emplace_back(i, j, k);
  fill(state, shapes::voxels(cells), 0.0);
}

void delaunay_random(benchmark::State& state) {
  prehend::math::RandomStream random(1);
  std::vector<Eigen::Vector3d> points(static_cast<std::size_t>(state.range(0)));
  for (auto& p : points) p = random.normal3();
  for (auto _ : state) benchmark::DoNotOptimize(delaunay_tetrahedra(points));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(torus)->Unit(benchmark::kMillisecond);
BENCHMARK(dented_sphere)->Unit(benchmark::kMillisecond);
BENCHMARK(dented_sphere_refined)->Unit(benchmark::kMillisecond);
BENCHMARK(l_block)->Unit(benchmark::kMillisecond);
BENCHMARK(delaunay_random)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
