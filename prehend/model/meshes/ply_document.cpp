#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/ply_document.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

struct ScalarName {
  std::string_view name;
  PlyScalar type;
};
constexpr ScalarName kScalarNames[] = {
    {"char", PlyScalar::int8},      {"int8", PlyScalar::int8},       {"uchar", PlyScalar::uint8},
    {"uint8", PlyScalar::uint8},    {"short", PlyScalar::int16},     {"int16", PlyScalar::int16},
    {"ushort", PlyScalar::uint16},  {"uint16", PlyScalar::uint16},   {"int", PlyScalar::int32},
    {"int32", PlyScalar::int32},    {"uint", PlyScalar::uint32},     {"uint32", PlyScalar::uint32},
    {"float", PlyScalar::float32},  {"float32", PlyScalar::float32}, {"double", PlyScalar::float64},
    {"float64", PlyScalar::float64}};

std::pair<double, double> range_of(PlyScalar type) {
  switch (type) {
    case PlyScalar::int8:
      return {-128, 127};
    case PlyScalar::uint8:
      return {0, 255};
    case PlyScalar::int16:
      return {-32768, 32767};
    case PlyScalar::uint16:
      return {0, 65535};
    case PlyScalar::int32:
      return {-2147483648.0, 2147483647.0};
    case PlyScalar::uint32:
      return {0, 4294967295.0};
    default:
      return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
}

// Reads the statements of the header, up to end_header.
class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& name) : bytes_(bytes), lines_(bytes), name_(name) {}

  PlyHeader read() {
    std::string_view line;
    if (!lines_.next(line) || trimmed(line) != "ply") fail("a PLY file starts with the line 'ply'");
    bool has_format = false;
    for (;;) {
      if (!lines_.next(line)) fail("the PLY header has no 'end_header'; the file is truncated");
      std::string_view rest = line;
      const std::string_view keyword = take_word(rest);
      if (keyword == "end_header") break;
      if (keyword == "format") {
        if (has_format) fail("the PLY header states its format twice");
        has_format = true;
        format(rest);
      } else if (keyword == "element") {
        element(rest);
      } else if (keyword == "property") {
        property(rest);
      } else if (keyword == "comment" || keyword == "obj_info") {
        header_.comments.emplace_back(trimmed(rest));
      } else if (!keyword.empty()) {
        fail("unknown PLY header line " + in_quotes(line) +
             "; expected format, element, property, comment or end_header");
      }
    }
    if (!has_format) fail("the PLY header has no 'format' line");
    header_.body = bytes_.size() - lines_.rest().size();
    header_.lines = lines_.line();
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_, lines_.line(), what); }

  void format(std::string_view rest) {
    const std::string_view encoding = take_word(rest), version = take_word(rest);
    if (encoding == "ascii") {
      header_.encoding = PlyHeader::Encoding::ascii;
    } else if (encoding == "binary_little_endian") {
      header_.encoding = PlyHeader::Encoding::little_endian;
    } else if (encoding == "binary_big_endian") {
      header_.encoding = PlyHeader::Encoding::big_endian;
    } else {
      fail("unknown PLY format " + in_quotes(encoding) +
           "; expected ascii, binary_little_endian or binary_big_endian");
    }
    if (version != "1.0") fail("unknown PLY version " + in_quotes(version) + "; expected 1.0");
  }

  void element(std::string_view rest) {
    PlyElement element;
    element.name = take_word(rest);
    const std::string_view word = take_word(rest);
    const auto count = parse_integer(word);
    if (element.name.empty() || !count || *count < 0)
      fail("expected 'element NAME COUNT', found count " + in_quotes(word));
    for (const PlyElement& other : header_.elements) {
      if (other.name == element.name) fail("element " + in_quotes(element.name) + " is declared twice");
    }
    if (header_.elements.size() >= 100) fail("more than 100 elements are declared");
    element.count = static_cast<std::size_t>(*count);
    header_.elements.push_back(std::move(element));
  }

  PlyScalar scalar(std::string_view word) const {
    for (const ScalarName& known : kScalarNames) {
      if (known.name == word) return known.type;
    }
    fail("unknown PLY type " + in_quotes(word) +
         "; expected char, uchar, short, ushort, int, uint, float or double");
  }

  void property(std::string_view rest) {
    if (header_.elements.empty()) fail("a property stands before the first element");
    PlyProperty property;
    std::string_view word = take_word(rest);
    if (word == "list") {
      property.list_count = scalar(take_word(rest));
      if (!is_integer(*property.list_count)) fail("the count of a list must have an integer type");
      word = take_word(rest);
    }
    property.type = scalar(word);
    property.name = take_word(rest);
    if (property.name.empty()) fail("expected 'property TYPE NAME'");
    PlyElement& element = header_.elements.back();
    if (element.find(property.name) >= 0) fail("property " + in_quotes(property.name) + " is declared twice");
    if (element.properties.size() >= 1000) fail("more than 1000 properties are declared");
    element.properties.push_back(std::move(property));
  }

  std::string_view bytes_;
  LineScanner lines_;
  const std::string& name_;
  PlyHeader header_;
};

[[noreturn]] void cannot_hold(const std::string& name, const PlyElement& element, std::size_t left) {
  throw InputError(name, 0,
                   "the PLY header claims " + std::to_string(element.count) + " rows of " +
                       in_quotes(element.name) + ", but only " + std::to_string(left) +
                       " bytes are left for them; the file is truncated");
}

class BinaryBody {
 public:
  BinaryBody(std::string_view bytes, const PlyHeader& header, const std::string& name)
      : rest_(bytes.substr(header.body)),
        swap_(header.encoding == PlyHeader::Encoding::big_endian),
        name_(name) {}

  void check(const PlyElement& element) const {
    std::size_t smallest = 0;
    for (const PlyProperty& p : element.properties) smallest += size_of(p.list_count.value_or(p.type));
    if (element.count > rest_.size() / smallest) cannot_hold(name_, element, rest_.size());
  }

  void row(const PlyElement& element, std::size_t index, PlyRow& row) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const PlyProperty& property = element.properties[p];
      if (!property.list_count) {
        row.scalar[p] = number(property.type, element, index);
        continue;
      }
      const double count = number(*property.list_count, element, index);
      if (count < 0 ||
          count * static_cast<double>(size_of(property.type)) > static_cast<double>(rest_.size())) {
        throw InputError(name_, 0,
                         "row " + std::to_string(index + 1) + " of " + in_quotes(element.name) +
                             " claims a list of " + exact_number(count) + " values, but " +
                             std::to_string(rest_.size()) +
                             " bytes are left; the file is truncated or damaged");
      }
      row.list[p].resize(static_cast<std::size_t>(count));
      for (double& value : row.list[p]) value = number(property.type, element, index);
    }
  }
  std::size_t left() const { return rest_.size(); }

 private:
  template <class T>
  double decode() {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), rest_.data(), sizeof(T));
    if (swap_) std::reverse(raw.begin(), raw.end());
    T value;
    std::memcpy(&value, raw.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return static_cast<double>(value);
  }

  double number(PlyScalar type, const PlyElement& element, std::size_t index) {
    if (rest_.size() < size_of(type)) {
      throw InputError(name_, 0,
                       "the file ends within row " + std::to_string(index + 1) + " of " +
                           in_quotes(element.name) + " (of " + std::to_string(element.count) +
                           "); it is truncated");
    }
    switch (type) {
      case PlyScalar::int8:
        return decode<std::int8_t>();
      case PlyScalar::uint8:
        return decode<std::uint8_t>();
      case PlyScalar::int16:
        return decode<std::int16_t>();
      case PlyScalar::uint16:
        return decode<std::uint16_t>();
      case PlyScalar::int32:
        return decode<std::int32_t>();
      case PlyScalar::uint32:
        return decode<std::uint32_t>();
      case PlyScalar::float32:
        return decode<float>();
      case PlyScalar::float64:
        return decode<double>();
    }
    return 0;
  }

  std::string_view rest_;
  bool swap_;
  const std::string& name_;
};

class TextBody {
 public:
  TextBody(std::string_view bytes, const PlyHeader& header, const std::string& name)
      : lines_(bytes.substr(header.body)), header_lines_(header.lines), name_(name) {}

  // Every value takes a digit and a separator, but for the very last.
  void check(const PlyElement& element) const {
    const std::size_t smallest = 2 * element.properties.size();
    if (element.count > (lines_.rest().size() + 1) / smallest)
      cannot_hold(name_, element, lines_.rest().size());
  }

  void row(const PlyElement& element, std::size_t index, PlyRow& row) {
    std::string_view line;
    do {
      if (!lines_.next(line)) {
        fail("the file ends after " + std::to_string(index) + " of " + std::to_string(element.count) +
             " rows of " + in_quotes(element.name) + "; it is truncated");
      }
      line = trimmed(line);
    } while (line.empty());
    row.line = header_lines_ + lines_.line();
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const PlyProperty& property = element.properties[p];
      if (!property.list_count) {
        row.scalar[p] = number(line, property, property.type);
        continue;
      }
      const double count = number(line, property, *property.list_count);
      if (count < 0 || count > static_cast<double>(line.size() + 1) / 2) {
        fail("the list " + in_quotes(property.name) + " claims " + exact_number(count) +
             " values, but the line is shorter");
      }
      row.list[p].resize(static_cast<std::size_t>(count));
      for (double& value : row.list[p]) value = number(line, property, property.type);
    }
    if (!trimmed(line).empty()) {
      fail("the line holds more values than the header declares for " + in_quotes(element.name) + ": " +
           in_quotes(trimmed(line)));
    }
  }
  std::size_t left() const { return 0; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_, header_lines_ + lines_.line(), what);
  }

  double number(std::string_view& line, const PlyProperty& property, PlyScalar type) const {
    const std::string_view word = take_word(line);
    if (word.empty()) fail("the line ends before property " + in_quotes(property.name));
    const auto value = parse_number(word);
    if (!value && !is_integer(type)) {
      // Properties that nobody uses may be undefined; who uses one finds out.
      const std::string small = lower_case(word.substr(word.front() == '-' || word.front() == '+' ? 1 : 0));
      if (small == "nan" || small == "inf") return std::numeric_limits<double>::quiet_NaN();
    }
    if (!value) fail("property " + in_quotes(property.name) + " must be a number, found " + in_quotes(word));
    const auto [lower, upper] = range_of(type);
    if (is_integer(type) && (*value != std::floor(*value) || *value < lower || *value > upper)) {
      fail("property " + in_quotes(property.name) + " is " + exact_number(*value) +
           ", but its type holds integers from " + exact_number(lower) + " to " + exact_number(upper));
    }
    return *value;
  }

  LineScanner lines_;
  int header_lines_;
  const std::string& name_;
};

template <class Body>
std::size_t walk(Body body, const PlyHeader& header, const std::string& name,
                 const std::function<void(const PlyElement&, std::size_t, const PlyRow&)>& visit) {
  for (const PlyElement& element : header.elements) {
    if (element.count == 0) continue;
    if (element.properties.empty()) {
      throw InputError(name, 0,
                       "element " + in_quotes(element.name) + " has " + std::to_string(element.count) +
                           " rows but no properties");
    }
    body.check(element);
    PlyRow row;
    row.scalar.resize(element.properties.size());
    row.list.resize(element.properties.size());
    for (std::size_t i = 0; i < element.count; ++i) {
      body.row(element, i, row);
      visit(element, i, row);
    }
  }
  return body.left();
}

}  // namespace

std::size_t size_of(PlyScalar type) {
  switch (type) {
    case PlyScalar::int8:
    case PlyScalar::uint8:
      return 1;
    case PlyScalar::int16:
    case PlyScalar::uint16:
      return 2;
    case PlyScalar::float64:
      return 8;
    default:
      return 4;
  }
}

bool is_integer(PlyScalar type) { return type != PlyScalar::float32 && type != PlyScalar::float64; }

double full_scale(PlyScalar type) { return is_integer(type) ? range_of(type).second : 1.0; }

int PlyElement::find(std::string_view property) const {
  for (std::size_t p = 0; p < properties.size(); ++p) {
    if (properties[p].name == property) return static_cast<int>(p);
  }
  return -1;
}

PlyHeader parse_ply_header(std::string_view bytes, const std::string& name) {
  return HeaderReader(bytes, name).read();
}

std::size_t for_each_ply_row(
    std::string_view bytes, const PlyHeader& header, const std::string& name,
    const std::function<void(const PlyElement&, std::size_t, const PlyRow&)>& visit) {
  if (header.encoding == PlyHeader::Encoding::ascii)
    return walk(TextBody(bytes, header, name), header, name, visit);
  return walk(BinaryBody(bytes, header, name), header, name, visit);
}

}  // namespace prehend::model
