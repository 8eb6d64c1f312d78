#include <prehend/model/scene_writer.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {

std::string format_numbers(const double* values, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i ? " " : "") + exact_number(values[i]);
  return text;
}

std::string format_vector(const Eigen::Vector3d& v) { return format_numbers(v.data(), 3); }

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string xml_attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml_escaped(value) + "\"";
}

}  // namespace prehend::model
