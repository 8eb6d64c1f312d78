// JSON text that may stand inside an HTML <script> element, whatever bytes the names are made of.
//
// Strings are taken as UTF-8; every byte that is not part of a valid character becomes U+FFFD. The characters
// < > & and U+2028/2029 are written as \uXXXX, so that no name can close the element or open another. JSON
// has no NaN: a number that is not finite is written as null.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace prehend::report {

// Valid UTF-8; each maximal invalid sequence is replaced by one U+FFFD, as browsers do.
std::string cleaned_utf8(std::string_view bytes);

// Text of an HTML element or attribute: valid UTF-8 with & < > " ' escaped and control characters replaced.
std::string escaped_html(std::string_view bytes);

class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  // Shortest text that reads back as the same double.
  JsonWriter& value(double number);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(std::size_t number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(bool truth);
  JsonWriter& null();

  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }
  // Left out when empty: the page's text stays short.
  JsonWriter& member_unless_empty(std::string_view name, std::string_view text);
  template <class Numbers>
  JsonWriter& member_array(std::string_view name, const Numbers& numbers) {
    key(name).begin_array();
    for (const auto& number : numbers) value(number);
    return end_array();
  }

  // The finished document; throws std::logic_error while an object or array is open.
  const std::string& text() const;

 private:
  void separate();
  void append_string(std::string_view text);

  std::string text_;
  std::vector<bool> has_items_;  // one per open object or array
  bool after_key_{false};
};

}  // namespace prehend::report
