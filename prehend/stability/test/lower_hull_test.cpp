#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/stability/limit/lower_hull.h>

namespace prehend::stability {
namespace {

using Eigen::Vector2d;

double bowl(const Vector2d& x) { return 1.0 + 3.0 * x.x() * x.x() + 0.1 * x.y() * x.y() + 0.5 * x.x(); }
double roof(const Vector2d& x) { return std::max({1.0 + x.x(), 1.5 - 0.7 * x.x() + 0.2 * x.y(), 1.2}); }

class LowerHullOf : public testing::TestWithParam<double (*)(const Vector2d&)> {};

TEST_P(LowerHullOf, StaysAValidTriangulationAndAConvexSurface) {
  const auto h = GetParam();
  const Vector2d low(-1, -2), high(1.5, 1);
  LowerHull hull(low, high, {h(low), h({high.x(), low.y()}), h(high), h({low.x(), high.y()})});
  math::RandomStream random(3);
  LowerHull::Items items;
  for (int i = 0; i < 200; ++i) {
    items.at.push_back({random.uniform(low.x(), high.x()), random.uniform(low.y(), high.y())});
    items.triangle.push_back(-1);
    hull.add_item(i, items);
  }
  for (int i = 0; i < 150; ++i) {
    const Vector2d at = items.at[static_cast<std::size_t>(i)];
    hull.insert(items.triangle[static_cast<std::size_t>(i)], at, h(at), items);
  }
  const auto& nodes = hull.nodes();
  const auto cross = [](const Vector2d& u, const Vector2d& v) { return u.x() * v.y() - u.y() * v.x(); };
  double total = 0.0;
  std::size_t held = 0;
  for (std::size_t t = 0; t < hull.triangles().size(); ++t) {
    const LowerHull::Triangle& triangle = hull.triangles()[t];
    const auto at = [&](int i) { return nodes[static_cast<std::size_t>(triangle.corners[i % 3])].at; };
    const double area = cross(at(1) - at(0), at(2) - at(0));
    EXPECT_GT(area, 0.0);
    total += 0.5 * area;
    held += triangle.items.size();
    for (const int item : triangle.items) {
      EXPECT_EQ(items.triangle[static_cast<std::size_t>(item)], static_cast<int>(t));
      const Vector2d x = items.at[static_cast<std::size_t>(item)];
      for (int i = 0; i < 3; ++i) EXPECT_GE(cross(at(i + 1) - at(i), x - at(i)), -1e-9);
      EXPECT_GE(hull.height(static_cast<int>(t), x), h(x) - 1e-12);  // above a convex function
    }
    for (int i = 0; i < 3; ++i) {
      const int other = triangle.neighbours[i];
      if (other < 0) continue;
      const LowerHull::Triangle& across = hull.triangles()[static_cast<std::size_t>(other)];
      int back = 0;
      while (back < 3 && across.neighbours[back] != static_cast<int>(t)) ++back;
      ASSERT_LT(back, 3) << "neighbours do not know each other";
      const auto& tip = nodes[static_cast<std::size_t>(across.corners[back])];
      EXPECT_GE(tip.height, hull.height(static_cast<int>(t), tip.at) - 1e-9) << "a fold that is not convex";
    }
  }
  EXPECT_EQ(held, items.at.size());
  EXPECT_NEAR(total, 2.5 * 3.0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Functions, LowerHullOf, testing::Values(&bowl, &roof),
                         [](const auto& test) { return std::string(test.param == &bowl ? "Bowl" : "Roof"); });

}  // namespace
}  // namespace prehend::stability
