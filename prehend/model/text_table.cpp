#include <algorithm>
#include <stdexcept>
#include <utility>

#include <prehend/model/text_table.h>

namespace prehend::model {
namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(std::string text) {
  if (width(text) <= TextTable::kWidestCell) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    if (begins_character(text[end]) && ++characters > TextTable::kWidestCell - 3) break;
  }
  return text.substr(0, end) + "...";
}

}  // namespace

TextTable& TextTable::row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size())
    throw std::logic_error("TextTable: a row has as many cells as there are columns");
  const std::size_t cut =
      columns_.empty() || columns_.back().align == Align::right ? cells.size() : cells.size() - 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    // Names come from files: a line break or an escape sequence must not leave its cell.
    for (char& byte : cells[c]) {
      if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F) byte = '?';
    }
    if (c < cut) cells[c] = shortened(std::move(cells[c]));
  }
  rows_.push_back(std::move(cells));
  return *this;
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(width(columns_[c].heading));
    for (const auto& cells : rows_) widths[c] = std::max(widths[c], width(cells[c]));
  }
  std::string out;
  const auto append = [&](std::size_t c, const std::string& cell) {
    const std::string padding(widths[c] - width(cell), ' ');
    out += "  " + (columns_[c].align == Align::left ? cell + padding : padding + cell);
  };
  const auto end_line = [&] {
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  for (std::size_t c = 0; c < columns_.size(); ++c) append(c, columns_[c].heading);
  end_line();
  for (const auto& cells : rows_) {
    for (std::size_t c = 0; c < columns_.size(); ++c) append(c, cells[c]);
    end_line();
  }
  return out;
}

namespace {

constexpr std::size_t kProblemsShown = 5;

// Each once, in the order given.
std::vector<std::string> distinct(const std::vector<std::string>& sentences) {
  std::vector<std::string> once;
  for (const std::string& sentence : sentences) {
    if (std::find(once.begin(), once.end(), sentence) == once.end()) once.push_back(sentence);
    // Lists of many thousands are long because their sentences differ: do not compare all with all.
    if (once.size() > 1000) return sentences;
  }
  return once;
}

std::string count_of_others(std::size_t all) {
  return std::to_string(all) + " in all, " + std::to_string(all - kProblemsShown) +
         " more in the JSON form (--json)";
}

}  // namespace

std::string problem_lines(const std::vector<std::string>& problems, std::string_view before) {
  const std::vector<std::string> once = distinct(problems);
  std::string text;
  for (std::size_t i = 0; i < once.size() && i < kProblemsShown; ++i)
    text += std::string(before) + once[i] + "\n";
  if (once.size() > kProblemsShown) text += std::string(before) + count_of_others(once.size()) + "\n";
  return text;
}

std::string problem_sentence(const std::vector<std::string>& problems) {
  const std::vector<std::string> once = distinct(problems);
  std::string text;
  for (std::size_t i = 0; i < once.size() && i < kProblemsShown; ++i) text += (i == 0 ? "" : "; ") + once[i];
  if (once.size() > kProblemsShown) text += "; " + count_of_others(once.size());
  return text;
}

std::string without_sentences_of(const std::string& text, const std::string& message) {
  constexpr std::string_view kProblem = "problem: ";
  constexpr std::size_t kShortest = 12;  // characters: a shorter line is a word of a table, not a sentence
  std::string left;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    std::string_view sentence(text.data() + begin, end - begin);
    sentence.remove_prefix(std::min(sentence.find_first_not_of(' '), sentence.size()));
    if (sentence.starts_with(kProblem)) sentence.remove_prefix(kProblem.size());
    if (sentence.ends_with('\n')) sentence.remove_suffix(1);
    if (sentence.size() < kShortest || message.find(sentence) == std::string::npos)
      left += text.substr(begin, end - begin);
    begin = end;
  }
  return left;
}

}  // namespace prehend::model
