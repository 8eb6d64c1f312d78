// Limits of walls and piles of many blocks: one question (prepared, and cold from the scene), a map of 1000 points, taking them
// apart, and the memory they take. The growth with the number of blocks is fitted by the library (Complexity).
#include <algorithm>
#include <chrono>
#include <ctime>

#include <benchmark/benchmark.h>
#include <generated/benchmark_scenes.h>
#include <sys/resource.h>

#include <prehend/geometry/sampling.h>
#include <prehend/math/random.h>
#include <prehend/stability/disassemble.h>
#include <prehend/stability/limit/limit_general.h>
#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/prestress.h>
#include <prehend/stability/robustness.h>

namespace {

using namespace prehend;
using namespace prehend::stability;

model::Scene make_scene(bool pile, int blocks) { return pile ? pile_scene(blocks) : wall_scene(blocks); }

std::vector<PointPush> surface_points(const model::Scene& scene, const ContactSystem& system, int count) {
  std::vector<PointPush> pushes;
  math::RandomStream random(1);
  for (int i = 0; i < count; ++i) {
    const NodeIndex node(static_cast<int>(random.below(static_cast<std::uint32_t>(system.bodies.size()))));
    const auto mesh = scene.mesh_W({system.bodies[node].body, model::GeomIndex(0)});
    const auto sample = geometry::sample_surface(mesh, 1, random).front();
    pushes.push_back({node, sample.point, -sample.normal});
  }
  return pushes;
}

Load load_of(const ContactSystem& system, const PointPush& push) {
  return {{push.body, system.force_wrench(push.d_W, push.p_W)}};
}

// Of the whole process so far; the largest scene decides.
double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void describe(benchmark::State& state, const ContactSystem& system) {
  state.counters["contacts"] = static_cast<double>(system.contacts.size());
  state.counters["peak_MB"] = peak_megabytes();
  state.SetComplexityN(state.range(0));
}

template <bool kPile>
void prepared_query(benchmark::State& state) {
  const model::Scene scene = make_scene(kPile, static_cast<int>(state.range(0)));
  const LimitAnalysis analysis(build_contact_system(scene), {.threads = 1});
  const auto pushes = surface_points(scene, analysis.system(), 64);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(analysis.ask(load_of(analysis.system(), pushes[next])));
    next = (next + 1) % pushes.size();
  }
  describe(state, analysis.system());
}

template <bool kPile>
void cold_query(benchmark::State& state) {
  const model::Scene scene = make_scene(kPile, static_cast<int>(state.range(0)));
  const auto pushes = surface_points(scene, build_contact_system(scene), 64);
  std::size_t next = 0;
  for (auto _ : state) {
    const LimitAnalysis analysis(build_contact_system(scene), {.threads = 1});
    benchmark::DoNotOptimize(analysis.ask(load_of(analysis.system(), pushes[next])));
    next = (next + 1) % pushes.size();
  }
  describe(state, build_contact_system(scene));
}

template <bool kPile>
void general_query(benchmark::State& state) {
  const model::Scene scene = make_scene(kPile, static_cast<int>(state.range(0)));
  const ContactSystem system = build_contact_system(scene);
  const ScaledSystem scaled = scale_system(system);
  const auto pushes = surface_points(scene, system, 64);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_limit(scaled, scaled.load(load_of(system, pushes[next]))));
    next = (next + 1) % pushes.size();
  }
  describe(state, system);
}

template <bool kPile>
void map_of_1000(benchmark::State& state) {
  const model::Scene scene = make_scene(kPile, static_cast<int>(state.range(0)));
  const auto pushes = surface_points(scene, build_contact_system(scene), 1000);
  double programs = 0.0;
  for (auto _ : state) {
    const LimitAnalysis analysis(build_contact_system(scene), {.threads = 0});
    benchmark::DoNotOptimize(analysis.map(pushes, 1e-3));
    programs = static_cast<double>(analysis.programs());
  }
  state.counters["programs"] = programs;
  describe(state, build_contact_system(scene));
}

// From the scene, contacts included, on one thread; to be at most 1 s for a wall of 100.
template <bool kPile>
void taken_apart(benchmark::State& state) {
  const model::Scene scene = make_scene(kPile, static_cast<int>(state.range(0)));
  std::size_t taken = 0;
  for (auto _ : state) taken = disassemble(scene).order.size();
  state.counters["taken"] = static_cast<double>(taken);
  describe(state, build_contact_system(scene));
}

// One push asked as a user does, by robustness() with its defaults: contacts, statics and what load-caused forces hold. Processor time, all
// threads; `median_ms`, `worst_ms`, and `late`: the share above 30 ms for 50 blocks and 200 ms for 200.
template <bool kPile>
void default_query(benchmark::State& state) {
  const model::Scene scene = make_scene(kPile, static_cast<int>(state.range(0)));
  const ContactSystem system = build_contact_system(scene);
  const auto points = surface_points(scene, system, 64);
  const double most = state.range(0) <= 50 ? 30.0 : 200.0;
  std::size_t next = 0;
  std::vector<double> times;
  for (auto _ : state) {
    const PointPush& point = points[next];
    next = (next + 1) % points.size();
    const Push push{system.bodies[point.body].body, point.p_W, point.d_W};
    const std::clock_t begin = std::clock();
    benchmark::DoNotOptimize(robustness(scene, {&push, 1}, {.check_points = false}));
    times.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  std::sort(times.begin(), times.end());
  state.counters["median_ms"] = times[times.size() / 2];
  state.counters["worst_ms"] = times.back();
  state.counters["late"] =
      static_cast<double>(times.end() - std::upper_bound(times.begin(), times.end(), most)) /
      static_cast<double>(times.size());
  describe(state, system);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What load-caused forces hold, beside the statics of the same push with its contacts: `of_query` is the median of their ratio, to be at
// most 3; `slow` is the share of pushes above that, `worst` the largest.
template <bool kPile>
void load_caused(benchmark::State& state) {
  const model::Scene scene = make_scene(kPile, static_cast<int>(state.range(0)));
  const auto pushes = surface_points(scene, build_contact_system(scene), 64);
  std::size_t next = 0;
  std::vector<double> ratios;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    const LimitAnalysis analysis(build_contact_system(scene), {.threads = 1});
    const Load load = load_of(analysis.system(), pushes[next]);
    const PushAnswer answer = analysis.ask(load);
    const double query = seconds_since(begin);
    const auto middle = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(
        load_caused_limit(analysis.system(), load, answer.unbounded ? answer.robustness : answer.lower));
    ratios.push_back(seconds_since(middle) / query);
    next = (next + 1) % pushes.size();
  }
  std::sort(ratios.begin(), ratios.end());
  state.counters["of_query"] = ratios[ratios.size() / 2];
  state.counters["worst"] = ratios.back();
  state.counters["slow"] =
      static_cast<double>(ratios.end() - std::upper_bound(ratios.begin(), ratios.end(), 3.0)) /
      static_cast<double>(ratios.size());
  describe(state, build_contact_system(scene));
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int blocks : {5, 10, 20, 50, 100}) bench->Arg(blocks);
  bench->Unit(benchmark::kMillisecond)->Complexity()->UseRealTime();
}

// Growth from 50 blocks on; 3 s on two cores are to do for a wall of 400.
void map_sizes(benchmark::internal::Benchmark* bench) {
  for (const int blocks : {50, 100, 200, 400}) bench->Arg(blocks);
  bench->Unit(benchmark::kMillisecond)->Complexity()->UseRealTime();
}

void larger(benchmark::internal::Benchmark* bench) {
  for (const int blocks : {50, 200}) bench->Arg(blocks);
  bench->Unit(benchmark::kMillisecond)->Iterations(64)->UseRealTime();
}

BENCHMARK(prepared_query<false>)->Name("wall/prepared_query")->Apply(sizes);
BENCHMARK(prepared_query<true>)->Name("pile/prepared_query")->Apply(sizes);
BENCHMARK(cold_query<false>)->Name("wall/cold_query")->Apply(sizes);
BENCHMARK(cold_query<true>)->Name("pile/cold_query")->Apply(sizes);
BENCHMARK(general_query<false>)->Name("wall/general_solver_query")->Apply(sizes);
BENCHMARK(general_query<true>)->Name("pile/general_solver_query")->Apply(sizes);
BENCHMARK(load_caused<false>)->Name("wall/query_with_load_caused")->Apply(larger);
BENCHMARK(load_caused<true>)->Name("pile/query_with_load_caused")->Apply(larger);
BENCHMARK(default_query<false>)->Name("wall/default_query")->Apply(larger);
BENCHMARK(default_query<true>)->Name("pile/default_query")->Apply(larger);
BENCHMARK(map_of_1000<false>)->Name("wall/map_1000_points")->Apply(sizes);
BENCHMARK(map_of_1000<true>)->Name("pile/map_1000_points")->Apply(sizes);
BENCHMARK(map_of_1000<false>)->Name("wall/map_1000_points_large")->Apply(map_sizes);
BENCHMARK(map_of_1000<true>)->Name("pile/map_1000_points_large")->Apply(map_sizes);
BENCHMARK(taken_apart<false>)->Name("wall/disassemble")->Apply(sizes);
BENCHMARK(taken_apart<true>)->Name("pile/disassemble")->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
