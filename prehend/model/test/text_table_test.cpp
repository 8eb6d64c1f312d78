#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/model/text_table.h>

namespace prehend::model {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
  TextTable table({{"body", Align::left}, {"mass [kg]"}});
  table.row({"cup", "0.31"}).row({"a long name", "12"});
  EXPECT_EQ(table.text(),
            "  body         mass [kg]\n"
            "  cup               0.31\n"
            "  a long name         12\n");
}

TEST(TextTable, WidthCountsCharactersNotBytes) {
  TextTable table({{"name", Align::left}, {"x"}});
  table.row({"Tür", "1"}).row({"door", "2"});
  EXPECT_EQ(table.text(), "  name  x\n  Tür   1\n  door  2\n");
}

TEST(TextTable, LongCellsAreCutBetweenCharacters) {
  TextTable table({{"name"}});
  std::string longest;
  for (int i = 0; i < 41; ++i) longest += "ü";
  table.row({longest});
  const std::string text = table.text();
  EXPECT_EQ(text.substr(text.size() - 4), "...\n");
  EXPECT_EQ(text.find("\xC3..."), std::string::npos);
}

TEST(TextTable, ControlCharactersDoNotLeaveTheirCell) {
  TextTable table({{"name", Align::left}});
  table.row({"two\nlines\x1b[31m"});
  EXPECT_EQ(table.text(), "  name\n  two?lines?[31m\n");
}

TEST(TextTable, ASentenceMayEndTheLine) {
  const std::string sentence(80, 'x');
  TextTable table({{"a", Align::left}, {"note", Align::left}});
  table.row({sentence, sentence});
  EXPECT_NE(table.text().find("...  " + sentence + "\n"), std::string::npos) << table.text();
}

TEST(TextTable, RowsFitTheColumns) {
  TextTable table({{"a"}, {"b"}});
  EXPECT_THROW(table.row({"1"}), std::logic_error);
}

TEST(ProblemLines, ShowsEachSentenceOnceAndFiveAtMost) {
  EXPECT_EQ(problem_lines({}, "- "), "");
  EXPECT_EQ(problem_lines({"a", "b", "a"}, "- "), "- a\n- b\n");
  const std::vector<std::string> seven = {"1", "2", "3", "4", "5", "6", "7"};
  EXPECT_EQ(problem_lines(seven, ""), "1\n2\n3\n4\n5\n7 in all, 2 more in the JSON form (--json)\n");
  EXPECT_EQ(problem_sentence({"a; b", "c", "c"}), "a; b; c");
  EXPECT_EQ(problem_sentence(seven), "1; 2; 3; 4; 5; 7 in all, 2 more in the JSON form (--json)");
}

TEST(ProblemLines, WhatIsSaidBesideIsNotSaidAgain) {
  const std::string message = "it falls; x overlaps y by 3 mm; move it";
  EXPECT_EQ(without_sentences_of("unstable\n  problem: x overlaps y by 3 mm; move it\n  body  x\n", message),
            "unstable\n  body  x\n");
  EXPECT_EQ(without_sentences_of("it falls\n", message), "it falls\n")
      << "short lines may be cells of a table";
  EXPECT_EQ(without_sentences_of("  problem: something else entirely", message),
            "  problem: something else entirely");
  EXPECT_EQ(without_sentences_of("", message), "");
}

}  // namespace
}  // namespace prehend::model
