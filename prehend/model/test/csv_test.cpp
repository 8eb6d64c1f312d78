#include <cmath>

#include <gtest/gtest.h>

#include "expect_input_error.h"
#include <prehend/model/house/csv.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

const CsvColumn kWanted[] = {{"t"},
                             {"name", CsvColumn::Content::text, false},
                             {"x"},
                             {"q", CsvColumn::Content::number_or_empty, false}};

CsvTable parsed_csv(const std::string& text) { return parse_csv(text, "a.csv", kWanted, "a test table"); }

TEST(Csv, CommentsLineEndsSpacesAndOrderOfColumns) {
  const CsvTable table = parsed_csv(
      "\xef\xbb\xbf# made by hand\r\n\r\n x , extra,t,name,q # header\r\n1,abc,0.5, peg ,\r\n\r\n# "
      "between\r\n +2e0,,1,hole,3 # end\r\n3,1,2,peg,1e-400");
  EXPECT_EQ(table.columns(), (std::vector<std::string>{"x", "extra", "t", "name", "q"}));
  EXPECT_EQ(table.ignored(), (std::vector<std::string>{"extra"}));
  EXPECT_EQ(table.header_line(), 3);
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.line(0), 4);
  EXPECT_EQ(table.line(2), 8);
  EXPECT_EQ(table.numbers("x"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(table.texts("name"), (std::vector<std::string>{"peg", "hole"}));
  EXPECT_EQ(table.text_index("name"), (std::vector<int>{0, 1, 0}));
  EXPECT_TRUE(std::isnan(table.numbers("q")[0]));
  EXPECT_EQ(table.numbers("q")[2], 0.0);
}

TEST(Csv, BadTablesNameTheLine) {
  expect_input_error([] { parsed_csv(""); }, 0,
                     "the file is empty; a header line with column names was expected");
  expect_input_error([] { parsed_csv("# only a comment\n\n"); }, 0, "the file is empty");
  expect_input_error([] { parsed_csv(std::string("t,x\0\1\n", 6)); }, 0,
                     "this is a binary file; a CSV file with a header line was expected");
  expect_input_error([] { parsed_csv("{\"sigma\":[4,5,4]}\n"); }, 1,
                     "this is JSON; a CSV file with a header line of column names was expected");
  expect_input_error([] { parsed_csv("<mujoco>\n</mujoco>\n"); }, 1, "this is XML; a CSV file");
  expect_input_error([] { parsed_csv("t,x\n"); }, 0, "a test table needs at least one row below its header");
  expect_input_error([] { parsed_csv("\nt,y\n1,2\n"); }, 2,
                     "a test table needs the column x; the header has t, y");
  expect_input_error([] { parsed_csv("t x\n1 2\n"); }, 1,
                     "needs the columns t, x; the header has t x (columns are separated by commas)");
  expect_input_error([] { parsed_csv("t;x\n1;0,5\n"); }, 2, "found '0,5'; decimals follow a point");
  expect_input_error([] { parsed_csv("# t,x\n1,2\n"); }, 2,
                     "the first line holds numbers; a header line with column names was expected");
  expect_input_error([] { parsed_csv("t,x,t\n1,2,3\n"); }, 1, "column 't' appears twice");
  expect_input_error([] { parsed_csv("t,,x\n1,2,3\n"); }, 1, "column 2 has no name");
  expect_input_error([] { parsed_csv("t,x\n1,2\n3\n"); }, 3,
                     "the row has 1 cells, the header 2: 'x' is missing");
  expect_input_error([] { parsed_csv("t,x\n1,2,3\n"); }, 2,
                     "the row has more cells than the header, which has 2");
  expect_input_error([] { parsed_csv("t,x\n1,\n"); }, 2, "column 'x' is empty; a number was expected");
  expect_input_error([] { parsed_csv("t,x\n1,two\n"); }, 2,
                     "column 'x' must be a finite number, found 'two'");
  for (const char* bad : {"nan", "inf", "-inf", "1e999", "0x10", "1 2", "1,5"}) {
    EXPECT_THROW(parsed_csv("t,x\n1," + std::string(bad) + "\n"), InputError) << bad;
  }
  expect_input_error([] { parsed_csv("t,x,name\n1,2,\n"); }, 2,
                     "column 'name' is empty; a name was expected");
  expect_input_error([] { parsed_csv("t,x,name\n1,2,a\"b\n"); }, 2, "holds a quotation mark");
  expect_input_error([] { parsed_csv("t,x,name\n1,2,\"a,b\"\n"); }, 2, "holds a comma");
  expect_input_error([] { parsed_csv("t,x,name\n1,2,\"a\n"); }, 2, "holds a quotation mark");
}

TEST(Csv, QuotesAndOtherSeparators) {
  for (const char* text :
       {"\"t\", \"x\" ,\"name\"\n\"1\",2,\"peg small\"\n",
        "\xef\xbb\xbf\"t\";x;\"name\"\r\n1;2;\"peg small\"\r\n", "t\t\"x\"\tname\n1\t2\tpeg small\n"}) {
    const CsvTable table = parsed_csv(text);
    EXPECT_EQ(table.columns(), (std::vector<std::string>{"t", "x", "name"})) << text;
    EXPECT_EQ(table.numbers("x"), (std::vector<double>{2})) << text;
    EXPECT_EQ(table.texts("name"), (std::vector<std::string>{"peg small"})) << text;
  }
}

TEST(Csv, NumbersReadBackBitByBit) {
  for (double value : {1.0 / 3, -0.0, 5e-324, 1.7976931348623157e308, 1e22, 123456789.125}) {
    const auto again = parse_number(exact_number(value));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, value);
    EXPECT_EQ(std::signbit(*again), std::signbit(value));
  }
  for (const char* bad : {"", "+", "-", "+-1", "1.", ".", "e5", "1e", " 1", "1 ", "infinity", "1f"}) {
    if (std::string(bad) == "1.") continue;  // C notation
    EXPECT_FALSE(parse_number(bad)) << bad;
  }
}

}  // namespace
}  // namespace prehend::model
