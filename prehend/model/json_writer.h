// Writes one JSON document, front to back: the JSON form of every Result.
//
//   JsonWriter json;
//   json.object().field("mass_kg", 2.0).key("com_m").value(com).end();
//   json.text()  ->  {"mass_kg":2.0,"com_m":[0.0,0.0,0.1]}
//
// Numbers have the fewest digits that read back to the same bits; a number that is not finite becomes null (JSON has
// none); bytes that are not UTF-8 become U+FFFD. The characters < > & and U+2028/2029 are written as \uXXXX, so that a
// document may stand inside an HTML <script> element. Unbalanced calls are a std::logic_error.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>

namespace prehend::model {

class JsonWriter {
 public:
  JsonWriter& object();  // {
  JsonWriter& array();   // [
  JsonWriter& end();     // } or ]
  JsonWriter& key(std::string_view name);

  JsonWriter& null();
  JsonWriter& value(bool flag);
  JsonWriter& value(double number);
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  JsonWriter& value(Integer number) {
    return raw(std::to_string(number));
  }
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const Eigen::Vector3d& vector);  // [x,y,z]
  JsonWriter& value(const Eigen::Matrix3d& matrix);  // nested lists by row
  JsonWriter& value(const math::Pose& pose);         // {"p":[x,y,z],"q":[w,x,y,z]}
  template <class T>
  JsonWriter& value(const std::vector<T>& items) {
    array();
    for (const T& item : items) value(item);
    return end();
  }
  template <class T>
  JsonWriter& field(std::string_view name, const T& item) {
    return key(name).value(item);
  }

  // Left out when empty, so that documents stay short.
  JsonWriter& field_unless_empty(std::string_view name, std::string_view text) {
    return text.empty() ? *this : field(name, text);
  }

  // A finished document of another writer, as it is: a value, or the members of an object added to the object that is open.
  JsonWriter& document(std::string_view json) { return raw(json); }
  JsonWriter& members(std::string_view json_object);

  // The document; every object and array must be closed.
  const std::string& text() const;

 private:
  JsonWriter& raw(std::string_view token);
  void separate();

  std::string text_;
  std::vector<char> open_;
  bool needs_comma_{false};
  bool after_key_{false};
};

// The same document on several lines, two spaces a level; arrays of numbers alone stay on one line.
std::string indented_json(std::string_view json);

}  // namespace prehend::model
