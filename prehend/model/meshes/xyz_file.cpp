// Clouds as lines of numbers: x y z, then three colours, or three components of a normal, or both.
#include <cmath>
#include <vector>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kMostColumns = 32;

// The numbers of a line, between spaces, tabs, commas or semicolons. False where a word is none; `nan` is one.
bool take_numbers(std::string_view line, std::vector<double>& numbers) {
  numbers.clear();
  std::string plain(line);
  for (char& c : plain) {
    if (c == ',' || c == ';') c = ' ';
  }
  std::string_view rest = plain;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto value = parse_number(word);
    const bool is_nan = equals_ignoring_case(word, "nan") || equals_ignoring_case(word, "-nan");
    if ((!value && !is_nan) || numbers.size() == kMostColumns) return false;
    numbers.push_back(value.value_or(std::nan("")));
  }
  return true;
}

// What three columns are, from all their rows.
class Triple {
 public:
  explicit Triple(const std::vector<Vector3d>& values) {
    for (const Vector3d& v : values) {
      is_unit_ = is_unit_ && std::abs(v.norm() - 1.0) < 0.02;
      is_byte_ = is_byte_ && v.minCoeff() >= 0.0 && v.maxCoeff() <= 255.0 && v == v.array().round().matrix();
      is_share_ = is_share_ && v.minCoeff() >= 0.0 && v.maxCoeff() <= 1.0;
    }
  }
  bool is_normal() const { return is_unit_; }
  // [-] of a colour's full scale; 0: no colours.
  double scale() const { return is_share_ ? 1.0 : is_byte_ ? 255.0 : 0.0; }

 private:
  bool is_unit_{true}, is_byte_{true}, is_share_{true};
};

class XyzReader {
 public:
  XyzReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  MeshFile run() {
    LineScanner scanner(bytes_.starts_with("\xef\xbb\xbf") ? bytes_.substr(3) : bytes_);
    std::string_view line;
    std::vector<double> numbers;
    bool is_first = true;
    while (scanner.next(line)) {
      line = trimmed(line);
      if (line.empty() || line.starts_with('#') || line.starts_with("//")) continue;
      const bool is_numeric = take_numbers(line, numbers);
      // A header of words, or the number of points.
      if (is_first && (!is_numeric || numbers.size() == 1)) {
        is_first = false;
        continue;
      }
      is_first = false;
      if (!is_numeric || numbers.size() < 3) fail(scanner.line(), line);
      take(numbers, scanner.line());
    }
    if (file_.mesh.vertices.empty())
      throw InputError(name_, 0, "the file holds no points; lines of 'x y z' were expected");
    finish();
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(int line, std::string_view text) const {
    throw InputError(
        name_, line,
        in_quotes(text) + " is no point; expected x y z in numbers, then r g b or nx ny nz, if any");
  }
  void take(const std::vector<double>& numbers, int line) {
    if (columns_ == 0) columns_ = numbers.size();
    if (numbers.size() != columns_)
      throw InputError(name_, line,
                       "the line has " + std::to_string(numbers.size()) + " numbers; those above have " +
                           std::to_string(columns_));
    const Vector3d p(numbers[0], numbers[1], numbers[2]);
    if (!p.allFinite()) {
      ++left_out_;
      return;
    }
    file_.mesh.vertices.push_back(p);
    // A single column between may be an intensity: x y z i r g b.
    const std::size_t first = (columns_ - 3) % 3;
    for (std::size_t k = 0; k < 2 && 3 + first + 3 * k + 3 <= columns_; ++k) {
      const std::size_t c = 3 + first + 3 * k;
      more_[k].emplace_back(numbers[c], numbers[c + 1], numbers[c + 2]);
    }
  }
  void finish() {
    file_.encoding = "ascii";
    std::size_t used = 3;
    for (std::vector<Vector3d>& values : more_) {
      if (values.empty()) continue;
      const Triple what(values);
      if (what.is_normal() && file_.vertex_normals.empty()) {
        file_.vertex_normals = std::move(values);
      } else if (what.scale() > 0.0 && file_.vertex_colors.empty()) {
        for (Vector3d& value : values) value /= what.scale();
        file_.vertex_colors = std::move(values);
      } else {
        continue;
      }
      used += 3;
    }
    if (used < columns_)
      file_.notes.push_back(std::to_string(columns_ - used) + " of " + std::to_string(columns_) +
                            " columns are neither coordinates, colours nor normals, and were ignored");
    if (left_out_ > 0)
      file_.notes.push_back(std::to_string(left_out_) + " points without coordinates (nan) were left out");
  }

  std::string_view bytes_;
  const std::string& name_;
  MeshFile file_;
  std::vector<Vector3d> more_[2];
  std::size_t columns_{0}, left_out_{0};
};

}  // namespace

MeshFile read_xyz(std::string_view bytes, const std::string& name) { return XyzReader(bytes, name).run(); }

}  // namespace prehend::model
