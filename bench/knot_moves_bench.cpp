// Recognition of one transition, the moves of a state, and plans, by the number of crossings.
#include <algorithm>

#include <benchmark/benchmark.h>

#include <prehend/knot/named_knots.h>
#include <prehend/knot/plan.h>
#include <prehend/knot/recognition.h>
#include <prehend/math/random.h>

namespace prehend::knot {
namespace {

// A transition to a state with at least `crossings` crossings; `kind` is its last move.
std::pair<PData, PData> transition(int crossings, MoveKind kind, std::uint64_t seed) {
  math::RandomStream random(21, seed);
  PData state;
  for (;;) {
    std::vector<Move> moves = kind == MoveKind::r3 && state.crossings() >= crossings
                                  ? sliding_moves(Diagram(state))
                                  : adding_moves(Diagram(state));
    std::vector<Move> wanted;
    const bool last = state.crossings() >= crossings - (kind == MoveKind::r2   ? 2
                                                        : kind == MoveKind::r3 ? 0
                                                                               : 1);
    if (last) {
      std::copy_if(moves.begin(), moves.end(), std::back_inserter(wanted),
                   [kind](const Move& move) { return move.kind == kind; });
      if (!wanted.empty()) {
        return {state, apply_listed(state, wanted[random.below(static_cast<std::uint32_t>(wanted.size()))])};
      }
    }
    const std::vector<Move> grow = adding_moves(Diagram(state));
    state = apply_listed(state, grow[random.below(static_cast<std::uint32_t>(grow.size()))]);
  }
}

void recognition(benchmark::State& state, MoveKind kind) {
  std::vector<std::pair<PData, PData>> cases;
  for (std::uint64_t seed = 0; seed < 32; ++seed)
    cases.push_back(transition(static_cast<int>(state.range(0)), kind, seed));
  std::size_t at = 0;
  for (auto _ : state) {
    const auto& [before, after] = cases[at++ % cases.size()];
    benchmark::DoNotOptimize(candidates(before, after));
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(recognition, R1, MoveKind::r1)->Arg(30)->Arg(60)->Arg(120)->Arg(240)->Complexity();
BENCHMARK_CAPTURE(recognition, R2, MoveKind::r2)->Arg(30)->Arg(60)->Arg(120)->Arg(240)->Complexity();
BENCHMARK_CAPTURE(recognition, R3, MoveKind::r3)->Arg(30)->Arg(60)->Arg(120)->Arg(240)->Complexity();
BENCHMARK_CAPTURE(recognition, cross, MoveKind::cross)->Arg(30)->Arg(60)->Arg(120)->Arg(240)->Complexity();

// The worst case for comparing: a rope of equal loops, where every loop may be the new one.
void recognition_of_equal_loops(benchmark::State& state) {
  const auto loops = [](int count) {
    PData data;
    for (int k = 0; k < count; ++k) {
      data.sigma.insert(data.sigma.end(), {2 * k + 2, 2 * k + 1});
      data.attr.insert(data.attr.end(), {1, 2});
    }
    return data;
  };
  const PData before = loops(static_cast<int>(state.range(0)) - 1),
              after = loops(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(candidates(before, after));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(recognition_of_equal_loops)->Arg(30)->Arg(60)->Arg(120)->Arg(240)->Complexity();

void all_moves_of_a_state(benchmark::State& state) {
  const PData data = transition(static_cast<int>(state.range(0)), MoveKind::r1, 1).second;
  for (auto _ : state) benchmark::DoNotOptimize(all_moves(data));
}
BENCHMARK(all_moves_of_a_state)->Arg(10)->Arg(30);

void plan_of_a_named_knot(benchmark::State& state) {
  const NamedKnot& knot = named_knots()[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(knot.name);
  for (auto _ : state) benchmark::DoNotOptimize(plan_knot(knot.p_data));
}
BENCHMARK(plan_of_a_named_knot)->DenseRange(0, 7)->Unit(benchmark::kMicrosecond);

// Random drawings, which are seldom knots that anybody ties.
void plan_of_a_random_state(benchmark::State& state) {
  std::uint64_t seed = 0;
  int proven = 0, plans = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const PData wanted = transition(static_cast<int>(state.range(0)), MoveKind::cross, seed++ % 16).second;
    state.ResumeTiming();
    proven += plan_knot(wanted).proven_shortest ? 1 : 0;
    ++plans;
  }
  state.counters["proven"] = static_cast<double>(proven) / plans;
}
BENCHMARK(plan_of_a_random_state)
    ->Arg(5)
    ->Arg(10)
    ->Arg(15)
    ->Arg(30)
    ->Iterations(16)
    ->Unit(benchmark::kMillisecond);

// Two random states of about as many crossings: what an unrelated pair costs until it is given up.
void unrelated_states(benchmark::State& state) {
  std::uint64_t seed = 0;
  int found = 0, none = 0, asked = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const auto crossings = static_cast<int>(state.range(0));
    const PData a = transition(crossings, MoveKind::cross, seed++).second;
    const PData b = transition(crossings, MoveKind::cross, seed++).second;
    state.ResumeTiming();
    const Recognition result = recognise(std::vector<PData>{a, b});
    found += result.status == SearchStatus::ok ? 1 : 0;
    none += result.status == SearchStatus::not_found ? 1 : 0;
    ++asked;
  }
  state.counters["found"] = static_cast<double>(found) / asked;
  state.counters["proven_none"] = static_cast<double>(none) / asked;
}
BENCHMARK(unrelated_states)->Arg(5)->Arg(10)->Iterations(16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace prehend::knot
