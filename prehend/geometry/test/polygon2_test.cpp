#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <prehend/geometry/polygon2.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;

Loop2 rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}
Loop2 reversed(Loop2 loop) {
  std::reverse(loop.begin(), loop.end());
  return loop;
}
Polygon2 frame() { return {{rectangle(0, 0, 3, 3), reversed(rectangle(1, 1, 2, 2))}}; }

// A star-shaped loop with teeth, hence not convex; simple because the angle only grows.
Polygon2 random_star(math::RandomStream& random, int corners, const Vector2d& centre) {
  Loop2 outer, hole;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * (i + 0.8 * random.uniform()) / corners;
    const double radius = random.uniform(0.5, 1.5);
    outer.push_back(centre + radius * Vector2d(std::cos(angle), std::sin(angle)));
    hole.push_back(centre + 0.3 * radius * Vector2d(std::cos(angle), std::sin(angle)));
  }
  return {{outer, reversed(hole)}};
}

TEST(Polygon2, AreaPerimeterAndInsideOfAFrame) {
  EXPECT_DOUBLE_EQ(area(frame()), 8.0);
  EXPECT_DOUBLE_EQ(perimeter(frame()), 16.0);
  EXPECT_TRUE(contains(frame(), {0.5, 0.5}));
  EXPECT_FALSE(contains(frame(), {1.5, 1.5}));
  EXPECT_FALSE(contains(frame(), {3.5, 1.5}));
  EXPECT_DOUBLE_EQ(distance_to_boundary(frame(), {1.5, 1.6}), 0.4);
  EXPECT_TRUE(is_convex({{rectangle(0, 0, 1, 1)}}));
  EXPECT_FALSE(is_convex(frame()));
  EXPECT_FALSE(is_convex({{reversed(rectangle(0, 0, 1, 1))}}));
  Loop2 star;  // pentagram: turns left everywhere but winds twice
  for (int i = 0; i < 5; ++i)
    star.emplace_back(std::cos(i * 0.8 * std::numbers::pi), std::sin(i * 0.8 * std::numbers::pi));
  EXPECT_FALSE(is_convex({{star}}));
}

TEST(Polygon2, KnownIntersections) {
  const auto overlap = [](const Polygon2& a, const Polygon2& b) {
    const BooleanResult result = intersect(a, b);
    EXPECT_TRUE(result.is_closed);
    return result.polygon;
  };
  EXPECT_DOUBLE_EQ(area(overlap({{rectangle(0, 0, 2, 2)}}, {{rectangle(1, 1, 3, 3)}})), 1.0);
  // A frame against itself, against its hole, and against a square that covers one corner.
  EXPECT_NEAR(area(overlap(frame(), frame())), 8.0, 1e-12);
  EXPECT_TRUE(overlap(frame(), {{rectangle(1, 1, 2, 2)}}).is_empty());
  EXPECT_NEAR(area(overlap(frame(), {{rectangle(-1, -1, 1.5, 1.5)}})), 2.0, 1e-12);
  // A square inside the material, and one around the hole: the hole stays.
  EXPECT_EQ(overlap(frame(), {{rectangle(0.2, 0.2, 0.8, 0.8)}}).loops.size(), 1u);
  const Polygon2 holed = overlap(frame(), {{rectangle(0.5, 0.5, 2.5, 2.5)}});
  EXPECT_EQ(holed.loops.size(), 2u);
  EXPECT_NEAR(area(holed), 3.0, 1e-12);
  // Two squares at 45 degrees.
  const double r = std::sqrt(0.5);
  const Polygon2 octagon =
      overlap({{rectangle(-0.5, -0.5, 0.5, 0.5)}}, {{{{r, 0}, {0, r}, {-r, 0}, {0, -r}}}});
  EXPECT_EQ(octagon.loops.at(0).size(), 8u);
  EXPECT_NEAR(area(octagon), 2.0 * (std::sqrt(2.0) - 1.0), 1e-14);
  // A comb over a bar: two pieces.
  const Polygon2 comb{{{{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}}};
  const Polygon2 pieces = overlap(comb, {{rectangle(-1, 2, 4, 2.5)}});
  EXPECT_EQ(pieces.loops.size(), 2u);
  EXPECT_NEAR(area(pieces), 1.0, 1e-12);
  // Sides that touch from outside, wholly and in part, share no area.
  EXPECT_NEAR(area(overlap(comb, {{rectangle(3, 0, 4, 3)}})), 0.0, 1e-12);
  EXPECT_NEAR(area(overlap(comb, {{rectangle(1, 1, 2, 5)}})), 0.0, 1e-12);
}

TEST(Polygon2, UnionDissolvesTheSharedSide) {
  const BooleanResult both = unite({{rectangle(0, 0, 1, 1)}}, {{rectangle(1, 0, 2, 1)}});
  ASSERT_TRUE(both.is_closed);
  ASSERT_EQ(both.polygon.loops.size(), 1u);
  EXPECT_EQ(simplified(both.polygon, 1e-9).loops[0].size(), 4u);
  EXPECT_NEAR(area(both.polygon), 2.0, 1e-14);
  EXPECT_NEAR(area(unite(frame(), {{rectangle(1, 1, 2, 2)}}).polygon), 9.0, 1e-12);
  EXPECT_NEAR(area(unite(frame(), {{rectangle(1.25, 1.25, 1.75, 1.75)}}).polygon), 8.25, 1e-12);
}

TEST(Polygon2, RandomStarsAgreeWithCountingPointsAndWithInclusionExclusion) {
  for (int trial = 0; trial < 60; ++trial) {
    math::RandomStream random(5, trial);
    const Polygon2 a = random_star(random, 5 + trial % 20, Vector2d::Zero());
    const Polygon2 b =
        random_star(random, 4 + trial % 13, Vector2d(random.uniform(-1, 1), random.uniform(-1, 1)));
    const BooleanResult both = intersect(a, b), any = unite(a, b);
    ASSERT_TRUE(both.is_closed);
    ASSERT_TRUE(any.is_closed);
    EXPECT_NEAR(area(both.polygon) + area(any.polygon), area(a) + area(b), 1e-11);
    EXPECT_NEAR(area(intersect(b, a).polygon), area(both.polygon), 1e-12);
    const int samples = 20000;
    int hits = 0, mistakes = 0;
    for (int i = 0; i < samples; ++i) {
      const Vector2d p(random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5));
      const bool in_both = contains(a, p) && contains(b, p);
      hits += in_both;
      mistakes += in_both != contains(both.polygon, p);
      mistakes += (contains(a, p) || contains(b, p)) != contains(any.polygon, p);
    }
    EXPECT_EQ(mistakes, 0);  // points of a set of measure zero only could disagree
    const double expected = area(both.polygon) / 25.0;
    EXPECT_NEAR(hits / double(samples), expected,
                5.0 * std::sqrt(expected * (1.0 - expected) / samples) + 1e-9);
  }
}

TEST(Polygon2, ShapesOnAGridTouchInEveryWay) {
  // Unions of grid cells share sides, parts of sides and corners: the hardest case for snapping. Truth by
  // counting cells.
  int closed = 0;
  for (int trial = 0; trial < 300; ++trial) {
    math::RandomStream random(6, trial);
    const double turn = random.uniform(0.0, 6.28), size = std::array{1.0, 1e-3, 1e3}[trial % 3];
    Eigen::Matrix2d R;
    R << std::cos(turn), -std::sin(turn), std::sin(turn), std::cos(turn);
    const Vector2d shift = 1e4 * size * Vector2d(random.uniform(), random.uniform());
    const int n = 5;
    bool cells[2][n][n];
    Polygon2 shape[2];
    for (int which = 0; which < 2; ++which) {
      for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
          cells[which][x][y] = random.uniform() < 0.6;
          if (!cells[which][x][y]) continue;
          const BooleanResult grown = unite(shape[which], {{rectangle(x, y, x + 1, y + 1)}});
          ASSERT_TRUE(grown.is_closed);
          shape[which] = grown.polygon;
        }
      }
      if (trial % 2 == 0)
        shape[which] = simplified(shape[which], 1e-9);  // with and without points in the middle of sides
    }
    int common = 0;
    for (int x = 0; x < n; ++x) {
      for (int y = 0; y < n; ++y) common += cells[0][x][y] && cells[1][x][y];
    }
    for (Polygon2& polygon : shape) {
      for (Loop2& loop : polygon.loops) {
        for (Vector2d& p : loop) p = size * (R * p) + shift;
      }
    }
    const BooleanResult result = intersect(shape[0], shape[1]);
    closed += result.is_closed;
    EXPECT_NEAR(area(result.polygon), common * size * size, 1e-9 * size * size);
  }
  EXPECT_EQ(closed, 300);
}

TEST(Polygon2, HalfPlaneCutsFrame) {
  EXPECT_NEAR(area(clip_to_half_plane(frame(), {2.0, 0.0}, 3.0)), 4.0, 1e-12);
  EXPECT_NEAR(area(clip_to_half_plane(frame(), {-1.0, -1.0}, -3.0)), 4.0, 1e-12);
  EXPECT_NEAR(area(clip_to_half_plane(frame(), {1.0, 0.0}, 9.0)), 8.0, 1e-12);
  EXPECT_NEAR(area(clip_to_half_plane(frame(), {1.0, 0.0}, -1.0)), 0.0, 1e-12);
}

TEST(Polygon2, HullLeavesInnerAndSidePointsOut) {
  const std::vector<Vector2d> points{{0.5, 0.5}, {1, 1}, {0, 0}, {1, 0}, {0.5, 1e-14}, {0, 1}, {0.5, 1.0}};
  EXPECT_EQ(convex_hull(points, 1e-9), (std::vector<int>{2, 3, 1, 5}));
  EXPECT_EQ(convex_hull({{0, 0}, {1, 1}, {0.5, 0.5}}, 1e-9), (std::vector<int>{0, 1}));
  EXPECT_EQ(convex_hull({{3, 4}}, 1e-9), (std::vector<int>{0}));
}

}  // namespace
}  // namespace prehend::geometry
