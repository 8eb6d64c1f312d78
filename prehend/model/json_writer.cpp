#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <prehend/model/json_writer.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

void append_escape(std::string& text, unsigned code) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", code);
  text += escape;
}

}  // namespace

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!open_.empty() && open_.back() == '}')
    throw std::logic_error("JsonWriter: a value in an object needs a key");
  if (open_.empty() && !text_.empty()) throw std::logic_error("JsonWriter: a document holds one value");
  if (needs_comma_) text_ += ',';
}

JsonWriter& JsonWriter::raw(std::string_view token) {
  separate();
  text_ += token;
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::object() {
  separate();
  text_ += '{';
  open_.push_back('}');
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::array() {
  separate();
  text_ += '[';
  open_.push_back(']');
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end() {
  if (open_.empty() || after_key_)
    throw std::logic_error("JsonWriter: nothing to end, or a key without a value");
  text_ += open_.back();
  open_.pop_back();
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  if (open_.empty() || open_.back() != '}' || after_key_)
    throw std::logic_error("JsonWriter: a key stands in an object");
  if (needs_comma_) text_ += ',';
  needs_comma_ = false;
  after_key_ = true;
  value(name);
  text_ += ':';
  needs_comma_ = false;
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::value(bool flag) { return raw(flag ? "true" : "false"); }

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  std::string token(digits, end);
  // A reader that tells integers from numbers must see a number.
  if (token.find_first_of(".e") == std::string::npos) token += ".0";
  return raw(token);
}

JsonWriter& JsonWriter::value(std::string_view text) {
  std::string token = "\"";
  while (!text.empty()) {
    const std::string_view character = take_character(text);
    const auto first = static_cast<unsigned char>(character[0]);
    if (first == '"' || first == '\\') {
      token += '\\';
      token += character;
    } else if (first < 0x20 || first == 0x7F || first == '<' || first == '>' || first == '&') {
      append_escape(token, first);
    } else if (character == "\xE2\x80\xA8") {
      append_escape(token, 0x2028);
    } else if (character == "\xE2\x80\xA9") {
      append_escape(token, 0x2029);
    } else {
      token += character;
    }
  }
  token += '"';
  return raw(token);
}

JsonWriter& JsonWriter::value(const Eigen::Vector3d& vector) {
  return array().value(vector.x()).value(vector.y()).value(vector.z()).end();
}

JsonWriter& JsonWriter::value(const Eigen::Matrix3d& matrix) {
  array();
  for (int row = 0; row < 3; ++row) value(Eigen::Vector3d(matrix.row(row).transpose()));
  return end();
}

JsonWriter& JsonWriter::value(const math::Pose& pose) {
  const Eigen::Quaterniond& q = pose.q();
  return object()
      .field("p", pose.p())
      .key("q")
      .array()
      .value(q.w())
      .value(q.x())
      .value(q.y())
      .value(q.z())
      .end()
      .end();
}

JsonWriter& JsonWriter::members(std::string_view json_object) {
  if (open_.empty() || open_.back() != '}' || after_key_ || json_object.size() < 2 ||
      json_object.front() != '{' || json_object.back() != '}')
    throw std::logic_error("JsonWriter: members are those of an object, and stand in an object");
  const std::string_view inside = json_object.substr(1, json_object.size() - 2);
  if (inside.empty()) return *this;
  if (needs_comma_) text_ += ',';
  text_ += inside;
  needs_comma_ = true;
  return *this;
}

const std::string& JsonWriter::text() const {
  if (!open_.empty() || text_.empty()) throw std::logic_error("JsonWriter: the document is not finished");
  return text_;
}

namespace {

// Length of the string that begins at `json[0]`, quotes included.
std::size_t string_length(std::string_view json) {
  std::size_t i = 1;
  while (i < json.size() && json[i] != '"') i += json[i] == '\\' ? 2 : 1;
  return std::min(i + 1, json.size());
}

// Length of the array that begins at `json[0]` where it holds nothing but numbers, true, false and null, on one line; else 0.
std::size_t plain_array_length(std::string_view json) {
  const std::size_t end = json.find_first_of("[{\"]", 1);
  return end != std::string_view::npos && json[end] == ']' ? end + 1 : 0;
}

}  // namespace

std::string indented_json(std::string_view json) {
  std::string text;
  std::string line = "\n";
  while (!json.empty()) {
    std::size_t length = 1;
    const char c = json.front();
    if (c == '"') {
      length = string_length(json);
      text += json.substr(0, length);
    } else if (const std::size_t plain = c == '[' ? plain_array_length(json) : 0; plain > 0) {
      length = plain;
      for (const char inside : json.substr(0, length)) text += inside == ',' ? ", " : std::string(1, inside);
    } else if ((c == '{' || c == '[') && json.size() > 1 && (json[1] == '}' || json[1] == ']')) {
      length = 2;
      text += json.substr(0, length);
    } else if (c == '{' || c == '[') {
      line += "  ";
      text += c + line;
    } else if (c == '}' || c == ']') {
      line.resize(line.size() - 2);
      text += line + c;
    } else if (c == ',') {
      text += c + line;
    } else {
      text += c;
      if (c == ':') text += ' ';
    }
    json.remove_prefix(length);
  }
  return text;
}

}  // namespace prehend::model
