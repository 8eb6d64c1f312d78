// Strict CSV tables: a header line, commas (or semicolons or tabs throughout, as the header has them), decimal points, SI units,
// comments after '#', LF or CRLF. Cells may stand in quotes, but hold none.
//
// The reader asks for the columns it knows; the others are named and ignored. A missing or duplicate column,
// a row with too few or too many cells, an empty or non-numeric cell is an InputError with its line. Numbers
// are finite. Cost: one pass, about 10 bytes of memory per cell that is asked for.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace prehend::model {

struct CsvColumn {
  enum class Content { number, number_or_empty, text };
  std::string name;
  Content content{Content::number};
  bool required{true};
};

class CsvTable {
 public:
  const std::vector<std::string>& columns() const { return columns_; }  // as in the file
  const std::vector<std::string>& ignored() const { return ignored_; }  // in the file, but not asked for
  std::size_t rows() const { return lines_.size(); }
  int line(std::size_t row) const { return lines_[row]; }  // 1-based line of the row in the file
  int header_line() const { return header_line_; }

  bool has(std::string_view column) const { return find(column) != nullptr; }
  // Numbers of a column that is there; not-a-number where a cell that may be empty is empty.
  const std::vector<double>& numbers(std::string_view column) const;
  // A text column as indices into texts(column), which lists each text once in order of appearance.
  const std::vector<int>& text_index(std::string_view column) const;
  const std::vector<std::string>& texts(std::string_view column) const;

 private:
  friend class CsvReader;
  struct Data {
    CsvColumn column;
    std::vector<double> numbers;
    std::vector<int> text_index;
    std::vector<std::string> texts;
  };
  const Data* find(std::string_view column) const;
  const Data& at(std::string_view column) const;

  std::vector<std::string> columns_, ignored_;
  std::vector<int> lines_;
  std::vector<Data> data_;
  std::unordered_map<std::string, std::size_t> slot_of_;  // place in data_ by name: tables may be very wide
  int header_line_{0};
};

// Reads the table with the columns asked for. `what` names the kind of file in messages ("a pose log"). A
// table without rows is an error.
CsvTable parse_csv(std::string_view bytes, const std::string& name, std::span<const CsvColumn> wanted,
                   const std::string& what);

// The names in the header line alone; an error when there is none.
std::vector<std::string> csv_columns(std::string_view bytes, const std::string& name);

// True when all of `columns` are there, false when none is; some but not all is an InputError at the header's
// line.
bool has_group(const CsvTable& table, const std::string& name, std::span<const std::string> columns);

}  // namespace prehend::model
