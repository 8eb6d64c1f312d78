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

}  // namespace
}  // namespace prehend::model
