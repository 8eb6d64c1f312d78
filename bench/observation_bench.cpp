// Observation. Wanted: the freedom of 20 contact points in 1 ms, contacts of two polyhedra of 50 faces in 1 ms, 1000 frames of a peg in 5 s; of 10
// curved contacts, the verdict on a screw in 100 us and the forms in 1 ms.
#include <vector>

#include <benchmark/benchmark.h>

#include <prehend/math/random.h>
#include <prehend/geometry/primitives.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/second_order.h>
#include <prehend/observation/simulated/demonstrations.h>
#include <prehend/observation/watch.h>

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

// A block held on five of its sides, each by its four corners: equations among the planes, which a block in a corner has none of.
void BM_FreedomOfAHeldBlock(benchmark::State& state) {
  ContactRelation relation;
  for (int side = 0; side < 5; ++side) {
    const int axis = side / 2;
    const double sign = side % 2 == 0 ? -1.0 : 1.0;
    Contact contact{"face-face", {}, {-sign * Eigen::Vector3d::Unit(axis)}};
    for (const double u : {-0.05, 0.05}) {
      for (const double v : {-0.05, 0.05}) {
        Eigen::Vector3d p = 0.05 * sign * Eigen::Vector3d::Unit(axis);
        p[(axis + 1) % 3] = u;
        p[(axis + 2) % 3] = v;
        contact.points_W.push_back(p);
      }
    }
    relation.contacts.push_back(contact);
  }
  for (auto _ : state) benchmark::DoNotOptimize(motion_freedom(relation));
}
BENCHMARK(BM_FreedomOfAHeldBlock)->Unit(benchmark::kMicrosecond);

// Ten balls around a ball, or in one plane of it: all rotations are kept to first order, so that every contact is closed and the rows depend on
// each other in many ways.
ContactRelation ten_balls(std::uint64_t seed, bool in_a_plane) {
  prehend::math::RandomStream random(seed);
  ContactRelation relation;
  for (int i = 0; i < 10; ++i) {
    Eigen::Vector3d n = random.unit_vector();
    if (in_a_plane) n = Eigen::Vector3d(n.x(), n.y(), 0.0).normalized();
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - n * n.transpose();
    Contact contact{"face-face", {-n}, {n}};
    const double body = random.uniform(0.5, 2.0), finger = random.uniform(0.5, 2.0);
    contact.moving.face_curvature_W = body * across;
    contact.fixed.face_curvature_W = finger * across;
    relation.contacts.push_back(contact);
  }
  return relation;
}

void BM_SecondOrderVerdict(benchmark::State& state) {
  std::vector<SecondOrderContacts> contacts;
  for (std::uint64_t seed = 0; seed < 16; ++seed) contacts.emplace_back(ten_balls(seed, false));
  prehend::math::RandomStream random(1);
  std::vector<prehend::math::Vector6d> screws(64, prehend::math::Vector6d::Zero());
  for (prehend::math::Vector6d& screw : screws) screw.head<3>() = random.normal3();
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(contacts[next % contacts.size()].judge(screws[next % screws.size()]));
    ++next;
  }
}
BENCHMARK(BM_SecondOrderVerdict)->Unit(benchmark::kMicrosecond);

void BM_SecondOrderForms(benchmark::State& state) {
  std::vector<SecondOrderContacts> contacts;
  for (std::uint64_t seed = 0; seed < 16; ++seed) contacts.emplace_back(ten_balls(seed, state.range(0) != 0));
  std::size_t next = 0;
  for (auto _ : state) {
    SecondOrderFreedom freedom;
    contacts[next++ % contacts.size()].describe(freedom);
    benchmark::DoNotOptimize(freedom);
  }
}
BENCHMARK(BM_SecondOrderForms)->Arg(0)->Arg(1)->ArgName("in_a_plane")->Unit(benchmark::kMicrosecond);

// Two prisms of 48 sides, one on the other.
void BM_ContactsOfPolyhedra(benchmark::State& state) {
  const auto body = prehend::geometry::Polyhedron::from_mesh(prehend::geometry::make_cylinder(0.05, 0.1, 48));
  const prehend::math::Pose X = prehend::math::Pose::translation({0.02, 0.01, 0.1});
  for (auto _ : state) benchmark::DoNotOptimize(find_contacts(body, X, body, prehend::math::Pose()));
}
BENCHMARK(BM_ContactsOfPolyhedra)->Unit(benchmark::kMicrosecond);

void BM_WatchAPeg(benchmark::State& state) {
  const Demonstration demo = demonstrate(DemonstrationKind::peg, 1, static_cast<int>(state.range(0)) / 12);
  const BodyPair pair(prehend::geometry::Polyhedron::from_mesh(demo.moving), prehend::geometry::Polyhedron::from_mesh(demo.fixed));
  const Recording recording = seen(demo, {1e-3, 0.0087}, 1);
  for (auto _ : state) benchmark::DoNotOptimize(watch(pair, recording));
  state.counters["frames"] = static_cast<double>(recording.t_s.size());
}
BENCHMARK(BM_WatchAPeg)->Arg(1000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
