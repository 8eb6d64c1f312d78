#include <charconv>
#include <cmath>
#include <stdexcept>

#include <prehend/report/json_writer.h>

namespace prehend::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the valid character at the start of `bytes`, or 0; `invalid` is then the length of the maximal
// invalid sequence (Unicode 15, table 3-7: overlong forms, surrogates and values past U+10FFFF are invalid).
std::size_t character_length(std::string_view bytes, std::size_t& invalid) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  invalid = 1;
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;  // allowed range of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= bytes.size() || byte(i) < low || byte(i) > high) {
      invalid = i;
      return 0;
    }
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

template <class Append>
void for_each_character(std::string_view bytes, const Append& append) {
  while (!bytes.empty()) {
    std::size_t invalid = 0;
    const std::size_t length = character_length(bytes, invalid);
    append(length > 0 ? bytes.substr(0, length) : kReplacement);
    bytes.remove_prefix(length > 0 ? length : invalid);
  }
}

void append_escape(std::string& text, unsigned code) {
  constexpr char kHex[] = "0123456789abcdef";
  text += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) text += kHex[(code >> shift) & 15];
}

}  // namespace

std::string cleaned_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for_each_character(bytes, [&](std::string_view character) { text += character; });
  return text;
}

std::string escaped_html(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for_each_character(bytes, [&](std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (first == '&') {
      text += "&amp;";
    } else if (first == '<') {
      text += "&lt;";
    } else if (first == '>') {
      text += "&gt;";
    } else if (first == '"') {
      text += "&quot;";
    } else if (first == '\'') {
      text += "&#39;";
    } else if ((first < 0x20 && first != '\n' && first != '\t') || first == 0x7F) {
      text += kReplacement;
    } else {
      text += character;
    }
  });
  return text;
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) text_ += ',';
  has_items_.back() = true;
}

void JsonWriter::append_string(std::string_view text) {
  text_ += '"';
  for_each_character(text, [&](std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (first == '"' || first == '\\') {
      text_ += '\\';
      text_ += character;
    } else if (first < 0x20 || first == 0x7F || first == '<' || first == '>' || first == '&') {
      append_escape(text_, first);
    } else if (character == "\xE2\x80\xA8") {
      append_escape(text_, 0x2028);
    } else if (character == "\xE2\x80\xA9") {
      append_escape(text_, 0x2029);
    } else {
      text_ += character;
    }
  });
  text_ += '"';
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  text_ += '{';
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  text_ += '}';
  has_items_.pop_back();
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  text_ += '[';
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  text_ += ']';
  has_items_.pop_back();
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_string(name);
  text_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_string(text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  text_.append(digits, end.ptr);
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  text_ += truth ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::member_unless_empty(std::string_view name, std::string_view text) {
  return text.empty() ? *this : member(name, text);
}

const std::string& JsonWriter::text() const {
  if (!has_items_.empty() || after_key_) throw std::logic_error("JsonWriter: the document is not finished");
  return text_;
}

}  // namespace prehend::report
