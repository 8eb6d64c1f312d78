// Reports: the figure is the sample report written in 0.3 s; the large one has 100 000 triangles and 10 000
// frames.
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include <prehend/report/test/sample_page.h>
#include <prehend/report/write_report.h>

namespace {

using namespace prehend::report;

void write(benchmark::State& state, const Page& page) {
  const std::string path = std::filesystem::temp_directory_path() / "prehend_report_bench.html";
  for (auto _ : state) write_report(page, path);
  state.counters["MB"] = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  std::filesystem::remove(path);
}

void BM_WriteSampleReport(benchmark::State& state) { write(state, sample_page()); }
BENCHMARK(BM_WriteSampleReport)->Unit(benchmark::kMillisecond);

void BM_WriteLargeReport(benchmark::State& state) { write(state, large_page(100000, 20, 10000)); }
BENCHMARK(BM_WriteLargeReport)->Unit(benchmark::kMillisecond);

}  // namespace
