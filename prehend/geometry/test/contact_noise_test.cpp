// Poses known to a fraction of the tolerance must not change what touches what; garbage must not bring the
// search down.
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/geometry/test/contact_scenes.h>

namespace prehend::geometry {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using math::Pose;

// Every body shifted by up to `shift` [m] and turned so that a point at 1 m moves by as much.
ContactResult jittered(const Scene& scene, double shift, std::uint64_t seed) {
  Scene noisy = scene;
  for (std::size_t i = 0; i < noisy.poses.size(); ++i) {
    math::RandomStream random(seed, i);
    const Quaterniond turn(Eigen::AngleAxisd(shift * random.uniform(-1, 1), random.unit_vector()));
    noisy.poses[i] = Pose(turn, shift * random.uniform() * random.unit_vector()) * noisy.poses[i];
  }
  return noisy.contacts();
}

void expect_steady(const Scene& scene, double shift) {
  const ContactResult exact = scene.contacts();
  for (int trial = 0; trial < 40; ++trial) {
    const ContactResult noisy = jittered(scene, shift, 100 + trial);
    EXPECT_TRUE(noisy.penetrations.empty()) << noisy.brief_report();
    ASSERT_EQ(noisy.interfaces.size(), exact.interfaces.size()) << trial;
    std::vector<char> used(noisy.interfaces.size(), 0);
    for (const ContactInterface& wanted : exact.interfaces) {
      bool found = false;
      for (std::size_t i = 0; i < noisy.interfaces.size() && !found; ++i) {
        const ContactInterface& here = noisy.interfaces[i];
        found = !used[i] && here.body_a == wanted.body_a && here.body_b == wanted.body_b &&
                here.kind == wanted.kind && (here.n_W - wanted.n_W).norm() < 1e-3 &&
                std::abs(here.area_m2 - wanted.area_m2) < 20.0 * shift;
        if (found) used[i] = 1;
      }
      EXPECT_TRUE(found) << "trial " << trial << ", bodies " << wanted.body_a.value() << " "
                         << wanted.body_b.value() << ", n " << wanted.n_W.transpose();
    }
  }
}

TEST(ContactUnderNoise, WallOfBoxes) {
  Scene scene;
  for (int x = 0; x < 3; ++x) {
    for (int z = 0; z < 3; ++z)
      scene.add(make_box({0.2, 0.1, 0.1}), Pose::translation({0.2 * x, 0, 0.1 * z}));
  }
  scene.add(box_at({-2, -2, -0.15}, {2, 2, -0.05}));
  expect_steady(scene, 2e-5);
}

TEST(ContactUnderNoise, PegInAHole) {
  Scene scene;
  scene.add(grid_solid({0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2},
                       [](int i, int j, int k) { return k == 0 || i != 1 || j != 1; }));
  scene.add(box_at({1, 1, 1}, {2, 2, 4}));
  expect_steady(scene, 5e-6);
}

TEST(ContactUnderNoise, PyramidOfBallsOnATable) {
  Scene scene;
  const double r = 0.1, s = 2.0 * r / std::sqrt(3.0);
  scene.add(box_at({-1, -1, -1}, {1, 1, -r}));
  math::RandomStream random(5);
  for (int i = 0; i < 3; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 3.0;
    scene.add(make_icosphere(r, 4), Pose(random.rotation(), {s * std::cos(angle), s * std::sin(angle), 0}));
  }
  scene.add(make_icosphere(r, 4), Pose(random.rotation(), {0, 0, std::sqrt(4.0 * r * r - s * s)}));
  scene.options.gap_tolerance =
      2.0 * sphere_deviation(r, 4);  // facets stand back from the sphere by up to that
  for (int trial = 0; trial < 20; ++trial) {
    const ContactResult result = jittered(scene, 1e-6, trial);
    std::set<std::pair<int, int>> touching;
    for (const ContactInterface& interface : result.interfaces)
      touching.insert({interface.body_a.value(), interface.body_b.value()});
    // Three on the table, the three with each other, the one on top with the three.
    EXPECT_EQ(touching.size(), 9u) << result.brief_report();
    EXPECT_TRUE(result.penetrations.empty());
  }
}

TEST(ContactUnderNoise, GarbageMeshesDoNoHarm) {
  const int trials = prehend::test::sweep_size(600, 2000);
  for (int trial = 0; trial < trials; ++trial) {
    math::RandomStream random(61, trial);
    Scene scene;
    for (int body = 0; body < 3; ++body) {
      TriangleMesh soup;  // few vertices, so duplicates, folds, fans and crowded edges abound
      const int vertices = 3 + static_cast<int>(random.below(12)),
                triangles = static_cast<int>(random.below(40));
      for (int i = 0; i < vertices; ++i) {
        // On a coarse grid many points are collinear or in one plane.
        soup.vertices.emplace_back(random.below(3), random.below(3), random.below(2));
        if (trial % 2 == 0) soup.vertices.back() += 1e-6 * random.normal3();
      }
      for (int i = 0; i < triangles; ++i) {
        soup.triangles.emplace_back(random.below(vertices), random.below(vertices), random.below(vertices));
      }
      scene.add(soup, trial % 3 == 0 ? Pose(random.rotation(), random.normal3()) : Pose());
    }
    const ContactResult result = scene.contacts();
    for (const ContactInterface& interface : result.interfaces) {
      EXPECT_TRUE(interface.n_W.allFinite());
      EXPECT_NEAR(interface.n_W.norm(), 1.0, 1e-9);
      EXPECT_GE(interface.area_m2, 0.0);
      EXPECT_FALSE(interface.points_W.empty());
      for (const Vector3d& p : interface.points_W) EXPECT_TRUE(p.allFinite());
    }
  }
}

}  // namespace
}  // namespace prehend::geometry
