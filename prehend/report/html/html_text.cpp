#include <prehend/model/text_scan.h>
#include <prehend/report/html/html_text.h>

namespace prehend::report {

std::string escaped_html(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::string_view character = model::take_character(bytes);
    const auto first = static_cast<unsigned char>(character[0]);
    switch (first) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      case '\'':
        text += "&#39;";
        break;
      default: {
        const bool is_control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
        text += is_control ? model::kReplacementCharacter : character;
      }
    }
  }
  return text;
}

}  // namespace prehend::report
