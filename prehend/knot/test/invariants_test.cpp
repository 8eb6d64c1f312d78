#include <map>

#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include "random_diagrams.h"
#include <prehend/knot/invariants.h>
#include <prehend/knot/invariants/alexander.h>
#include <prehend/knot/invariants/jones.h>
#include <prehend/knot/invariants/signature.h>
#include <prehend/knot/layout/closed_faces.h>

namespace prehend::knot {
namespace {

using testing::closed_braid;
using testing::connected_sum;
using testing::random_rope;
using testing::torus_knot;

Laurent powers(std::initializer_list<std::pair<int, int>> terms) {
  Laurent sum;
  for (const auto& [coefficient, power] : terms) sum.add(Laurent::monomial(coefficient, power));
  return sum;
}

TEST(Laurent, Text) {
  EXPECT_EQ(powers({{-1, -1}, {3, 0}, {-2, 1}}).to_text(), "-t^-1 + 3 - 2*t");
  EXPECT_EQ(Laurent{}.to_text(), "0");
  EXPECT_EQ((powers({{1, 0}, {1, 1}}) * powers({{1, 0}, {-1, 1}})).to_text(), "1 - t^2");
  EXPECT_THROW(Laurent::monomial(1LL << 40, 0) * Laurent::monomial(1LL << 40, 0), std::overflow_error);
}

TEST(Invariants, CircleAndLoop) {
  for (const ClosedDiagram& diagram :
       {ClosedDiagram{}, ClosedDiagram{{{2, 1}, {3, 4}}}, ClosedDiagram{{{2, 1}, {2, 1}}}}) {
    const Invariants values = invariants(diagram);
    EXPECT_TRUE(values.alexander.is_one());
    EXPECT_TRUE(values.jones_known && values.jones.is_one()) << values.jones.to_text();
    EXPECT_EQ(values.signature, 0);
    EXPECT_EQ(values.determinant, 1);
  }
}

// Values of the standard tables, from braids.
TEST(Invariants, KnownKnots) {
  const Invariants trefoil = invariants(closed_braid({1, 1, 1}));
  EXPECT_EQ(trefoil.alexander.to_text(), "1 - t + t^2");
  EXPECT_EQ(trefoil.jones.to_text(), "t + t^3 - t^4");
  EXPECT_EQ(trefoil.signature, -2);
  const Invariants eight = invariants(closed_braid({1, -2, 1, -2}));
  EXPECT_EQ(eight.alexander.to_text(), "1 - 3*t + t^2");
  EXPECT_EQ(eight.jones.to_text(), "t^-2 - t^-1 + 1 - t + t^2");
  EXPECT_EQ(eight.signature, 0);
  const Invariants five_two = invariants(closed_braid({1, 1, 1, 2, -1, 2}));
  EXPECT_EQ(five_two.alexander.to_text(), "2 - 3*t + 2*t^2");
  EXPECT_EQ(five_two.jones.to_text(), "t - t^2 + 2*t^3 - t^4 + t^5 - t^6");
  EXPECT_EQ(five_two.signature, -2);
}

// Torus knots have closed forms for all of it.
TEST(Invariants, TorusKnots) {
  for (const auto& [p, q] :
       std::vector<std::pair<int, int>>{{2, 5}, {2, 9}, {3, 4}, {3, 5}, {4, 5}, {3, 10}, {5, 7}, {2, 41}}) {
    const Invariants values = invariants(torus_knot(p, q));
    // (t^pq - 1)(t - 1) = alexander (t^p - 1)(t^q - 1)
    const Laurent one = Laurent::monomial(-1, 0);
    const auto minus_one = [&](int power) {
      Laurent sum = Laurent::monomial(1, power);
      sum.add(one);
      return sum;
    };
    EXPECT_EQ(values.alexander * minus_one(p) * minus_one(q), minus_one(p * q) * minus_one(1))
        << p << " " << q;
    // (1 - t^2) jones = t^((p-1)(q-1)/2) (1 - t^(p+1) - t^(q+1) + t^(p+q))
    EXPECT_EQ(
        values.jones * powers({{1, 0}, {-1, 2}}),
        Laurent::monomial(1, (p - 1) * (q - 1) / 2) * powers({{1, 0}, {-1, p + 1}, {-1, q + 1}, {1, p + q}}));
    // Brieskorn: points (i/p, j/q) by whether i/p + j/q lies within 1/2 of 1.
    int signature = 0;
    for (int i = 1; i < p; ++i) {
      for (int j = 1; j < q; ++j) {
        const int twice = 2 * (i * q + j * p);
        if (twice != p * q && twice != 3 * p * q) signature += twice > p * q && twice < 3 * p * q ? -1 : 1;
      }
    }
    EXPECT_EQ(values.signature, signature) << p << " " << q;
  }
}

// The bracket as a sum over all smoothings.
Laurent jones_by_all_states(const ClosedDiagram& diagram) {
  const auto crossings = crossings_of(diagram);
  const std::size_t n = crossings.size();
  Laurent bracket;
  for (std::size_t state = 0; state < (std::size_t{1} << n); ++state) {
    std::vector<int> parent(2 * n + 1);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int e) {
      while (parent[static_cast<std::size_t>(e)] != e) e = parent[static_cast<std::size_t>(e)];
      return e;
    };
    int power = 0;
    for (std::size_t x = 0; x < n; ++x) {
      const bool a_smoothing = (state >> x & 1) == 0;
      power += a_smoothing ? 1 : -1;
      const auto& e = crossings[x].edge;
      parent[static_cast<std::size_t>(root(e[0]))] = root(e[a_smoothing ? 1 : 3]);
      parent[static_cast<std::size_t>(root(e[2]))] = root(e[a_smoothing ? 3 : 1]);
    }
    Laurent term = Laurent::monomial(1, power);
    int loops = 0;
    for (int e = 1; e <= static_cast<int>(2 * n); ++e) loops += root(e) == e;
    for (int k = 1; k < loops; ++k) term = term * powers({{-1, 2}, {-1, -2}});
    bracket.add(term);
  }
  const int w = writhe(diagram.loop);
  Laurent jones;
  for (std::size_t i = 0; i < bracket.coefficients.size(); ++i) {
    const int power = bracket.low + static_cast<int>(i) - 3 * w;
    if (bracket.coefficients[i] == 0) continue;
    EXPECT_EQ(power % 4, 0);
    jones.add(Laurent::monomial(w % 2 == 0 ? bracket.coefficients[i] : -bracket.coefficients[i], -power / 4));
  }
  return jones;
}

TEST(Invariants, JonesBySweepAndByAllStates) {
  for (std::uint64_t task = 0; task < 60; ++task) {
    math::RandomStream random(11, task);
    const ClosedDiagram diagram = closed_over(random_rope(random, 3 + static_cast<int>(task % 5)));
    if (diagram.crossings() > 11) continue;
    EXPECT_EQ(jones_polynomial(diagram), jones_by_all_states(diagram)) << to_text(diagram.loop);
  }
}

TEST(Invariants, LawsOnRandomKnots) {
  int knotted = 0;
  const int knots = prehend::test::sweep_size(120, 400);
  for (std::uint64_t task = 0; task < static_cast<std::uint64_t>(knots); ++task) {
    math::RandomStream random(12, task);
    const ClosedDiagram diagram = closed_over(random_rope(random, 5 + static_cast<int>(task % 20)));
    const Invariants values = invariants(diagram);
    knotted += values.jones.is_one() ? 0 : 1;
    EXPECT_EQ(std::abs(values.alexander.at_one()), 1);
    EXPECT_EQ(values.alexander.inverted().coefficients, values.alexander.coefficients);
    EXPECT_EQ(values.jones.at_one(), 1);
    EXPECT_EQ(values.determinant % 2, 1);
    // Centred and with Alexander(1) = 1, Alexander(-1) = Jones(-1); it is 1 modulo 4, and positive just when 4 divides
    // the signature (Murasugi 1965).
    Laurent centred = values.alexander;
    centred.low = -centred.span() / 2;
    const std::int64_t signed_determinant = centred.at_one() * centred.at_minus_one();
    EXPECT_EQ(values.jones.at_minus_one(), signed_determinant);
    EXPECT_EQ(((signed_determinant % 4) + 4) % 4, 1);
    EXPECT_EQ(signed_determinant > 0, values.signature % 4 == 0);
    EXPECT_EQ(invariants(mirrored(diagram)), values.mirrored());
    EXPECT_EQ(invariants(reversed(diagram)), values);
    const ClosedDiagram other = closed_under(random_rope(random, 6));
    EXPECT_EQ(invariants(connected_sum(diagram, other)), values * invariants(other));
  }
  EXPECT_GT(knotted, knots / 4);
}

TEST(Invariants, UnchangedByReidemeisterMoves) {
  for (std::uint64_t task = 0; task < 100; ++task) {
    math::RandomStream random(13, task);
    ClosedDiagram diagram = closed_over(random_rope(random, 4 + static_cast<int>(task % 8)));
    const Invariants values = invariants(diagram);
    for (int k = 0; k < 10; ++k) {
      diagram = testing::random_move(diagram, random);
      ASSERT_EQ(find_problem(diagram), "");
      ASSERT_EQ(invariants(diagram), values) << to_text(diagram.loop);
    }
  }
}

TEST(Invariants, LargeDiagramsAreExactOrSaySo) {
  // Sums of many figure-eight knots: the middle coefficient of the Alexander polynomial passes 64 bits.
  ClosedDiagram sum;
  const ClosedDiagram eight = closed_braid({1, -2, 1, -2});
  Laurent expected = Laurent::monomial(1, 0);
  for (int k = 0; k < 20; ++k) {
    sum = connected_sum(sum, eight);
    expected = expected * powers({{1, 0}, {-3, 1}, {1, 2}});
  }
  EXPECT_EQ(alexander_polynomial(sum), expected);
  EXPECT_EQ(signature(sum), 0);
  for (int k = 0; k < 12; ++k) sum = connected_sum(sum, eight);
  EXPECT_THROW(alexander_polynomial(sum), std::overflow_error);
  EXPECT_EQ(signature(sum), 0);
  EXPECT_EQ(signature(torus_knot(2, 101)), -100);
}

TEST(Invariants, JonesGivesUpPastItsStates) {
  EXPECT_EQ(jones_polynomial(torus_knot(5, 7), {.max_states = 5}), std::nullopt);
}

}  // namespace
}  // namespace prehend::knot
