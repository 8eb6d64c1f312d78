#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include <prehend/model/house/csv.h>
#include <prehend/model/input_error.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

// As trackers write what they do not see.
bool is_no_number(std::string_view cell) { return cell == "nan" || cell == "NaN" || cell == "NAN"; }

std::string_view without_comment(std::string_view line) { return trimmed(line.substr(0, line.find('#'))); }

std::string_view without_blanks(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.remove_suffix(1);
  return cell;
}

// Where the next cell ends: a separator between quotes is part of it.
std::size_t end_of_cell(std::string_view line, char separator) {
  const std::size_t end = line.find(separator);
  if (line.empty() || (line.front() != '"' && line.front() != ' ')) return end;
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos || line[first] != '"' || end < first) return end;
  const std::size_t closing = line.find('"', first + 1);
  return closing == std::string_view::npos ? end : line.find(separator, closing);
}

// The next cell of `line`, without the quotes around it; false when the line is used up.
bool take_cell(std::string_view& line, char separator, bool& more, std::string_view& cell) {
  if (!more) return false;
  const std::size_t end = end_of_cell(line, separator);
  more = end != std::string_view::npos;
  cell = without_blanks(line.substr(0, end));
  line.remove_prefix(more ? end + 1 : line.size());
  if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
    cell = without_blanks(cell.substr(1, cell.size() - 2));
  return true;
}

// Of the header: spreadsheets of many countries write semicolons, since their numbers have commas.
char separator_of(std::string_view header) {
  for (const char separator : {',', ';', '\t'})
    if (end_of_cell(header, separator) != std::string_view::npos) return separator;
  return ',';
}

// "a, b, c", cut after twelve.
std::string listed(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 12); ++i) {
    const std::string name = in_quotes(names[i]);
    text += (i > 0 ? ", " : "") + name.substr(1, name.size() - 2);
  }
  return names.size() > 12 ? text + ", ..." : text;
}

std::vector<std::string> header_columns(LineScanner& lines, const std::string& name, char& separator) {
  std::string_view line;
  do {
    if (!lines.next(line))
      throw InputError(name, 0, "the file is empty; a header line with column names was expected");
    line = without_comment(line);
  } while (line.empty());
  if (looks_binary(line))
    throw InputError(name, 0, "this is a binary file; a CSV file with a header line was expected");
  if (line.front() == '{' || line.front() == '[' || line.front() == '<')
    throw InputError(name, lines.line(),
                     std::string("this is ") + (line.front() == '<' ? "XML" : "JSON") +
                         "; a CSV file with a header line of column names was expected");
  separator = separator_of(line);
  std::vector<std::string> columns;
  std::unordered_set<std::string> seen;
  std::string_view cell;
  for (bool more = true; take_cell(line, separator, more, cell);) {
    if (columns.empty() && parse_number(cell))
      throw InputError(
          name, lines.line(),
          "the first line holds numbers; a header line with column names was expected (a comment "
          "after '#' is none)");
    if (cell.empty())
      throw InputError(name, lines.line(), "column " + std::to_string(columns.size() + 1) + " has no name");
    if (!seen.emplace(cell).second)
      throw InputError(name, lines.line(), "column " + in_quotes(cell) + " appears twice");
    columns.emplace_back(cell);
  }
  return columns;
}

}  // namespace

class CsvReader {
 public:
  CsvReader(std::string_view bytes, const std::string& name, const std::string& what)
      : lines_(bytes), name_(name), what_(what) {}

  CsvTable read(std::span<const CsvColumn> wanted) {
    table_.columns_ = header_columns(lines_, name_, separator_);
    table_.header_line_ = lines_.line();
    choose(wanted);
    reserve();
    std::string_view line;
    while (lines_.next(line)) {
      const std::size_t comment = line.find('#');
      if (comment != std::string_view::npos) line = line.substr(0, comment);
      if (trimmed(line).empty()) continue;
      row(line);
      table_.lines_.push_back(lines_.line());
    }
    if (table_.lines_.empty()) throw InputError(name_, 0, what_ + " needs at least one row below its header");
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_, lines_.line(), what); }

  void choose(std::span<const CsvColumn> wanted) {
    slot_.assign(table_.columns_.size(), -1);
    std::vector<std::string> missing;
    std::unordered_map<std::string_view, std::size_t> place;
    for (std::size_t c = 0; c < table_.columns_.size(); ++c) place[table_.columns_[c]] = c;
    for (const CsvColumn& column : wanted) {
      const auto found = place.find(column.name);
      if (found == place.end()) {
        if (column.required) missing.push_back(column.name);
        continue;
      }
      slot_[found->second] = static_cast<int>(table_.data_.size());
      table_.slot_of_[column.name] = table_.data_.size();
      table_.data_.push_back({column, {}, {}, {}});
    }
    if (!missing.empty()) {
      const bool other_separator =
          table_.columns_.size() == 1 && table_.columns_[0].find(' ') != std::string::npos;
      fail(what_ + " needs the column" + (missing.size() > 1 ? "s " : " ") + listed(missing) +
           "; the header has " + listed(table_.columns_) +
           (other_separator ? " (columns are separated by commas)" : ""));
    }
    text_of_.resize(table_.data_.size());
    for (std::size_t c = 0; c < slot_.size(); ++c) {
      if (slot_[c] < 0) table_.ignored_.push_back(table_.columns_[c]);
    }
  }

  void reserve() {
    // A row takes at least one byte per column (its comma or line end); a guess from the first row saves
    // copying.
    const std::string_view rest = lines_.rest();
    const std::size_t first = std::min(rest.find('\n'), rest.size());
    const std::size_t guess = rest.size() / std::max(first + 1, table_.columns_.size()) + 1;
    for (CsvTable::Data& data : table_.data_) {
      if (data.column.content == CsvColumn::Content::text) {
        data.text_index.reserve(guess);
      } else {
        data.numbers.reserve(guess);
      }
    }
    table_.lines_.reserve(guess);
  }

  void row(std::string_view line) {
    const std::size_t count = slot_.size();
    std::size_t c = 0;
    std::string_view cell;
    bool more = true;
    for (; c < count && take_cell(line, separator_, more, cell); ++c) {
      if (slot_[c] >= 0) store(slot_[c], cell);
    }
    if (c < count) {
      fail("the row has " + std::to_string(c) + " cells, the header " + std::to_string(count) + ": " +
           in_quotes(table_.columns_[c]) + " is missing");
    }
    if (more) fail("the row has more cells than the header, which has " + std::to_string(count));
  }

  void store(int slot, std::string_view cell) {
    CsvTable::Data& data = table_.data_[slot];
    if (data.column.content == CsvColumn::Content::text) return store_text(slot, cell);
    const bool may_be_empty = data.column.content == CsvColumn::Content::number_or_empty;
    if (cell.empty() || (may_be_empty && is_no_number(cell))) {
      if (!may_be_empty) fail("column " + in_quotes(data.column.name) + " is empty; a number was expected");
      data.numbers.push_back(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    const auto number = parse_number(cell);
    if (!number)
      fail(
          "column " + in_quotes(data.column.name) + " must be a finite number, found " + in_quotes(cell) +
          (separator_ != ',' && cell.find(',') != std::string_view::npos ? "; decimals follow a point" : ""));
    data.numbers.push_back(*number);
  }

  void store_text(int slot, std::string_view cell) {
    CsvTable::Data& data = table_.data_[slot];
    if (cell.empty()) fail("column " + in_quotes(data.column.name) + " is empty; a name was expected");
    if (cell.find('"') != std::string_view::npos) {
      fail("column " + in_quotes(data.column.name) + " holds a quotation mark: " + in_quotes(cell));
    }
    // Names are written into files of ours, where commas separate.
    if (cell.find(',') != std::string_view::npos)
      fail("column " + in_quotes(data.column.name) + " holds a comma: " + in_quotes(cell) +
           "; names have none");
    // Rows of one part tend to follow each other.
    if (!data.text_index.empty() && data.texts[data.text_index.back()] == cell) {
      data.text_index.push_back(data.text_index.back());
      return;
    }
    const auto [known, is_new] =
        text_of_[slot].try_emplace(std::string(cell), static_cast<int>(data.texts.size()));
    if (is_new) data.texts.emplace_back(cell);
    data.text_index.push_back(known->second);
  }

  LineScanner lines_;
  const std::string& name_;
  const std::string& what_;
  char separator_{','};
  CsvTable table_;
  std::vector<int> slot_;  // per column of the file, its place in data_, or -1
  std::vector<std::unordered_map<std::string, int>> text_of_;
};

const CsvTable::Data* CsvTable::find(std::string_view column) const {
  const auto found = slot_of_.find(std::string(column));
  if (found != slot_of_.end()) return &data_[found->second];
  return nullptr;
}

const CsvTable::Data& CsvTable::at(std::string_view column) const {
  const Data* data = find(column);
  if (data == nullptr) throw std::out_of_range("CsvTable: no column " + std::string(column));
  return *data;
}

const std::vector<double>& CsvTable::numbers(std::string_view column) const { return at(column).numbers; }
const std::vector<int>& CsvTable::text_index(std::string_view column) const { return at(column).text_index; }
const std::vector<std::string>& CsvTable::texts(std::string_view column) const { return at(column).texts; }

CsvTable parse_csv(std::string_view bytes, const std::string& name, std::span<const CsvColumn> wanted,
                   const std::string& what) {
  return CsvReader(bytes, name, what).read(wanted);
}

std::vector<std::string> csv_columns(std::string_view bytes, const std::string& name) {
  LineScanner lines(bytes);
  char separator = ',';
  return header_columns(lines, name, separator);
}

bool has_group(const CsvTable& table, const std::string& name, std::span<const std::string> columns) {
  std::vector<std::string> missing;
  for (const std::string& column : columns) {
    if (!table.has(column)) missing.push_back(column);
  }
  if (missing.empty()) return true;
  if (missing.size() == columns.size()) return false;
  throw InputError(
      name, table.header_line(),
      "the columns " + listed(columns) + " must be all there or all absent; missing: " + listed(missing));
}

}  // namespace prehend::model
