#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/geometry/hull.h>
#include <prehend/geometry/proximity.h>
#include <prehend/math/random.h>
#include <prehend/placement/search/free_translations.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

std::vector<Vector3d> random_points(math::RandomStream& random, int count, double size) {
  std::vector<Vector3d> points;
  for (int i = 0; i < count; ++i) points.push_back(size * random.normal3());
  return points;
}

// Slices of Minkowski differences against the distance of the meshes, by another room.
TEST(FreeTranslations, AgreeWithTheDistanceOfTheBodies) {
  SupportPlane level;
  int inside = 0, outside = 0;
  for (int trial = 0; trial < 40; ++trial) {
    math::RandomStream random(5, static_cast<std::uint64_t>(trial));
    ConvexPart P = hull_part(random_points(random, 12, 0.1)), Q = hull_part(random_points(random, 10, 0.08));
    FreeTranslations free;
    free.exclude(plane_part(P, level), plane_part(Q, level), 0.0);
    const auto mesh_of = [](const ConvexPart& part) {
      geometry::TriangleMesh mesh;
      mesh.vertices = part.points;
      return mesh;
    };
    const geometry::ProximityShape scene(geometry::convex_hull(mesh_of(P).vertices).mesh), object(geometry::convex_hull(mesh_of(Q).vertices).mesh);
    for (int k = 0; k < 40; ++k) {
      const double x = random.uniform(-0.4, 0.4);
      const double y = random.uniform(-0.4, 0.4);
      const double apart =
          geometry::proximity(scene, math::Pose(), object, math::Pose::translation({x, y, 0})).distance;
      if (std::abs(apart) < 1e-7) continue;
      EXPECT_EQ(free.is_free({x, y}), apart > 0.0) << trial << " " << x << " " << y << " " << apart;
      ++(apart > 0.0 ? outside : inside);
    }
  }
  EXPECT_GT(inside, 200);
  EXPECT_GT(outside, 200);
}

TEST(FreeTranslations, ANarrowGapIsFound) {
  SupportPlane level;
  const auto box = [](double x, double width) {
    return hull_part(geometry::transformed(geometry::make_box({width, 0.2, 0.2}), math::Pose::translation({x, 0, 0.1})).vertices);
  };
  const ConvexPart left = box(-0.2, 0.2), right = box(0.203, 0.2), own = box(0.0, 0.2);
  FreeTranslations free;  // 0.203 between the walls for an object of 0.2
  free.exclude(plane_part(left, level), plane_part(own, level), 0.0);
  free.exclude(plane_part(right, level), plane_part(own, level), 0.0);
  free.bound({0, 1}, 0.05);
  free.bound({0, -1}, 0.05);
  EXPECT_FALSE(free.is_free({-0.01, 0}));
  const std::vector<Vector2d> found = free.near({{0.05, 0.0}}, true);
  ASSERT_FALSE(found.empty());
  const Vector2d eased = free.eased(found.front(), 0.01);
  EXPECT_GT(eased.x(), 0.0005);
  EXPECT_LT(eased.x(), 0.0025);
}

TEST(PlanePolygons, SumsAndClips) {
  const Corners2 square{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, triangle{{0, 0}, {1, 0}, {0, 1}};
  EXPECT_NEAR(area2(sum2(square, triangle)), 1.0 + 0.5 + 2.0, 1e-12);  // areas, and mixed: (1 + 1) widths along the two sides
  EXPECT_NEAR(area2(clip2(square, triangle)), 0.5, 1e-12);
  EXPECT_NEAR(depth2(square, {0.5, 0.25}), 0.25, 1e-12);
  EXPECT_LT(depth2(square, {1.5, 0.5}), 0.0);
  EXPECT_NEAR(area2(grown2(square, 0.1)), 1.44, 1e-12);
}

// Ends of free stretches against the test of single points, a little inside and a little beyond them.
TEST(FreeTranslations, StretchesOfALineAreThoseOfItsPoints) {
  SupportPlane level;
  int ends = 0;
  for (int trial = 0; trial < 600; ++trial) {
    math::RandomStream random(6, static_cast<std::uint64_t>(trial));
    FreeTranslations free;
    const ConvexPart own = hull_part(random_points(random, 10, 0.05));
    for (int k = 0; k < 4; ++k) {
      std::vector<Vector3d> points = random_points(random, 10, 0.05);
      const Vector3d middle(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.0);
      for (Vector3d& p : points) p += middle;
      free.exclude(plane_part(hull_part(points), level), plane_part(own, level), 0.0);
    }
    const double angle = random.uniform(0.0, 6.0);
    const Vector2d along(std::cos(angle), std::sin(angle)), t0(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2));
    double covered = -1.0;
    for (const auto& [low, high] : free.stretches(t0, along, -1.0, 1.0)) {
      EXPECT_LE(covered, low);
      covered = high;
      if (high - low > 1e-6) EXPECT_TRUE(free.is_free(t0 + 0.5 * (low + high) * along));
      EXPECT_TRUE(free.is_free(t0 + low * along) && free.is_free(t0 + high * along)) << trial;
      if (low > -1.0) EXPECT_FALSE(free.is_free(t0 + (low - 1e-7) * along)) << trial;
      if (high < 1.0) EXPECT_FALSE(free.is_free(t0 + (high + 1e-7) * along)) << trial;
      ends += (low > -1.0 ? 1 : 0) + (high < 1.0 ? 1 : 0);
    }
  }
  EXPECT_GT(ends, 600);
}

}  // namespace
}  // namespace prehend::placement
