// Loading files. The budget: a 100 000-triangle binary STL read and checked in 150 ms, of which reading may
// take 60.
#include <cmath>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <prehend/geometry/mesh_check.h>
#include <prehend/math/angles.h>
#include <prehend/model/files.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/text_scan.h>
#include <prehend/model/wrench_log.h>

namespace prehend::model {
namespace {

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("prehend-bench-" + std::to_string(::getpid()) + name))
      .string();
}

// A closed torus with 2 n^2 triangles.
geometry::TriangleMesh torus(int n) {
  geometry::TriangleMesh mesh;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = 2 * math::kPi * i / n, b = 2 * math::kPi * j / n;
      const double r = 0.2 + 0.05 * std::cos(b);
      mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), 0.05 * std::sin(b));
      const int i1 = (i + 1) % n, j1 = (j + 1) % n;
      mesh.triangles.emplace_back(i * n + j, i1 * n + j, i1 * n + j1);
      mesh.triangles.emplace_back(i * n + j, i1 * n + j1, i * n + j1);
    }
  }
  return mesh;
}

// 224 * 224 * 2 = 100 352 triangles.
void read_torus(benchmark::State& state, const std::string& extension) {
  const std::string path = temporary(extension);
  write_mesh(path, torus(224));
  for (auto _ : state) {
    MeshFile file = read_mesh_file(path);
    benchmark::DoNotOptimize(file.mesh.vertices.data());
    if (file.mesh.triangles.size() != 100352) state.SkipWithError("wrong number of triangles");
    if (file.mesh.vertices.size() != 224 * 224) state.SkipWithError("wrong number of vertices");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(path)));
  std::filesystem::remove(path);
}
BENCHMARK_CAPTURE(read_torus, stl_binary, ".stl")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_torus, ply_binary, ".ply")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_torus, obj, ".obj")->Unit(benchmark::kMillisecond);

// The figure as promised: binary STL, from disk to the full report.
void read_and_check_stl(benchmark::State& state) {
  const std::string path = temporary(".stl");
  write_mesh(path, torus(224));
  for (auto _ : state) {
    const geometry::MeshReport report = geometry::check_mesh(read_mesh(path));
    if (report.status != geometry::MeshStatus::solid) state.SkipWithError("the torus is not found solid");
  }
  std::filesystem::remove(path);
}
BENCHMARK(read_and_check_stl)->Unit(benchmark::kMillisecond);

// A wrench log with all groups: 33 columns.
void read_log(benchmark::State& state) {
  WrenchLog log;
  const std::size_t rows = static_cast<std::size_t>(state.range(0));
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    const Eigen::Vector3d v(std::sin(t), std::cos(1.1 * t), std::sin(1.3 * t));
    log.t.push_back(t);
    log.X_WS.emplace_back(Eigen::Quaterniond(Eigen::AngleAxisd(t, Eigen::Vector3d(1, 2, 2) / 3)), v);
    for (auto* column : {&log.v_WS_W, &log.w_WS_W, &log.a_WS_W, &log.al_WS_W, &log.f_S, &log.tau_S})
      column->push_back(v);
    log.X_WO.push_back(log.X_WS.back());
  }
  const std::string path = temporary(".csv");
  write_wrench_log(path, log);
  for (auto _ : state) {
    const WrenchLog again = read_wrench_log(path);
    if (again.rows() != rows) state.SkipWithError("wrong number of rows");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(path)));
  std::filesystem::remove(path);
}
BENCHMARK(read_log)->Arg(20000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace prehend::model
