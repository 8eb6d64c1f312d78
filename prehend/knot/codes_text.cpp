#include <cctype>
#include <cstdlib>
#include <stdexcept>

#include <prehend/knot/codes.h>
#include <prehend/model/text_scan.h>

namespace prehend::knot {

std::string to_text(const GaussCode& code) {
  std::string text;
  for (const int passage : code.passages) {
    text += (passage > 0 ? "O" : "U") + std::to_string(std::abs(passage));
    if (!code.signs.empty())
      text += code.signs[static_cast<std::size_t>(std::abs(passage)) - 1] > 0 ? "+" : "-";
  }
  return text;
}

std::string dt_text(std::span<const int> code) {
  std::string text;
  for (const int entry : code) text += (text.empty() ? "" : " ") + std::to_string(entry);
  return text;
}

std::string to_text(const PdCode& code) {
  std::string text;
  for (const auto& x : code) {
    text += text.empty() ? "X[" : " X[";
    for (std::size_t k = 0; k < 4; ++k) text += (k == 0 ? "" : ",") + std::to_string(x[k]);
    text += "]";
  }
  return text;
}

GaussCode parse_gauss(std::string_view text) {
  GaussCode code;
  std::vector<std::pair<int, int>> signs;  // crossing, sign
  std::size_t at = 0;
  const auto fail = [&] {
    throw std::invalid_argument("the Gauss code " + model::in_quotes(text) +
                                " is not readable at character " + std::to_string(at + 1) +
                                "; expected passages like O1+ or U2-");
  };
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) || text[at] == ',') {
      ++at;
      continue;
    }
    const char kind = text[at];
    if (kind != 'O' && kind != 'U') fail();
    ++at;
    int number = 0;
    const std::size_t digits = at;
    for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) && at < digits + 9; ++at)
      number = 10 * number + (text[at] - '0');
    if (number == 0) fail();
    code.passages.push_back(kind == 'O' ? number : -number);
    if (at < text.size() && (text[at] == '+' || text[at] == '-'))
      signs.push_back({number, text[at++] == '+' ? 1 : -1});
  }
  if (signs.empty()) return code;
  if (signs.size() != code.passages.size())
    throw std::invalid_argument("the Gauss code " + model::in_quotes(text) +
                                " has signs at some passages only");
  code.signs.assign(signs.size() / 2, 0);
  for (const auto& [crossing, sign] : signs) {
    if (static_cast<std::size_t>(crossing) > code.signs.size()) continue;  // from_gauss says it
    int& known = code.signs[static_cast<std::size_t>(crossing) - 1];
    if (known != 0 && known != sign)
      throw std::invalid_argument("the Gauss code gives crossing " + std::to_string(crossing) +
                                  " two different signs");
    known = sign;
  }
  return code;
}

}  // namespace prehend::knot
