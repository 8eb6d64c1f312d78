// Plain text for terminals: tables of aligned columns under a heading, and lists of problems.
//
//   TextTable table({{"body", Align::left}, {"mass [kg]"}});
//   table.row({"cup", "0.31"});
//   table.text()  ->  "  body  mass [kg]\n  cup        0.31\n"
//
// A column is as wide as its widest cell; cells longer than `kWidestCell` characters are cut and end in "...", except in a last
// column that is aligned left: lists and sentences may end a line. Width counts characters, not bytes. Control
// characters are shown as "?".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prehend::model {

enum class Align { right, left };

class TextTable {
 public:
  // Two columns of names and three of numbers fit a terminal of 120 characters.
  static constexpr std::size_t kWidestCell = 40;

  struct Column {
    std::string heading;
    Align align{Align::right};
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as columns, else std::logic_error.
  TextTable& row(std::vector<std::string> cells);
  std::string text() const;
  bool empty() const { return rows_.empty(); }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// How a list of problems is shown to people: each sentence once, the first five and how many more there are. Makers of lists put the
// worst first; the JSON form of every result has all of them.
// One line each, `before` in front: problem_lines(problems, "  problem: "). Empty where there is none.
std::string problem_lines(const std::vector<std::string>& problems, std::string_view before);

// In one line, apart by "; ".
std::string problem_sentence(const std::vector<std::string>& problems);

// `text` without its lines whose sentence, less "problem: ", stands in `message`: what is said beside it is not said twice.
std::string without_sentences_of(const std::string& text, const std::string& message);

}  // namespace prehend::model
