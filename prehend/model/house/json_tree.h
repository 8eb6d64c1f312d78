// A JSON document that remembers on which line every value stands, so that a wrong one can be pointed at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace prehend::model {

struct JsonNode {
  enum class Kind { null, boolean, integer, number, text, array, object };

  Kind kind{Kind::null};
  int line{0};                    // where the value ends; for arrays and objects, where it begins
  long long integer{0};           // integer, boolean
  double number{0.0};             // integer, number
  std::string text;               // text
  std::vector<JsonNode> items;    // array; object, one per key
  std::vector<std::string> keys;  // object, in the file's order

  // Nothing when there is no such field.
  const JsonNode* find(std::string_view name) const;
  const char* kind_name() const;  // "a number", "an object", ...
};

// Throws InputError with the line: not well-formed, a key twice in one object, nested deeper than 32 levels,
// more than 1000 keys in one object.
JsonNode parse_json(std::string_view bytes, const std::string& name);

}  // namespace prehend::model
