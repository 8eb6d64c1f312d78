// Observation. Wanted: the freedom of 20 contact points in 1 ms.
#include <vector>

#include <benchmark/benchmark.h>

#include <prehend/math/random.h>
#include <prehend/observation/motion_freedom.h>

namespace {

using namespace prehend::observation;

// Corners of faces, as a block has them in a corner, shifted and turned at random: dependent rows are the rule.
ContactRelation block_in_a_corner(int points, std::uint64_t seed) {
  prehend::math::RandomStream random(seed);
  const Eigen::Quaterniond q = random.rotation();
  const Eigen::Vector3d shift = random.normal3();
  ContactRelation relation;
  for (int i = 0; i < points; ++i) {
    const int axis = i % 3;
    Eigen::Vector3d p = random.normal3().cwiseAbs(), n = Eigen::Vector3d::Unit(axis);
    p[axis] = 0.0;
    relation.contacts.push_back({"vertex-face", {q * p + shift}, {q * n}});
  }
  return relation;
}

void BM_FreedomOfPoints(benchmark::State& state) {
  std::vector<ContactRelation> relations;
  for (std::uint64_t seed = 0; seed < 16; ++seed)
    relations.push_back(block_in_a_corner(static_cast<int>(state.range(0)), seed));
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(motion_freedom(relations[next++ % relations.size()]));
}
BENCHMARK(BM_FreedomOfPoints)->Arg(4)->Arg(20)->Unit(benchmark::kMicrosecond);

}  // namespace
