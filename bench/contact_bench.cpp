// Contact interfaces of piles of boxes (aim: 50 boxes in at most 5 ms), of balls in a bowl, and the polyhedra
// behind them.
#include <cmath>
#include <numbers>

#include <benchmark/benchmark.h>

#include <prehend/geometry/contact.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>

namespace {

using Eigen::Vector3d;
using namespace prehend;

// Layers of boxes turned about the vertical, each resting on the ones below, on a floor: every box touches
// several others.
struct Pile {
  std::vector<geometry::Polyhedron> shapes;
  std::vector<geometry::PosedPolyhedron> posed;
  explicit Pile(int boxes) {
    math::RandomStream random(7);
    shapes.push_back(geometry::Polyhedron::from_mesh(geometry::make_box({10, 10, 0.1})));
    shapes.push_back(geometry::Polyhedron::from_mesh(geometry::make_box({0.2, 0.2, 0.1})));
    posed.push_back({&shapes[0], math::Pose::translation({0, 0, -0.05}), geometry::ContactBodyIndex(0)});
    const int side = std::max(2, static_cast<int>(std::cbrt(boxes) + 0.5));
    for (int i = 0; i < boxes; ++i) {
      const int layer = i / (side * side), x = i % side, y = (i / side) % side;
      const double shift = layer % 2 == 0 ? 0.0 : 0.125;
      const Eigen::Quaterniond q(Eigen::AngleAxisd(random.uniform(-0.2, 0.2), Vector3d::UnitZ()));
      posed.push_back({&shapes[1], math::Pose(q, {0.25 * x + shift, 0.25 * y + shift, 0.05 + 0.1 * layer}),
                       geometry::ContactBodyIndex(i + 1)});
    }
  }
};

void contacts_of_pile(benchmark::State& state) {
  const Pile pile(static_cast<int>(state.range(0)));
  geometry::ContactOptions options;
  options.threads = static_cast<int>(state.range(1));
  std::size_t interfaces = 0;
  for (auto _ : state) interfaces = geometry::find_contacts(pile.posed, options).interfaces.size();
  state.counters["interfaces"] = static_cast<double>(interfaces);
}
BENCHMARK(contacts_of_pile)->Args({50, 1})->Args({200, 1})->Args({200, 2})->Unit(benchmark::kMillisecond);

// A wall in stack bond: sides flush, edges shared by four.
void contacts_of_wall(benchmark::State& state) {
  const geometry::Polyhedron box = geometry::Polyhedron::from_mesh(geometry::make_box({0.2, 0.1, 0.1}));
  std::vector<geometry::PosedPolyhedron> posed;
  for (int i = 0; i < state.range(0); ++i) {
    posed.push_back({&box, math::Pose::translation({0.2 * (i % 10), 0.0, 0.1 * (i / 10)}),
                     geometry::ContactBodyIndex(i)});
  }
  std::size_t interfaces = 0;
  for (auto _ : state) interfaces = geometry::find_contacts(posed).interfaces.size();
  state.counters["interfaces"] = static_cast<double>(interfaces);
}
BENCHMARK(contacts_of_wall)->Arg(50)->Arg(200)->Unit(benchmark::kMillisecond);

// Two fine balls that touch: 20 480 faces each, a handful of which are near.
void contacts_of_fine_balls(benchmark::State& state) {
  const geometry::Polyhedron ball = geometry::Polyhedron::from_mesh(geometry::make_icosphere(0.1, 5));
  const Eigen::Quaterniond q(Eigen::AngleAxisd(0.3, Vector3d(1, 2, 3).normalized()));
  const std::vector<geometry::PosedPolyhedron> posed{
      {&ball, math::Pose(), geometry::ContactBodyIndex(0)},
      {&ball, math::Pose(q, {0.0, 0.03, std::sqrt(0.04 - 0.0009) - 1e-5}), geometry::ContactBodyIndex(1)}};
  std::size_t interfaces = 0;
  for (auto _ : state) interfaces = geometry::find_contacts(posed).interfaces.size();
  state.counters["interfaces"] = static_cast<double>(interfaces);
}
BENCHMARK(contacts_of_fine_balls)->Unit(benchmark::kMillisecond);

// Two discs of 1000 sides, cap on cap, a little turned: faces with many edges.
void contacts_of_discs(benchmark::State& state) {
  const geometry::Polyhedron disc = geometry::Polyhedron::from_mesh(geometry::make_cylinder(0.1, 0.02, 1000));
  const Eigen::Quaterniond q(Eigen::AngleAxisd(0.3, Vector3d::UnitZ()));
  const std::vector<geometry::PosedPolyhedron> posed{
      {&disc, math::Pose(), geometry::ContactBodyIndex(0)},
      {&disc, math::Pose(q, {0.03, 0, 0.02}), geometry::ContactBodyIndex(1)}};
  std::size_t interfaces = 0;
  for (auto _ : state) interfaces = geometry::find_contacts(posed).interfaces.size();
  state.counters["interfaces"] = static_cast<double>(interfaces);
}
BENCHMARK(contacts_of_discs)->Unit(benchmark::kMillisecond);

void polyhedron_from_box(benchmark::State& state) {
  const geometry::TriangleMesh mesh = geometry::make_box({1, 1, 1});
  for (auto _ : state) benchmark::DoNotOptimize(geometry::Polyhedron::from_mesh(mesh));
}
BENCHMARK(polyhedron_from_box)->Unit(benchmark::kMicrosecond);

void polyhedron_from_ball(benchmark::State& state) {
  const geometry::TriangleMesh mesh = geometry::make_icosphere(1.0, static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(geometry::Polyhedron::from_mesh(mesh));
  state.counters["triangles"] = static_cast<double>(mesh.triangles.size());
}
BENCHMARK(polyhedron_from_ball)->Arg(3)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
