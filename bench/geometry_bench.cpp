// Figures of the geometry room: mass properties, welding and checking of a mesh of 100 000 triangles.
#include <benchmark/benchmark.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/primitives.h>

namespace {

using namespace prehend::geometry;

// 100 000 triangles.
const TriangleMesh& torus() {
  static const TriangleMesh mesh = make_torus(0.1, 0.03, 250, 200);
  return mesh;
}

// The same as an STL file lists it: 300 000 vertices.
const TriangleMesh& soup() {
  static const TriangleMesh mesh = [] {
    TriangleMesh result;
    for (const auto& t : torus().triangles) {
      const int first = static_cast<int>(result.vertices.size());
      for (int k = 0; k < 3; ++k) result.vertices.push_back(torus().vertices[t[k]]);
      result.triangles.emplace_back(first, first + 1, first + 2);
    }
    return result;
  }();
  return mesh;
}

void BM_MassProperties(benchmark::State& state) {
  const TriangleMesh& mesh = torus();
  for (auto _ : state) benchmark::DoNotOptimize(mass_properties(mesh));
}
BENCHMARK(BM_MassProperties)->Unit(benchmark::kMillisecond);

void BM_Weld(benchmark::State& state) {
  const TriangleMesh& mesh = soup();
  for (auto _ : state) benchmark::DoNotOptimize(weld_vertices(mesh));
}
BENCHMARK(BM_Weld)->Unit(benchmark::kMillisecond);

}  // namespace
