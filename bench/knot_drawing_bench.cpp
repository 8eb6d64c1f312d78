// P-data to a drawing: the figure is 30 crossings in 20 ms.
#include <benchmark/benchmark.h>

#include <prehend/knot/drawing.h>
#include <prehend/knot/test/random_drawing.h>

namespace {

void BM_Draw(benchmark::State& state) {
  std::vector<prehend::knot::PData> codes;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    prehend::knot::RandomDrawing random(seed);
    random.grow(static_cast<int>(state.range(0)));
    codes.push_back(random.data());
  }
  std::size_t i = 0;
  double least = 1;
  for (auto _ : state) {
    const prehend::knot::Drawing drawing = prehend::knot::draw(codes[i]);
    least = std::min(least, drawing.least_crossing_distance);
    i = (i + 1) % codes.size();
  }
  state.counters["least_crossing_distance"] = least;
}
BENCHMARK(BM_Draw)->Arg(3)->Arg(10)->Arg(30)->Arg(60)->Unit(benchmark::kMillisecond);

}  // namespace
