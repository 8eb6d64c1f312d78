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

}  // namespace prehend::model
