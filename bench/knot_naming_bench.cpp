// What naming a knot costs: each invariant and the whole, for random ropes and for wide woven diagrams, by crossings.
#include <benchmark/benchmark.h>

#include <prehend/knot/invariants/alexander.h>
#include <prehend/knot/invariants/jones.h>
#include <prehend/knot/invariants/knot_table.h>
#include <prehend/knot/invariants/signature.h>
#include <prehend/knot/naming.h>
#include <prehend/knot/test/random_diagrams.h>

namespace {

using namespace prehend;
using namespace prehend::knot;

// A random closed rope with this many crossings.
ClosedDiagram random_knot(int crossings) {
  for (std::uint64_t task = 0;; ++task) {
    math::RandomStream random(1, task);
    ClosedDiagram diagram =
        closed_over(knot::testing::random_rope(random, crossings - static_cast<int>(task % 4)));
    if (diagram.crossings() == crossings) return diagram;
  }
}

// An alternating weave of `strands` strands, closed: nothing in it reduces, and its frontier is wide.
ClosedDiagram weave(int strands, int rounds) {
  std::vector<int> word;
  for (int k = 0; k < rounds; ++k) {
    for (int i = 1; i < strands; ++i) word.push_back(i % 2 == 1 ? i : -i);
  }
  return knot::testing::closed_braid(word);
}

void random_invariants(benchmark::State& state) {
  const ClosedDiagram diagram = random_knot(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(invariants(diagram));
}
BENCHMARK(random_invariants)->Arg(10)->Arg(30)->Arg(60)->Arg(100)->Unit(benchmark::kMillisecond);

void weave_invariants(benchmark::State& state) {
  const ClosedDiagram diagram = weave(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(invariants(diagram));
  state.counters["crossings"] = diagram.crossings();
}
BENCHMARK(weave_invariants)
    ->Args({3, 16})
    ->Args({6, 7})
    ->Args({7, 5})
    ->Args({9, 8})
    ->Unit(benchmark::kMillisecond);

void weave_alexander(benchmark::State& state) {
  const ClosedDiagram diagram = weave(6, 7);
  for (auto _ : state) benchmark::DoNotOptimize(alexander_polynomial(diagram));
}
BENCHMARK(weave_alexander)->Unit(benchmark::kMillisecond);

void weave_jones(benchmark::State& state) {
  const ClosedDiagram diagram = weave(6, 7);
  for (auto _ : state) benchmark::DoNotOptimize(jones_polynomial(diagram));
}
BENCHMARK(weave_jones)->Unit(benchmark::kMillisecond);

void weave_signature(benchmark::State& state) {
  const ClosedDiagram diagram = weave(6, 7);
  for (auto _ : state) benchmark::DoNotOptimize(signature(diagram));
}
BENCHMARK(weave_signature)->Unit(benchmark::kMillisecond);

void random_name(benchmark::State& state) {
  knot_table();
  std::vector<ClosedDiagram> diagrams;
  for (std::uint64_t task = 0; task < 20; ++task) {
    math::RandomStream random(2, task);
    diagrams.push_back(closed_over(knot::testing::random_rope(random, static_cast<int>(state.range(0)))));
  }
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(name_closed(diagrams[next++ % diagrams.size()]));
}
BENCHMARK(random_name)->Arg(10)->Arg(30)->Arg(60)->Arg(100)->Unit(benchmark::kMillisecond);

// What the first call in a process computes once.
void table(benchmark::State& state) {
  std::vector<ClosedDiagram> diagrams;
  for (const TableKnot& knot : knot_table()) diagrams.push_back(knot.diagram);
  for (auto _ : state) {
    for (const ClosedDiagram& diagram : diagrams) benchmark::DoNotOptimize(invariants(diagram));
  }
}
BENCHMARK(table)->Unit(benchmark::kMillisecond);

}  // namespace
