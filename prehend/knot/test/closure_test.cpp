#include <cstdint>
#include <functional>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/knot/closure.h>
#include <prehend/knot/test/random_code.h>

namespace prehend::knot {
namespace {

const PData kTrefoil{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}};
const PData kHalf{{3, 4, 1, 2}, {3, 4, 4, 3}};

// The knot's determinant modulo a prime (up to sign), by Fox colourings: at every crossing twice the over strand's colour is
// the sum of the two under strands' colours. A knot invariant, computed by another route than any in the library.
std::int64_t determinant(const ClosedDiagram& diagram) {
  constexpr std::int64_t p = 1000003;
  const int c = diagram.crossings(), n = diagram.passages();
  if (c < 2) return 1;
  std::vector<int> colour(static_cast<std::size_t>(n) + 1, 0);  // of the segment after each passage
  int current = 0;
  for (int i = 1; i <= n; ++i) {
    if (!diagram.loop.is_over(i)) current = (current + 1) % c;
    colour[static_cast<std::size_t>(i)] = current;
  }
  std::vector<std::vector<std::int64_t>> a(static_cast<std::size_t>(c),
                                           std::vector<std::int64_t>(static_cast<std::size_t>(c), 0));
  int row = 0;
  for (int i = 1; i <= n; ++i) {
    if (diagram.loop.is_over(i)) continue;
    auto& equation = a[static_cast<std::size_t>(row++)];
    equation[static_cast<std::size_t>(colour[static_cast<std::size_t>(diagram.loop.other(i))])] += 2;
    equation[static_cast<std::size_t>(colour[static_cast<std::size_t>(i)])] += p - 1;
    equation[static_cast<std::size_t>((colour[static_cast<std::size_t>(i)] + c - 1) % c)] += p - 1;
  }
  const auto power = [](std::int64_t base, std::int64_t exponent) {
    std::int64_t result = 1;
    for (base %= p; exponent > 0; exponent /= 2, base = base * base % p) {
      if (exponent % 2 == 1) result = result * base % p;
    }
    return result;
  };
  std::int64_t product = 1;
  const std::size_t m = static_cast<std::size_t>(c) - 1;  // the minor without the last row and column
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t pivot = k;
    while (pivot < m && a[pivot][k] % p == 0) ++pivot;
    if (pivot == m) return 0;
    if (pivot != k) std::swap(a[pivot], a[k]);
    product = product * (a[k][k] % p) % p;
    const std::int64_t inverse = power(a[k][k], p - 2);
    for (std::size_t r = k + 1; r < m; ++r) {
      const std::int64_t factor = a[r][k] % p * inverse % p;
      for (std::size_t col = k; col < m; ++col) a[r][col] = (a[r][col] + (p - factor) * (a[k][col] % p)) % p;
    }
  }
  return std::min(product, p - product);
}

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
  EXPECT_EQ(determinant(over), 3);  // the trefoil's
  EXPECT_EQ(determinant(closed_under(kTrefoil)), 3);
  EXPECT_EQ(closed_over({}).passages(), 0);
}

TEST(Closure, OverAndUnderMayDiffer) {
  // The trefoil's rope before its last crossing, which was an under one: only the arc under everything ties the knot.
  EXPECT_EQ(find_problem(kHalf), "");
  EXPECT_EQ(closing_way(kHalf).size(), 1u);
  EXPECT_EQ(determinant(closed_over(kHalf)), 1);
  EXPECT_EQ(determinant(closed_under(kHalf)), 3);
  int found = 0;
  math::RandomStream random(3);
  for (int i = 0; i < 200; ++i) {
    const PData data = random_code(5, random);
    if (determinant(closed_over(data)) != determinant(closed_under(data))) ++found;
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
    const std::int64_t expected = determinant(shortest);
    knotted += expected != 1;
    ASSERT_EQ(determinant(other), expected) << to_text(data);
    ASSERT_EQ(determinant(closed_along(data, way, false)), determinant(shortest_under)) << to_text(data);
  }
  EXPECT_GT(longer, 100);
  EXPECT_GT(knotted, 20);
}

TEST(Closure, LooksTheSameFromBothEndsAndBelow) {
  math::RandomStream random(12);
  for (int i = 0; i < 300; ++i) {
    const PData data = random_code(static_cast<int>(random.below(12)), random);
    EXPECT_EQ(determinant(closed_over(swapped_ends(data))), determinant(closed_over(data)));
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
