#include <functional>

#include <gtest/gtest.h>

#include <prehend/knot/codes.h>
#include <prehend/knot/test/fox_determinant.h>
#include <prehend/knot/test/random_code.h>

namespace prehend::knot {
namespace {

const ClosedDiagram kTrefoilDiagram{{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}}};

// The drawing seen in a mirror that stands beside it: signs change, over and under stay.
ClosedDiagram seen_from_the_side(ClosedDiagram diagram) {
  for (int& attr : diagram.loop.attr) attr = attr <= 2 ? attr + 2 : attr - 2;
  return diagram;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Codes, Trefoil) {
  EXPECT_EQ(to_text(gauss_code(kTrefoilDiagram)), "O1+U2+O3+U1+O2+U3+");
  EXPECT_EQ(dt_text(dt_code(kTrefoilDiagram)), "4 6 2");
  EXPECT_EQ(to_text(pd_code(kTrefoilDiagram)), "X[2,6,3,5] X[4,2,5,1] X[6,4,1,3]");
  EXPECT_EQ(from_dt(std::vector<int>{4, 6, 2}), kTrefoilDiagram);
}

TEST(Codes, OfKnotTables) {
  // Codes as printed in tables of knots, with the knots' determinants.
  const std::vector<std::pair<std::vector<int>, int>> table{
      {{4, 6, 2}, 3},                          // 3_1
      {{4, 6, 8, 2}, 5},                       // 4_1
      {{6, 8, 10, 2, 4}, 5},                   // 5_1
      {{4, 8, 10, 2, 6}, 7},                   // 5_2
      {{4, 8, 12, 10, 2, 6}, 9},               // 6_1
      {{4, 8, 10, 12, 2, 6}, 11},              // 6_2
      {{4, 8, 10, 2, 12, 6}, 13},              // 6_3
      {{8, 10, 12, 14, 2, 4, 6}, 7},           // 7_1
      {{4, 8, -12, 2, -14, -16, -6, -10}, 3},  // 8_19
      {{4, 8, -12, 2, -14, -6, -16, -10}, 9},  // 8_20
      {{4, 8, -12, 2, 14, -6, 16, 10}, 15},    // 8_21
  };
  for (const auto& [code, determinant] : table) {
    const ClosedDiagram diagram = from_dt(code);
    EXPECT_EQ(fox_determinant(diagram), determinant) << dt_text(code);
    EXPECT_EQ(dt_code(diagram), code);
  }
  // The left-handed trefoil and the figure-eight in PD form; all crossings of the first are negative.
  const ClosedDiagram left = from_pd({{1, 4, 2, 5}, {3, 6, 4, 1}, {5, 2, 6, 3}});
  EXPECT_EQ(to_text(gauss_code(left)), "U1-O2-U3-O1-U2-O3-");
  EXPECT_EQ(fox_determinant(left), 3);
  const ClosedDiagram eight = from_pd({{4, 2, 5, 1}, {8, 6, 1, 5}, {6, 3, 7, 4}, {2, 7, 3, 8}});
  EXPECT_EQ(fox_determinant(eight), 5);
  int writhe = 0;
  for (const int sign : gauss_code(eight).signs) writhe += sign;
  EXPECT_EQ(writhe, 0);
}

TEST(Codes, ThereAndBack) {
  math::RandomStream random(31);
  int turned = 0, same = 0;
  for (int i = 0; i < 3000; ++i) {
    const ClosedDiagram loop = closed_over(random_code(static_cast<int>(random.below(16)), random));
    const GaussCode gauss = gauss_code(loop);
    ASSERT_EQ(from_gauss(gauss), loop);
    ASSERT_EQ(parse_gauss(to_text(gauss)), gauss);
    ASSERT_EQ(from_pd(pd_code(loop)), loop) << to_text(gauss);
    const std::vector<int> dt = dt_code(loop);
    const ClosedDiagram drawn = from_dt(dt);  // throws when the signs do not fit the plane
    ASSERT_EQ(dt_code(drawn), dt);
    // Summands may be mirrored one by one, which keeps the determinant.
    ASSERT_EQ(fox_determinant(drawn), fox_determinant(loop));
    ASSERT_EQ(from_gauss({gauss.passages, {}}), drawn);
    same += drawn == loop;
    turned += drawn != loop && drawn == seen_from_the_side(loop);
  }
  EXPECT_GT(same, 300);
  EXPECT_GT(turned, 300);
}

TEST(Codes, PdLabelsMayBeAny) {
  math::RandomStream random(32);
  for (int i = 0; i < 300; ++i) {
    const ClosedDiagram loop = closed_over(random_code(1 + static_cast<int>(random.below(8)), random));
    PdCode code = pd_code(loop);
    const int n = loop.passages(), start = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(n)));
    for (auto& crossing : code) {
      for (int& label : crossing) label = 10 * ((label - start + n) % n) - 5;
    }
    std::reverse(code.begin(), code.end());
    EXPECT_EQ(from_pd(code), rotated(loop, start));
  }
}

TEST(Codes, ProblemsAreNamed) {
  EXPECT_NE(message_of([] { from_dt(std::vector<int>{4, 6, 6}); }).find("entry 3 is 6"), std::string::npos);
  EXPECT_NE(message_of([] { from_dt(std::vector<int>{4, 8, 2, 10, 6}); }).find("no drawing"),
            std::string::npos);
  EXPECT_NE(message_of([] { from_gauss({{1, -1, 2, 2}, {}}); }).find("crossing 2 must be"),
            std::string::npos);
  EXPECT_NE(message_of([] { from_gauss({{1, 2, -1, -2}, {}}); }).find("odd and one even"), std::string::npos);
  EXPECT_NE(message_of([] { from_gauss({{1, -1}, {1, 1}}); }).find("2 signs for 1 crossings"),
            std::string::npos);
  EXPECT_NE(message_of([] { from_pd({{1, 2, 3, 4}}); }).find("label 1 appears 1 times"), std::string::npos);
  EXPECT_NE(message_of([] { from_pd({{1, 3, 2, 4}, {2, 4, 1, 3}}); }).find("more than one loop"),
            std::string::npos);
  EXPECT_NE(message_of([] { parse_gauss("O1+X2"); }).find("character 4"), std::string::npos);
  EXPECT_NE(message_of([] { parse_gauss("O1+U1-"); }).find("two different signs"), std::string::npos);
}

}  // namespace
}  // namespace prehend::knot
