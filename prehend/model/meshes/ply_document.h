// PLY, the format itself: the header's elements and properties, and the rows of the body in either encoding.
//
// Nothing is believed before it is compared with the bytes that are there: a count that cannot fit is an
// error before any memory is taken. Rows of text stand one per line, as the format says; blank lines are
// skipped.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prehend::model {

enum class PlyScalar { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
// [bytes]
std::size_t size_of(PlyScalar type);
bool is_integer(PlyScalar type);
// Largest value of an integer type; 1 for the floating ones. Colours are divided by it.
double full_scale(PlyScalar type);

struct PlyProperty {
  std::string name;
  PlyScalar type{PlyScalar::float32};
  std::optional<PlyScalar> list_count;  // type of the count when the property is a list
};

struct PlyElement {
  std::string name;
  std::size_t count{0};
  std::vector<PlyProperty> properties;
  // Index of the property, or -1.
  int find(std::string_view property) const;
};

struct PlyHeader {
  enum class Encoding { ascii, little_endian, big_endian };
  Encoding encoding{Encoding::ascii};
  std::vector<PlyElement> elements;
  std::vector<std::string> comments;
  std::size_t body{0};  // where the rows start [bytes]
  int lines{0};         // of the header
};

PlyHeader parse_ply_header(std::string_view bytes, const std::string& name);

// One row: a number per scalar property, the numbers of each list; the other slot of a property is unused.
// Values of floating properties may be nan or infinite: who uses one checks it.
struct PlyRow {
  std::vector<double> scalar;
  std::vector<std::vector<double>> list;
  int line{0};  // 0 in binary files
};

// Gives every row of every element in the order of the file. Throws InputError on a row that does not fit the
// header, or a body that ends early; returns the number of bytes left over (binary), 0 for text.
std::size_t for_each_ply_row(
    std::string_view bytes, const PlyHeader& header, const std::string& name,
    const std::function<void(const PlyElement&, std::size_t row, const PlyRow&)>& visit);

}  // namespace prehend::model
