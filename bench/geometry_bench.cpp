// Figures of the geometry room: mass properties, welding and checking of a mesh of 100 000 triangles.
#include <benchmark/benchmark.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/proximity.h>
#include <prehend/geometry/surface/self_intersection.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/math/random.h>

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
  double volume = 0.0;
  for (auto _ : state) {
    const MassProperties properties = mass_properties(mesh);
    benchmark::DoNotOptimize(properties);
    volume = properties.volume;
  }
  state.counters["volume_m3"] = volume;
}
BENCHMARK(BM_MassProperties)->Unit(benchmark::kMillisecond);

void BM_Weld(benchmark::State& state) {
  const TriangleMesh& mesh = soup();
  for (auto _ : state) benchmark::DoNotOptimize(weld_vertices(mesh));
}
BENCHMARK(BM_Weld)->Unit(benchmark::kMillisecond);

void BM_BuildBvh(benchmark::State& state) {
  const TriangleMesh& mesh = torus();
  for (auto _ : state) benchmark::DoNotOptimize(build_triangle_bvh(mesh));
}
BENCHMARK(BM_BuildBvh)->Unit(benchmark::kMillisecond);

void BM_SelfIntersections(benchmark::State& state) {
  const TriangleMesh& mesh = torus();
  for (auto _ : state) {
    const SelfIntersections found = find_self_intersections(mesh);
    state.counters["tests"] = found.tests;
    state.counters["pairs"] = found.pairs.size();
  }
}
BENCHMARK(BM_SelfIntersections)->Unit(benchmark::kMillisecond);

// A CAD part: 100 000 triangles of which nearly all neighbours are coplanar, turned out of the axes.
const TriangleMesh& flat_faces() {
  static const TriangleMesh mesh = [] {
    TriangleMesh result;
    constexpr int kCells = 90;
    const Eigen::Quaterniond q = prehend::math::RandomStream(1).rotation();
    for (int side = 0; side < 6; ++side) {
      const int axis = side / 2;
      for (int i = 0; i < kCells; ++i) {
        for (int j = 0; j < kCells; ++j) {
          const int first = static_cast<int>(result.vertices.size());
          for (int k = 0; k < 4; ++k) {
            Eigen::Vector3d p;
            p[axis] = side % 2 ? 1.0 : 0.0;
            p[(axis + 1) % 3] = (i + (k == 1 || k == 2)) / double{kCells};
            p[(axis + 2) % 3] = (j + (k >= 2)) / double{kCells};
            result.vertices.push_back(q * p);
          }
          const int b = side % 2 ? 1 : 3, d = side % 2 ? 3 : 1;
          result.triangles.emplace_back(first, first + b, first + 2);
          result.triangles.emplace_back(first, first + 2, first + d);
        }
      }
    }
    return result;
  }();
  return mesh;
}

void check(benchmark::State& state, const TriangleMesh& mesh) {
  for (auto _ : state) {
    const MeshReport report = check_mesh(mesh);
    if (report.status != MeshStatus::solid) state.SkipWithError(report.brief_report().c_str());
  }
}
void BM_CheckCurved(benchmark::State& state) { check(state, soup()); }
BENCHMARK(BM_CheckCurved)->Unit(benchmark::kMillisecond);
void BM_CheckFlatFaces(benchmark::State& state) { check(state, flat_faces()); }
BENCHMARK(BM_CheckFlatFaces)->Unit(benchmark::kMillisecond);

// Box pairs and rings: the narrow phase of piles.
void BM_ProximityApart(benchmark::State& state) {
  const ProximityShape ring(make_torus(0.1, 0.03, 60, 40));
  const prehend::math::Pose X_WA, X_WB = prehend::math::Pose::translation({0.3, 0.02, 0.01});
  for (auto _ : state) benchmark::DoNotOptimize(proximity(ring, X_WA, ring, X_WB));
}
BENCHMARK(BM_ProximityApart)->Unit(benchmark::kMicrosecond);

void BM_ProximityBoxesOverlapping(benchmark::State& state) {
  const ProximityShape box(make_box({0.1, 0.1, 0.1}));
  const prehend::math::Pose X_WA, X_WB = prehend::math::Pose::translation({0.09, 0.02, 0.01});
  for (auto _ : state) benchmark::DoNotOptimize(proximity(box, X_WA, box, X_WB));
}
BENCHMARK(BM_ProximityBoxesOverlapping)->Unit(benchmark::kMicrosecond);

void BM_TreeQueries(benchmark::State& state) {
  const TriangleTree tree(torus());
  prehend::math::RandomStream random(1);
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < 1000; ++i) points.push_back(0.15 * random.uniform() * random.unit_vector());
  std::size_t i = 0;
  for (auto _ : state) {
    const Eigen::Vector3d& p = points[i++ % points.size()];
    switch (state.range(0)) {
      case 0:
        benchmark::DoNotOptimize(tree.closest_point(p));
        break;
      case 1:
        benchmark::DoNotOptimize(tree.contains(p));
        break;
      default:
        benchmark::DoNotOptimize(tree.closest_hit({p, points[i % points.size()]}));
    }
  }
  state.SetLabel(state.range(0) == 0 ? "closest point" : state.range(0) == 1 ? "contains" : "ray");
}
BENCHMARK(BM_TreeQueries)->DenseRange(0, 2)->Unit(benchmark::kMicrosecond);

}  // namespace
