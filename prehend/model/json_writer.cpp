#include <prehend/model/json_writer.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace prehend::model {
namespace {

// Length of the well-formed UTF-8 sequence at the front of `text`; 0 when there is none (Unicode, table 3-7).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto is_tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return is_tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool second = is_tail(1) && !(first == 0xE0 && byte(1) < 0xA0) && !(first == 0xED && byte(1) > 0x9F);
    return second && is_tail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool second = is_tail(1) && !(first == 0xF0 && byte(1) < 0x90) && !(first == 0xF4 && byte(1) > 0x8F);
    return second && is_tail(2) && is_tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!open_.empty() && open_.back() == '}') throw std::logic_error("JsonWriter: a value in an object needs a key");
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
  if (open_.empty() || after_key_) throw std::logic_error("JsonWriter: nothing to end, or a key without a value");
  text_ += open_.back();
  open_.pop_back();
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  if (open_.empty() || open_.back() != '}' || after_key_) throw std::logic_error("JsonWriter: a key stands in an object");
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
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0) {
      token += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      token += '\\';
      token += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      token += escape;
    } else {
      token += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
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
  return object().field("p", pose.p()).key("q").array().value(q.w()).value(q.x()).value(q.y()).value(q.z()).end().end();
}

const std::string& JsonWriter::text() const {
  if (!open_.empty() || text_.empty()) throw std::logic_error("JsonWriter: the document is not finished");
  return text_;
}

}  // namespace prehend::model
