#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <tinyxml2.h>

#include <prehend/model/input_error.h>
#include <prehend/model/scenes/xml_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The depth is checked on the text, before the parser: it recurses per level.
void check_text(const std::string& text, const std::string& file, const SceneOptions& options) {
  if (trimmed(text).empty()) throw InputError(file, 0, "the file is empty; an XML document was expected");
  if (text.find('\0') != std::string::npos) {
    throw InputError(file, 0, "the file is binary (it holds a zero byte); an XML document was expected");
  }
  int line = 1, depth = 0;
  std::size_t elements = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text[i] != '<') continue;
    const auto skip_to = [&](std::string_view end) {
      const std::size_t found = text.find(end, i);
      const std::size_t stop = found == std::string::npos ? text.size() : found + end.size() - 1;
      line += static_cast<int>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                     text.begin() + static_cast<std::ptrdiff_t>(std::min(stop, text.size())), '\n'));
      i = stop;
    };
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("<!--")) {
      skip_to("-->");
    } else if (rest.starts_with("<![CDATA[")) {
      skip_to("]]>");
    } else if (rest.starts_with("<!")) {
      throw InputError(
          file, line,
          "a document type declaration or entity is not allowed here; remove the <!...> declaration");
    } else if (rest.starts_with("<?")) {
      skip_to("?>");
    } else if (rest.starts_with("</")) {
      --depth;
    } else {
      ++depth;
      if (++elements > options.max_elements) {
        throw InputError(file, line,
                         "the document holds more than " + std::to_string(options.max_elements) +
                             " elements; split the scene or raise the limit");
      }
      if (depth > options.max_depth) {
        throw InputError(file, line,
                         "elements are nested deeper than " + std::to_string(options.max_depth) +
                             " levels; flatten the scene");
      }
      // A tag ends at the first '>' outside quotes; "/>" closes the element at once.
      char quote = 0;
      for (++i; i < text.size(); ++i) {
        if (text[i] == '\n') ++line;
        if (quote != 0) {
          if (text[i] == quote) quote = 0;
        } else if (text[i] == '"' || text[i] == '\'') {
          quote = text[i];
        } else if (text[i] == '>') {
          if (text[i - 1] == '/') --depth;
          break;
        }
      }
    }
  }
}

}  // namespace

void parse_xml(tinyxml2::XMLDocument& document, const std::string& whole, const std::string& file,
               const SceneOptions& options) {
  // Zero bytes after the document are the end of a C string that was written along.
  const std::string text = whole.substr(0, whole.find_last_not_of('\0') + 1);
  if (text.size() > options.max_file_bytes) {
    throw InputError(file, 0,
                     "the document is larger than " + std::to_string(options.max_file_bytes >> 20) + " MiB");
  }
  check_text(text, file, options);
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    throw InputError(file, document.ErrorLineNum(),
                     std::string("this is not well-formed XML (") +
                         tinyxml2::XMLDocument::ErrorIDToName(document.ErrorID()) +
                         "); check the tags around this line");
  }
  if (document.RootElement() == nullptr) throw InputError(file, 0, "the document has no root element");
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    while (i < text.size() && is_blank(text[i])) ++i;
    const std::size_t start = i;
    while (i < text.size() && !is_blank(text[i])) ++i;
    if (i > start) words.push_back(text.substr(start, i - start));
  }
  return words;
}

std::string_view XmlNode::name() const { return element_->Name(); }
int XmlNode::line() const { return element_ ? element_->GetLineNum() : 0; }

XmlNode XmlNode::child(const char* name) const {
  return {element_ ? element_->FirstChildElement(name) : nullptr, file_};
}
XmlNode XmlNode::next(const char* name) const {
  return {element_ ? element_->NextSiblingElement(name) : nullptr, file_};
}
std::vector<XmlNode> XmlNode::children(const char* name) const {
  std::vector<XmlNode> nodes;
  if (element_ == nullptr) return nodes;
  for (auto* e = element_->FirstChildElement(name); e; e = e->NextSiblingElement(name))
    nodes.emplace_back(e, file_);
  return nodes;
}
std::vector<XmlNode> XmlNode::children() const { return children(nullptr); }

void XmlNode::fail(const std::string& what) const { throw InputError(*file_, line(), what); }

bool XmlNode::has(const char* attribute) const {
  return element_ && element_->Attribute(attribute) != nullptr;
}

std::optional<std::string> XmlNode::text_of(const char* attribute) const {
  const char* value = element_ ? element_->Attribute(attribute) : nullptr;
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::string XmlNode::required(const char* attribute) const {
  const auto value = text_of(attribute);
  if (!value || trimmed(*value).empty()) {
    fail("<" + std::string(name()) + "> needs the attribute '" + attribute + "'");
  }
  return std::string(trimmed(*value));
}

std::vector<double> XmlNode::parse_numbers(std::string_view text, std::size_t count,
                                           const std::string& where) const {
  const auto words = split_words(text);
  if (words.size() != count) {
    fail(where + " holds " + std::to_string(words.size()) + " values; expected " + std::to_string(count));
  }
  std::vector<double> values;
  values.reserve(count);
  for (const std::string_view word : words) {
    const auto value = parse_number(word);
    if (!value) fail(where + ": '" + std::string(word.substr(0, 40)) + "' is not a finite number");
    values.push_back(*value);
  }
  return values;
}

std::vector<double> XmlNode::numbers(const char* attribute, std::size_t count) const {
  return parse_numbers(required(attribute), count,
                       "attribute '" + std::string(attribute) + "' of <" + std::string(name()) + ">");
}
double XmlNode::required_number(const char* attribute) const { return numbers(attribute, 1)[0]; }
double XmlNode::number(const char* attribute, double fallback) const {
  return has(attribute) ? required_number(attribute) : fallback;
}
int XmlNode::integer(const char* attribute, int fallback) const {
  const double value = number(attribute, fallback);
  if (value != std::floor(value) || std::abs(value) > 2e9) {
    fail("attribute '" + std::string(attribute) + "' is " + exact_number(value) +
         "; a whole number was expected");
  }
  return static_cast<int>(value);
}
Eigen::Vector3d XmlNode::vector(const char* attribute, const Eigen::Vector3d& fallback) const {
  if (!has(attribute)) return fallback;
  const auto values = numbers(attribute, 3);
  return {values[0], values[1], values[2]};
}

std::string XmlNode::text() const {
  const char* value = element_ ? element_->GetText() : nullptr;
  return value ? std::string(trimmed(value)) : std::string();
}
double XmlNode::text_number() const { return text_numbers(1)[0]; }
std::vector<double> XmlNode::text_numbers(std::size_t count) const {
  return parse_numbers(text(), count, "<" + std::string(name()) + ">");
}

math::Pose pose_from_xyz_rpy(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy) {
  const Eigen::Quaterniond q = Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
                               Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX());
  return {q.normalized(), xyz};
}

Eigen::Vector3d rpy_from_rotation(const Eigen::Matrix3d& R) {
  // Near pitch = +-90 degrees yaw is ill-determined; taking it out first lets roll absorb its error, so that
  // the product is exact everywhere.
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const Eigen::Matrix3d rest = Eigen::AngleAxisd(-yaw, Eigen::Vector3d::UnitZ()).toRotationMatrix() * R;
  return {std::atan2(-rest(1, 2), rest(1, 1)), std::atan2(-rest(2, 0), rest(0, 0)), yaw};
}

}  // namespace prehend::model
