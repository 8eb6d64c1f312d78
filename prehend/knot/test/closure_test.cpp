#include <cstdint>
#include <functional>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/knot/closure.h>
#include <prehend/knot/test/fox_determinant.h>
#include <prehend/knot/test/random_code.h>
#include <prehend/knot/test/trefoil.h>

namespace prehend::knot {
namespace {

const PData kHalf{{3, 4, 1, 2}, {3, 4, 4, 3}};

// A way between the ends' faces by random steps, through no face twice.
std::vector<int> random_way(const PData& data, math::RandomStream& random) {
  const Diagram diagram(data);
  const int goal = diagram.face_of(Diagram::dart(1, true));
  std::vector<bool> seen(static_cast<std::size_t>(diagram.face_count()), false);
  std::vector<int> way;
  const std::function<bool(int)> walk = [&](int face) {
    seen[static_cast<std::size_t>(face)] = true;
    if (face == goal) return true;
    std::vector<int> darts = diagram.face(face);
    for (std::size_t i = darts.size(); i > 1; --i)
      std::swap(darts[i - 1], darts[random.below(static_cast<std::uint32_t>(i))]);
    for (const int dart : darts) {
      const int beyond = diagram.face_of(Diagram::reversed(dart));
      if (seen[static_cast<std::size_t>(beyond)]) continue;
      way.push_back(dart);
      if (walk(beyond)) return true;
      way.pop_back();
    }
    return false;
  };
  EXPECT_TRUE(walk(diagram.face_of(Diagram::dart(data.segments(), true))));
  return way;
}

TEST(Closure, TheTrefoilsEndsLieInOneFace) {
  const ClosedDiagram over = closed_over(kTrefoil);
  EXPECT_EQ(over.loop, kTrefoil);
  EXPECT_EQ(find_problem(over), "");
  EXPECT_EQ(fox_determinant(over), 3);  // the trefoil's
  EXPECT_EQ(fox_determinant(closed_under(kTrefoil)), 3);
  EXPECT_EQ(closed_over({}).passages(), 0);
}

TEST(Closure, OverAndUnderMayDiffer) {
  // The trefoil's rope before its last crossing, which was an under one: only the arc under everything ties the knot.
  EXPECT_EQ(find_problem(kHalf), "");
  EXPECT_EQ(closing_way(kHalf).size(), 1u);
  EXPECT_EQ(fox_determinant(closed_over(kHalf)), 1);
  EXPECT_EQ(fox_determinant(closed_under(kHalf)), 3);
  int found = 0;
  math::RandomStream random(3);
  for (int i = 0; i < 200; ++i) {
    const PData data = random_code(5, random);
    if (fox_determinant(closed_over(data)) != fox_determinant(closed_under(data))) ++found;
  }
  EXPECT_GT(found, 5);
}

TEST(Closure, AnyWayOverEverythingGivesTheSameKnot) {
  math::RandomStream random(11);
  int longer = 0, knotted = 0;
  for (int i = 0; i < 500; ++i) {
    const PData data = random_code(1 + static_cast<int>(random.below(12)), random);
    const ClosedDiagram shortest = closed_over(data), shortest_under = closed_under(data);
    ASSERT_EQ(find_problem(shortest), "") << to_text(data);
    ASSERT_EQ(find_problem(shortest_under), "") << to_text(data);
    const std::vector<int> way = random_way(data, random);
    const ClosedDiagram other = closed_along(data, way, true);
    ASSERT_EQ(find_problem(other), "") << to_text(data);
    ASSERT_GE(other.crossings(), shortest.crossings());
    longer += other.crossings() > shortest.crossings();
    const std::int64_t expected = fox_determinant(shortest);
    knotted += expected != 1;
    ASSERT_EQ(fox_determinant(other), expected) << to_text(data);
    ASSERT_EQ(fox_determinant(closed_along(data, way, false)), fox_determinant(shortest_under))
        << to_text(data);
  }
  EXPECT_GT(longer, 100);
  EXPECT_GT(knotted, 20);
}

TEST(Closure, LooksTheSameFromBothEndsAndBelow) {
  math::RandomStream random(12);
  for (int i = 0; i < 300; ++i) {
    const PData data = random_code(static_cast<int>(random.below(12)), random);
    EXPECT_EQ(fox_determinant(closed_over(swapped_ends(data))), fox_determinant(closed_over(data)));
    EXPECT_EQ(mirrored(closed_over(data)), closed_under(mirrored(data)));
  }
}

TEST(Closure, CutAndClosedAgain) {
  math::RandomStream random(13);
  for (int i = 0; i < 200; ++i) {
    const ClosedDiagram loop = closed_over(random_code(static_cast<int>(random.below(10)), random));
    for (int s = 1; s <= loop.passages(); ++s) {
      const PData rope = opened(loop, s);
      EXPECT_EQ(find_problem(rope), "");
      EXPECT_TRUE(closing_way(rope).empty());
      EXPECT_EQ(closed_over(rope), rotated(loop, s));
      EXPECT_EQ(closed_under(rope), rotated(loop, s));
      EXPECT_EQ(find_problem(reversed(rotated(loop, s))), "");
    }
    if (loop.passages() > 0) {
      EXPECT_EQ(rotated(rotated(loop, 2), loop.passages()), loop);
    }
  }
}

TEST(Closure, ProblemsAreNamed) {
  EXPECT_THROW(opened(closed_over(kTrefoil), 0), std::invalid_argument);
  EXPECT_THROW(opened({}, 2), std::invalid_argument);
  EXPECT_THROW(closed_along(kTrefoil, std::vector<int>{99}, true), std::invalid_argument);
  EXPECT_THROW(closed_along(kTrefoil, std::vector<int>{0, 1}, true), std::invalid_argument);
  EXPECT_NE(find_problem(ClosedDiagram{kHalf}).find("different faces"), std::string::npos);
  EXPECT_NE(find_problem(ClosedDiagram{{{2, 1}, {1, 1}}}).find("over, the other under"), std::string::npos);
}

}  // namespace
}  // namespace prehend::knot
