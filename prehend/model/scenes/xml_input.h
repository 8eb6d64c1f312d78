// The safety layer in front of every XML reader: bounded parsing and checked attribute access with line
// numbers.
//
// Refused before any reader sees the document: text that is not XML or not UTF-8 text, a document type
// declaration (no external or recursive entities exist then, hence no entity bombs), nesting deeper than
// SceneOptions::max_depth, more elements than max_elements. Numbers must be finite.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/model/scene_options.h>

namespace tinyxml2 {
class XMLDocument;
class XMLElement;
}  // namespace tinyxml2

namespace prehend::model {

// Fills `document`; throws InputError. The root element is guaranteed to exist.
void parse_xml(tinyxml2::XMLDocument& document, const std::string& text, const std::string& file,
               const SceneOptions& options);

// Blank-separated words.
std::vector<std::string_view> split_words(std::string_view text);

// An element together with the file it came from. Cheap to copy; the document must outlive it.
class XmlNode {
 public:
  XmlNode(const tinyxml2::XMLElement* element, const std::string* file) : element_(element), file_(file) {}

  explicit operator bool() const { return element_ != nullptr; }
  std::string_view name() const;
  int line() const;
  const std::string& file() const { return *file_; }
  const tinyxml2::XMLElement* element() const { return element_; }

  XmlNode child(const char* name) const;  // first of that name, or empty
  XmlNode next(const char* name) const;   // next sibling of that name
  std::vector<XmlNode> children(const char* name) const;
  std::vector<XmlNode> children() const;

  // Throws InputError at this element's line.
  [[noreturn]] void fail(const std::string& what) const;

  bool has(const char* attribute) const;
  std::optional<std::string> text_of(const char* attribute) const;
  std::string required(const char* attribute) const;  // not empty
  double number(const char* attribute, double fallback) const;
  double required_number(const char* attribute) const;
  int integer(const char* attribute, int fallback) const;
  Eigen::Vector3d vector(const char* attribute, const Eigen::Vector3d& fallback) const;
  // Exactly `count` finite numbers.
  std::vector<double> numbers(const char* attribute, std::size_t count) const;

  // The element's own text, as SDF uses it.
  std::string text() const;  // trimmed; may be empty
  double text_number() const;
  std::vector<double> text_numbers(std::size_t count) const;

  // Of a text that stands at this element; `where` begins the sentence of an error.
  std::vector<double> parse_numbers(std::string_view text, std::size_t count, const std::string& where) const;

 private:
  const tinyxml2::XMLElement* element_;
  const std::string* file_;
};

// Fixed-axis roll, pitch, yaw [rad] (URDF and SDF): R = Rz(yaw) Ry(pitch) Rx(roll).
math::Pose pose_from_xyz_rpy(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy);
// Its inverse, pitch in [-pi/2, pi/2].
Eigen::Vector3d rpy_from_rotation(const Eigen::Matrix3d& R);

}  // namespace prehend::model
