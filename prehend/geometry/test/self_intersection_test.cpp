#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/geometry/surface/self_intersection.h>
#include <prehend/geometry/surface/triangle_overlap.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// All pairs without a hierarchy; meshes here share no vertices between crossing triangles.
std::vector<std::array<int, 2>> brute_force(const TriangleMesh& mesh) {
  std::vector<std::array<int, 2>> pairs;
  const auto corners = [&](int t) {
    const auto& v = mesh.triangles[t];
    return TriangleCorners{{&mesh.vertices[v[0]], &mesh.vertices[v[1]], &mesh.vertices[v[2]]}};
  };
  for (int s = 0; s < static_cast<int>(mesh.triangles.size()); ++s) {
    for (int t = s + 1; t < static_cast<int>(mesh.triangles.size()); ++t) {
      std::set<int> shared;
      for (int k = 0; k < 9; ++k) {
        if (mesh.triangles[s][k / 3] == mesh.triangles[t][k % 3]) shared.insert(mesh.triangles[s][k / 3]);
      }
      if (shared.empty() && triangles_meet(corners(s), corners(t))) pairs.push_back({s, t});
    }
  }
  return pairs;
}

TEST(SelfIntersection, TheHierarchyMissesNothing) {
  math::RandomStream random(6);
  for (int round = 0; round < 5; ++round) {
    const math::Pose X(random.rotation(), 0.3 * random.unit_vector());
    const TriangleMesh mesh = merged(make_icosphere(1.0, 2), transformed(make_torus(0.8, 0.3, 16, 10), X));
    const SelfIntersections found = find_self_intersections(mesh);
    EXPECT_TRUE(found.is_complete);
    EXPECT_EQ(found.pairs, brute_force(mesh));
    EXPECT_GT(found.pairs.size(), 20u);
  }
}

TEST(SelfIntersection, SelfCrossingSurfaceWithSharedVertices) {
  // A sphere with one vertex pulled through the opposite side.
  TriangleMesh mesh = make_icosphere(1.0, 2);
  EXPECT_TRUE(find_self_intersections(mesh).pairs.empty());
  mesh.vertices[0] *= -1.5;
  EXPECT_GT(find_self_intersections(mesh).pairs.size(), 4u);
}

TEST(SelfIntersection, FoldedNeighbourIsFound) {
  const TriangleMesh folded{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0.25, 0}}, {{0, 1, 2}, {1, 0, 3}}};
  const SelfIntersections found = find_self_intersections(folded);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0], (std::array<int, 2>{0, 1}));
}

TEST(SelfIntersection, SheetsTooCloseForPlainArithmeticEndInBoundedTime) {
  // A thousand tilted sheets, each a few units in the last place above the other: every pair needs exact
  // arithmetic.
  TriangleMesh mesh;
  for (int i = 0; i < 1000; ++i) {
    const double z = 1.0 + i * 0x1p-51;
    mesh.vertices.insert(mesh.vertices.end(), {{0, 0, z}, {1, 0, z + 0.25}, {0, 1, z + 0.125}});
    mesh.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
  }
  const SelfIntersections all = find_self_intersections(mesh);
  EXPECT_TRUE(all.is_complete);
  EXPECT_TRUE(all.pairs.empty());
  const SelfIntersections some = find_self_intersections(mesh, {.max_tests = 100000});
  EXPECT_FALSE(some.is_complete);
  EXPECT_LE(some.tests, 1001);
}

TEST(SelfIntersection, BoundsAreKeptAndSaid) {
  const TriangleMesh mesh =
      merged(make_icosphere(1.0, 2), transformed(make_torus(0.8, 0.3, 16, 10), math::Pose()));
  const SelfIntersections few = find_self_intersections(mesh, {.max_pairs = 3});
  EXPECT_EQ(few.pairs.size(), 3u);
  EXPECT_FALSE(few.is_complete);
  EXPECT_FALSE(find_self_intersections(mesh, {.max_tests = 10}).is_complete);
  EXPECT_THROW(find_self_intersections(mesh, {.max_pairs = 0}), std::invalid_argument);
  EXPECT_THROW(find_self_intersections(mesh, {.max_tests = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::geometry
