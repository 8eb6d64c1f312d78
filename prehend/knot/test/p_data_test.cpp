#include <gtest/gtest.h>

#include <prehend/knot/diagram.h>
#include <prehend/knot/test/trefoil.h>

namespace prehend::knot {
namespace {

TEST(PData, TheSourcesExamples) {
  EXPECT_EQ(find_problem(kTrefoil), "");
  EXPECT_EQ(find_problem(PData{}), "");  // a straight rope
  // Fig. 5.15 prints two codes of one rope, read from its two ends.
  const PData first{{8, 7, 6, 9, 10, 3, 2, 1, 4, 5}, {4, 3, 1, 2, 4, 2, 4, 3, 1, 3}};
  const PData second{{6, 7, 10, 9, 8, 1, 2, 5, 4, 3}, {3, 1, 3, 4, 2, 4, 2, 1, 3, 4}};
  EXPECT_EQ(swapped_ends(first), second);
  EXPECT_EQ(canonical(first), canonical(second));
  EXPECT_EQ(find_problem(first), "");
}

TEST(PData, TwiceSwappedOrMirroredIsTheSame) {
  EXPECT_EQ(swapped_ends(swapped_ends(kTrefoil)), kTrefoil);
  EXPECT_EQ(mirrored(mirrored(kTrefoil)), kTrefoil);
  EXPECT_NE(mirrored(kTrefoil), kTrefoil);
  EXPECT_EQ(find_problem(mirrored(kTrefoil)), "");
}

TEST(PData, ProblemsAreNamed) {
  EXPECT_NE(find_problem({{2, 1, 3}, {1, 2, 1}}).find("even"), std::string::npos);
  EXPECT_NE(find_problem({{2, 1}, {1}}).find("agree"), std::string::npos);
  EXPECT_NE(find_problem({{1, 2}, {1, 2}}).find("itself"), std::string::npos);
  EXPECT_NE(find_problem({{3, 1}, {1, 2}}).find("between 1 and 2"), std::string::npos);
  EXPECT_NE(find_problem({{2, 3, 4, 1}, {1, 2, 1, 2}}).find("name each other"), std::string::npos);
  EXPECT_NE(find_problem({{2, 1}, {1, 5}}).find("1, 2, 3 or 4"), std::string::npos);
  EXPECT_NE(find_problem({{2, 1}, {1, 1}}).find("over, the other under"), std::string::npos);
  EXPECT_NE(find_problem({{2, 1}, {1, 4}}).find("same sign"), std::string::npos);
  // Two crossings passed in the order 1 2 1 2, with signs that a plane does not allow.
  EXPECT_NE(find_problem({{3, 4, 1, 2}, {1, 1, 2, 2}}).find("plane"), std::string::npos);
}

TEST(Diagram, FacesOfTheTrefoil) {
  const Diagram diagram(kTrefoil);
  EXPECT_EQ(diagram.genus(), 0);
  // 3 crossings + 2 ends - 7 segments + faces = 2.
  EXPECT_EQ(diagram.face_count(), 4);
  int darts = 0;
  for (int i = 0; i < diagram.face_count(); ++i) darts += static_cast<int>(diagram.face(i).size());
  EXPECT_EQ(darts, 14);
}

TEST(Diagram, OneLoopHasAnInside) {
  for (const int attr : {1, 2, 3, 4}) {
    const int other = attr % 2 == 1 ? attr + 1 : attr - 1;
    const Diagram diagram(PData{{2, 1}, {attr, other}});
    EXPECT_EQ(diagram.genus(), 0);
    EXPECT_EQ(diagram.face_count(), 2);
  }
}

}  // namespace
}  // namespace prehend::knot
