#include <map>
#include <set>

#include <gtest/gtest.h>

#include "random_diagrams.h"
#include <prehend/knot/codes.h>
#include <prehend/knot/invariants/colourings.h>
#include <prehend/knot/invariants/knot_table.h>
#include <prehend/knot/invariants/reduction.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/naming.h>

namespace prehend::knot {
namespace {

using testing::closed_braid;
using testing::connected_sum;
using testing::random_rope;
using testing::torus_knot;

TEST(Reduction, KeepsTheKnot) {
  for (std::uint64_t task = 0; task < 150; ++task) {
    math::RandomStream random(21, task);
    const ClosedDiagram diagram = closed_over(random_rope(random, 6 + static_cast<int>(task % 15)));
    const ClosedDiagram smaller = reduced(diagram, {.rounds = 5, .seed = task});
    ASSERT_EQ(find_problem(smaller), "");
    ASSERT_LE(smaller.crossings(), diagram.crossings());
    ASSERT_EQ(invariants(smaller), invariants(diagram)) << to_text(diagram.loop);
  }
}

TEST(Reduction, UndoesUnknots) {
  for (std::uint64_t task = 0; task < 100; ++task) {
    math::RandomStream random(22, task);
    ClosedDiagram diagram;
    for (int k = 0; k < 60; ++k) diagram = testing::random_move(diagram, random);
    EXPECT_EQ(reduced(diagram).crossings(), 0) << to_text(diagram.loop);
  }
}

TEST(Reduction, Summands) {
  const ClosedDiagram trefoil = torus_knot(2, 3), eight = closed_braid({1, -2, 1, -2});
  const ClosedDiagram sum = connected_sum(connected_sum(trefoil, eight), trefoil);
  for (int cut = 1; cut <= sum.passages(); ++cut) EXPECT_EQ(summands(rotated(sum, cut)).size(), 3u);
  EXPECT_EQ(summands(trefoil).size(), 1u);
  EXPECT_TRUE(summands({}).empty());
}

TEST(KnotTable, HasThePrimeKnotsToTenCrossings) {
  std::map<int, int> count;
  for (const TableKnot& knot : knot_table()) ++count[knot.crossings];
  EXPECT_EQ(count, (std::map<int, int>{
                       {0, 1}, {3, 1}, {4, 1}, {5, 2}, {6, 3}, {7, 7}, {8, 21}, {9, 49}, {10, 165}}));
  // Braids of the standard tables (Jones, Annals of Mathematics 126, 1987).
  EXPECT_EQ(table_knot("8_19").values.determinant, 3);
  EXPECT_EQ(table_knot("10_161").values.determinant, 5);
  EXPECT_EQ(table_knot("10_162").values.alexander.to_text(), "3 - 9*t + 11*t^2 - 9*t^3 + 3*t^4");
  EXPECT_EQ(table_knot("10_163").values.determinant, 51);
  EXPECT_EQ(table_knot("10_164").values.determinant, 45);
  EXPECT_EQ(table_knot("10_165").values.determinant, 39);
  EXPECT_THROW(table_knot("10_166"), std::out_of_range);
}

// Of the alternating ones the polynomial's span is the number of crossings (Kauffman, Murasugi, Thistlethwaite); of the
// others it is less.
TEST(KnotTable, SpansSayWhichAlternate) {
  int alternating = 0;
  for (const TableKnot& knot : knot_table()) {
    alternating += knot.alternating;
    EXPECT_EQ(knot.values.jones.span() == knot.crossings, knot.alternating) << knot.name;
  }
  EXPECT_EQ(alternating, 1 + 1 + 1 + 2 + 3 + 7 + 18 + 41 + 123);
}

TEST(KnotTable, FiveOneAndTenOneHundredThirtyTwoShareTwoPolynomials) {
  const Invariants& a = table_knot("5_1").values;
  const Invariants& b = table_knot("10_132").values;
  EXPECT_EQ(a.alexander, b.alexander);
  EXPECT_TRUE(a.jones == b.jones || a.jones == b.jones.inverted());
  EXPECT_NE(std::abs(a.signature), std::abs(b.signature));
}

TEST(Naming, EveryTableKnotIsNamedFromItsDiagram) {
  for (const TableKnot& knot : knot_table()) {
    const KnotName name = name_closed(knot.diagram);
    ASSERT_EQ(name.status, NamingStatus::ok) << knot.name;
    EXPECT_EQ(name.name, knot.name);
    EXPECT_TRUE(name.proved);
    EXPECT_EQ(name.names, std::vector<std::string>{knot.name});
    EXPECT_EQ(name_closed(mirrored(knot.diagram)).name, knot.name);
  }
}

TEST(Naming, EveryTableKnotIsNamedAfterTenMoves) {
  std::uint64_t task = 0;
  int proved = 0;
  for (const TableKnot& knot : knot_table()) {
    math::RandomStream random(31, task++);
    ClosedDiagram diagram = knot.diagram;
    for (int k = 0; k < 10; ++k) diagram = testing::random_move(diagram, random);
    // As a rope: cut open anywhere.
    const int cut =
        1 + static_cast<int>(random.below(static_cast<std::uint32_t>(std::max(1, diagram.passages()))));
    const KnotName name = name_knot(opened(diagram, cut));
    EXPECT_EQ(name.name, knot.name) << to_text(diagram.loop);
    proved += name.proved;
  }
  EXPECT_GE(proved, 245);
}

// Without reduction the invariants alone must do.
TEST(Naming, InvariantsAloneTellTheTableApart) {
  std::set<std::vector<std::int64_t>> seen;
  for (const TableKnot& knot : knot_table()) {
    const auto signs = [&](const Invariants& values) {
      std::vector<std::int64_t> all = values.alexander.coefficients;
      all.push_back(values.signature);
      all.push_back(values.jones.low);
      all.insert(all.end(), values.jones.coefficients.begin(), values.jones.coefficients.end());
      return all;
    };
    std::vector<std::int64_t> key = std::min(signs(knot.values), signs(knot.values.mirrored()));
    for (const ColourClass& colours : colour_classes())
      key.push_back(count_colourings(knot.diagram, colours).value());
    EXPECT_TRUE(seen.insert(key).second) << knot.name;
  }
}

TEST(Colourings, FoxsAndTheirLaws) {
  // Reflections of a triangle and of a pentagon: Fox's colourings by 3 and 5 colours.
  const ColourClass three("reflections of a triangle", {{1, 2, 0}, {0, 2, 1}}, {0, 2, 1});
  const ColourClass five("reflections of a pentagon", {{1, 2, 3, 4, 0}, {0, 4, 3, 2, 1}}, {0, 4, 3, 2, 1});
  EXPECT_EQ(three.size(), 3);
  EXPECT_EQ(five.size(), 5);
  std::vector<int> sizes;
  for (const ColourClass& colours : colour_classes()) sizes.push_back(colours.size());
  EXPECT_EQ(sizes, (std::vector<int>{6, 12, 20, 15, 30, 20, 21, 56, 42, 90}));
  EXPECT_EQ(count_colourings(torus_knot(3, 4), five, 3), std::nullopt);
  for (const TableKnot& knot : knot_table()) {
    // There is more than the one colour just when the number of colours divides the determinant.
    EXPECT_EQ(count_colourings(knot.diagram, three).value() > 1, knot.values.determinant % 3 == 0)
        << knot.name;
    EXPECT_EQ(count_colourings(knot.diagram, five).value() > 1, knot.values.determinant % 5 == 0)
        << knot.name;
  }
  for (std::uint64_t task = 0; task < 30; ++task) {
    math::RandomStream random(35, task);
    const ClosedDiagram& start = knot_table()[1 + random.below(249)].diagram;
    ClosedDiagram moved = start;
    for (int k = 0; k < 8; ++k) moved = testing::random_move(moved, random);
    const ClosedDiagram sum = connected_sum(start, torus_knot(3, 4));
    for (const ColourClass& colours : colour_classes()) {
      const std::int64_t number = count_colourings(start, colours).value();
      EXPECT_EQ(count_colourings(moved, colours), number) << colours.name();
      EXPECT_EQ(count_colourings(mirrored(start), colours), number) << colours.name();
      EXPECT_EQ(count_colourings(reversed(start), colours), number) << colours.name();
      EXPECT_EQ(count_colourings(sum, colours), number * count_colourings(torus_knot(3, 4), colours).value());
    }
  }
}

TEST(Naming, Sums) {
  const ClosedDiagram trefoil = torus_knot(2, 3), eight = closed_braid({1, -2, 1, -2});
  const KnotName granny = name_closed(connected_sum(trefoil, trefoil));
  EXPECT_EQ(granny.name, "3_1#3_1");
  EXPECT_EQ(granny.prime_components, (std::vector<std::string>{"3_1", "3_1"}));
  EXPECT_EQ(granny.values.signature, -4);
  const KnotName square = name_closed(connected_sum(trefoil, mirrored(trefoil)));
  EXPECT_EQ(square.name, "3_1#3_1");
  EXPECT_EQ(square.values.signature, 0);
  EXPECT_EQ(name_closed(connected_sum(eight, connected_sum(torus_knot(3, 4), trefoil))).name, "3_1#4_1#8_19");
}

TEST(Naming, SumsUnderMoves) {
  for (std::uint64_t task = 0; task < 20; ++task) {
    math::RandomStream random(32, task);
    ClosedDiagram diagram = connected_sum(torus_knot(2, 3), closed_braid({1, -2, 1, -2}));
    for (int k = 0; k < 15; ++k) diagram = testing::random_move(diagram, random);
    EXPECT_EQ(name_closed(diagram).name, "3_1#4_1") << to_text(diagram.loop);
  }
}

TEST(Naming, OutsideTheTable) {
  const KnotName alternating = name_closed(torus_knot(2, 11));
  EXPECT_EQ(alternating.status, NamingStatus::outside);
  EXPECT_TRUE(alternating.proved);
  EXPECT_NE(alternating.reason.find("none of the prime knots up to 10 crossings and their sums"),
            std::string::npos);
  EXPECT_TRUE(alternating.name.empty());
  EXPECT_EQ(name_closed(torus_knot(3, 7)).status, NamingStatus::outside);
  EXPECT_EQ(name_closed(connected_sum(torus_knot(3, 7), torus_knot(2, 3))).status, NamingStatus::outside);
  EXPECT_EQ(name_closed(torus_knot(3, 4)).name, "8_19");
  EXPECT_EQ(name_closed(torus_knot(3, 5)).name, "10_124");
}

// 12n48 has both polynomials and the signature of 10_35, 12n112 those of 10_111; the colourings know better.
TEST(Naming, LargerKnotsWithThePolynomialsOfTheTable) {
  const ClosedDiagram like_35 = from_pd({{1, 6, 2, 7},
                                         {2, 15, 3, 16},
                                         {5, 9, 6, 8},
                                         {7, 24, 8, 1},
                                         {9, 5, 10, 4},
                                         {10, 22, 11, 21},
                                         {12, 20, 13, 19},
                                         {14, 3, 15, 4},
                                         {16, 23, 17, 24},
                                         {18, 14, 19, 13},
                                         {20, 12, 21, 11},
                                         {22, 17, 23, 18}});
  const ClosedDiagram like_111 = from_pd({{1, 8, 2, 9},
                                          {2, 17, 3, 18},
                                          {9, 6, 10, 7},
                                          {12, 3, 13, 4},
                                          {7, 24, 8, 1},
                                          {14, 21, 15, 22},
                                          {18, 12, 19, 11},
                                          {16, 23, 17, 24},
                                          {20, 15, 21, 16},
                                          {22, 13, 23, 14},
                                          {4, 20, 5, 19},
                                          {5, 10, 6, 11}});
  for (const auto& [diagram, name] : {std::pair{like_35, "10_35"}, std::pair{like_111, "10_111"}}) {
    const Invariants values = invariants(diagram), &known = table_knot(name).values;
    EXPECT_TRUE(values == known || values == known.mirrored()) << name;
    EXPECT_EQ(name_closed(diagram).status, NamingStatus::outside) << name;
  }
}

TEST(Naming, ClosuresMayDiffer) {
  int differ = 0;
  for (std::uint64_t task = 0; task < 40; ++task) {
    math::RandomStream random(33, task);
    const PData rope = random_rope(random, 10);
    const KnotName over = name_knot(rope), under = name_knot(rope, {.closure = Closure::under});
    // Seen from behind, over is under.
    EXPECT_EQ(under.name, name_knot(mirrored(rope)).name);
    EXPECT_EQ(over.name, name_knot(swapped_ends(rope)).name);
    differ += over.name != under.name;
  }
  EXPECT_GT(differ, 3);
}

// What sailors' books and topologists say about the source's knots (named_knots.h).
TEST(Naming, TheSourcesKnots) {
  const std::map<std::string, std::string> expected{{"overhand", "3_1"},
                                                    {"figure_eight", "4_1"},
                                                    {"bowline", "6_3"},
                                                    {"two_half_hitches", "3_1#3_1"},
                                                    {"taut_line_hitch", "3_1#5_1"},
                                                    {"harness_hitch", "0_1"},
                                                    {"bow_tie", "3_1"},
                                                    {"single_loop_bow", "3_1"},
                                                    {"slip_knot", "0_1"}};
  EXPECT_EQ(named_knots().size(), expected.size());
  for (const NamedKnot& knot : named_knots()) {
    const KnotName name = name_knot(knot.p_data);
    EXPECT_EQ(name.name, expected.at(knot.name)) << knot.name;
    EXPECT_TRUE(name.proved);
  }
}

TEST(Naming, BothClosuresOfARope) {
  const RopeName same = name_rope({{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}});
  EXPECT_FALSE(same.differ());
  EXPECT_EQ(same.to_json().find("\"under\":"), std::string::npos);
  EXPECT_EQ(same.rope_knots, std::vector<std::string>{"overhand"});
  EXPECT_EQ(same.brief_report().find("tied as: Overhand knot\nknot 3_1"), 0U);
  EXPECT_TRUE(name_rope({}).rope_knots.empty());
  for (std::uint64_t task = 0; task < 200; ++task) {
    math::RandomStream random(34, task);
    const PData rope = random_rope(random, 6);
    const RopeName both = name_rope(rope);
    ASSERT_EQ(both.over.name, name_knot(rope).name);
    if (both.over.name == both.under.name) continue;
    EXPECT_TRUE(both.differ());
    EXPECT_NE(both.to_json().find("\"under\":{\"status\":\"ok\",\"name\":\"" + both.under.name),
              std::string::npos);
    EXPECT_NE(both.brief_report().find("The other closure differs"), std::string::npos);
    return;
  }
  FAIL() << "no rope whose closures differ";
}

TEST(Naming, BadInput) {
  EXPECT_THROW(name_knot({{2, 1, 3}, {3, 4, 3}}), std::invalid_argument);
  EXPECT_THROW(name_knot({{3, 4, 1, 2}, {3, 3, 4, 4}}), std::invalid_argument);
  EXPECT_THROW(name_knot({}, {.max_crossings = -1}), std::invalid_argument);
  EXPECT_THROW(name_knot({}, {.reduction_rounds = -1}), std::invalid_argument);
  const KnotName large = name_closed(torus_knot(3, 10), {.max_crossings = 12});
  EXPECT_EQ(large.status, NamingStatus::too_large);
  EXPECT_NE(large.reason.find("20 crossings; at most 12"), std::string::npos) << large.reason;
  EXPECT_FALSE(large.has_invariants);
  // An alternating weave of 104 crossings: too large for numbers, but certainly no knot of the table.
  std::vector<int> word;
  for (int k = 0; k < 13; ++k) word.insert(word.end(), {1, -2, 3, -4, 5, -6, 7, -8});
  const KnotName weave = name_closed(closed_braid(word));
  EXPECT_EQ(weave.status, NamingStatus::outside);
  EXPECT_TRUE(weave.proved && !weave.has_invariants);
  EXPECT_NE(weave.to_json().find("\"alexander\":null"), std::string::npos);
}

TEST(Naming, Reports) {
  const KnotName name = name_knot({{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}});
  EXPECT_EQ(name.name, "3_1");
  EXPECT_EQ(name.writhe, 3);
  EXPECT_NE(name.to_json().find("\"jones\":\"t + t^3 - t^4\""), std::string::npos) << name.to_json();
  EXPECT_NE(name.to_json().find("\"alexander\":[1,-1,1]"), std::string::npos);
  EXPECT_NE(name.brief_report().find("knot 3_1"), std::string::npos);
  const KnotName nothing = name_knot({});
  EXPECT_EQ(nothing.name, "0_1");
  EXPECT_TRUE(nothing.proved && nothing.prime_components.empty());
}

}  // namespace
}  // namespace prehend::knot
