// Clouds of the Point Cloud Library, versions 0.6 and 0.7: a text header, then the fields of every point as text, as bytes, or packed (LZF) field by
// field.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

using Eigen::Vector3d;

struct PcdField {
  std::string name;
  int size{4}, count{1};  // bytes of a number, numbers of a point
  char type{'F'};         // F, I, U
  std::size_t offset{0};  // [bytes] within a point
};

// The number at `at`, little endian.
double number_at(const char* at, const PcdField& field) {
  std::uint64_t bits = 0;
  for (int k = field.size - 1; k >= 0; --k) bits = bits << 8 | static_cast<unsigned char>(at[k]);
  if (field.type == 'F') {
    if (field.size == 8) return std::bit_cast<double>(bits);
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
  if (field.type == 'U') return static_cast<double>(bits);
  const int shift = 64 - 8 * field.size;
  return static_cast<double>(static_cast<std::int64_t>(bits << shift) >> shift);
}

// LZF as liblzf packs it: literal runs, and copies of what came before. False where the bytes are damaged or do not give `out` in full.
bool unpack_lzf(std::string_view in, std::string& out) {
  std::size_t i = 0, o = 0;
  while (i < in.size()) {
    const std::size_t control = static_cast<unsigned char>(in[i++]);
    if (control < 32) {
      const std::size_t length = control + 1;
      if (length > in.size() - i || length > out.size() - o) return false;
      std::memcpy(out.data() + o, in.data() + i, length);
      i += length;
      o += length;
      continue;
    }
    std::size_t length = control >> 5;
    if (length == 7) {
      if (i == in.size()) return false;
      length += static_cast<unsigned char>(in[i++]);
    }
    length += 2;
    if (i == in.size()) return false;
    const std::size_t back = ((control & 0x1f) << 8 | static_cast<unsigned char>(in[i++])) + 1;
    if (back > o || length > out.size() - o) return false;
    for (std::size_t k = 0; k < length; ++k, ++o) out[o] = out[o - back];
  }
  return o == out.size();
}

class PcdReader {
 public:
  PcdReader(std::string_view bytes, const std::string& name) : scanner_(bytes), name_(name) {}

  MeshFile run() {
    read_header();
    if (data_ == "ascii") {
      read_ascii();
    } else if (data_ == "binary") {
      read_packed(scanner_.rest(), false);
    } else if (data_ == "binary_compressed") {
      read_compressed();
    } else {
      fail("DATA is " + in_quotes(data_) + "; expected ascii, binary or binary_compressed");
    }
    if (file_.mesh.vertices.empty()) fail("the PCD holds no points");
    if (left_out_ > 0)
      file_.notes.push_back(std::to_string(left_out_) + " points without coordinates (nan) were left out");
    file_.encoding = data_ == "ascii" ? "ascii" : "binary";
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_, scanner_.line(), what); }

  int whole(std::string_view word, int most) const {
    const auto value = parse_integer(word);
    if (!value || *value < 0 || *value > most)
      fail(in_quotes(word) + " in the PCD's header is no whole number from 0 to " + std::to_string(most));
    return static_cast<int>(*value);
  }

  void read_header() {
    constexpr int kMostPoints = 100'000'000;
    std::string_view line;
    while (data_.empty()) {
      if (!scanner_.next(line)) fail("the PCD's header has no DATA line");
      if (trimmed(line).starts_with('#')) continue;
      std::string_view rest = line;
      const std::string_view key = take_word(rest);
      std::size_t k = 0;
      for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest), ++k) {
        if (key == "FIELDS") {
          if (fields_.size() == 64) fail("the PCD has more than 64 fields");
          fields_.push_back({std::string(word), 4, 1, 'F', 0});
        } else if (key == "SIZE" || key == "TYPE" || key == "COUNT") {
          if (k >= fields_.size()) fail(std::string(key) + " names more fields than FIELDS");
          if (key == "SIZE") fields_[k].size = whole(word, 8);
          if (key == "COUNT") fields_[k].count = whole(word, 4096);
          if (key == "TYPE") fields_[k].type = word.front();
        } else if (key == "WIDTH" || key == "HEIGHT" || key == "POINTS") {
          (key == "WIDTH" ? width_ : key == "HEIGHT" ? height_ : points_) = whole(word, kMostPoints);
        } else if (key == "DATA" && k == 0) {
          data_ = word;
        }
      }
    }
    if (points_ < 0) points_ = width_ * height_;
    if (points_ > kMostPoints)
      fail("the PCD states " + std::to_string(points_) + " points; that is too many");
    for (PcdField& field : fields_) {
      const bool is_known =
          field.type == 'F' ? field.size == 4 || field.size == 8
                            : (field.type == 'I' || field.type == 'U') &&
                                  (field.size == 1 || field.size == 2 || field.size == 4 || field.size == 8);
      if (!is_known)
        fail("the field " + in_quotes(field.name) + " has the type " + field.type +
             std::to_string(field.size) + "; expected F4, F8, or I and U of 1, 2, 4 or 8 bytes");
      field.offset = stride_;
      stride_ += static_cast<std::size_t>(field.size) * static_cast<std::size_t>(field.count);
    }
    for (const char* axis : {"x", "y", "z"}) {
      if (find(axis) == nullptr) fail("the PCD has no field '" + std::string(axis) + "'");
    }
  }

  const PcdField* find(std::string_view name) const {
    for (const PcdField& field : fields_) {
      if (field.name == name && field.count > 0) return &field;
    }
    return nullptr;
  }

  // `value` gives the number of a field; `bits` that of a packed colour.
  template <class Value, class Bits>
  void take_point(const Value& value, const Bits& bits) {
    const auto triple = [&](const char* a, const char* b, const char* c) {
      return Vector3d(value(*find(a)), value(*find(b)), value(*find(c)));
    };
    const Vector3d p = triple("x", "y", "z");
    if (!p.allFinite()) {
      ++left_out_;
      return;
    }
    file_.mesh.vertices.push_back(p);
    const auto has = [&](const char* name) { return find(name) != nullptr; };
    if (has("normal_x") && has("normal_y") && has("normal_z"))
      file_.vertex_normals.push_back(triple("normal_x", "normal_y", "normal_z"));
    const PcdField* colour = has("rgb") ? find("rgb") : find("rgba");
    if (colour != nullptr) {
      const std::uint32_t packed = bits(*colour);
      file_.vertex_colors.push_back(Vector3d(packed >> 16 & 0xff, packed >> 8 & 0xff, packed & 0xff) / 255.0);
    } else if (has("r") && has("g") && has("b")) {
      file_.vertex_colors.push_back(triple("r", "g", "b").cwiseMax(0.0).cwiseMin(255.0) / 255.0);
    }
    if (const PcdField* label = find("label")) {
      const double number = value(*label);
      file_.vertex_labels.push_back(std::abs(number) < 1e9 ? static_cast<int>(number) : 0);
    }
  }

  void read_ascii() {
    std::string_view line;
    std::vector<double> numbers;
    while (scanner_.next(line)) {
      if (trimmed(line).empty()) continue;
      numbers.clear();
      std::string_view rest = line;
      for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        const bool is_nan = equals_ignoring_case(word, "nan") || equals_ignoring_case(word, "-nan");
        const auto number = parse_number(word);
        if (!number && !is_nan) fail(in_quotes(word) + " is no number");
        numbers.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
      }
      std::size_t wanted = 0;
      for (const PcdField& field : fields_) wanted += static_cast<std::size_t>(field.count);
      if (numbers.size() != wanted)
        fail("the point has " + std::to_string(numbers.size()) + " numbers; the fields need " +
             std::to_string(wanted));
      const auto value = [&](const PcdField& field) {
        std::size_t at = 0;
        for (const PcdField* before = fields_.data(); before != &field; ++before)
          at += static_cast<std::size_t>(before->count);
        return numbers[at];
      };
      take_point(value, [&](const PcdField& field) {
        const double number = value(field);
        if (field.type == 'F') return std::bit_cast<std::uint32_t>(static_cast<float>(number));
        return number >= 0.0 && number < 4294967296.0 ? static_cast<std::uint32_t>(number) : 0u;
      });
    }
    if (file_.mesh.vertices.size() + left_out_ != static_cast<std::size_t>(points_))
      fail("the PCD states " + std::to_string(points_) + " points and has " +
           std::to_string(file_.mesh.vertices.size() + left_out_));
  }

  // All fields of a point together, or all points of a field together.
  void read_packed(std::string_view bytes, bool by_field) {
    const auto count = static_cast<std::size_t>(points_);
    if (stride_ == 0 || bytes.size() / stride_ < count)
      fail("the PCD states " + std::to_string(points_) + " points of " + std::to_string(stride_) +
           " bytes, and ends after " + std::to_string(bytes.size()) + " bytes");
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = [&](const PcdField& field) {
        const std::size_t size = static_cast<std::size_t>(field.size) * static_cast<std::size_t>(field.count);
        return bytes.data() + (by_field ? count * field.offset + i * size : i * stride_ + field.offset);
      };
      take_point([&](const PcdField& field) { return number_at(at(field), field); },
                 [&](const PcdField& field) {
                   PcdField packed = field;
                   packed.type = 'U';
                   return static_cast<std::uint32_t>(number_at(at(field), packed));
                 });
    }
  }

  void read_compressed() {
    constexpr std::size_t kHead = 8, kMostRatio = 100;  // LZF packs 264 bytes into 3
    const std::string_view bytes = scanner_.rest();
    const PcdField size{"", 4, 1, 'U', 0};
    if (bytes.size() < kHead) fail("the PCD ends before its compressed data");
    const auto packed = static_cast<std::size_t>(number_at(bytes.data(), size)),
               whole_size = static_cast<std::size_t>(number_at(bytes.data() + 4, size));
    if (packed > bytes.size() - kHead || whole_size / kMostRatio > packed)
      fail("the PCD's compressed data are damaged or cut off");
    std::string unpacked(whole_size, '\0');
    if (!unpack_lzf(bytes.substr(kHead, packed), unpacked)) fail("the PCD's compressed data are damaged");
    read_packed(unpacked, true);
  }

  LineScanner scanner_;
  const std::string& name_;
  std::vector<PcdField> fields_;
  std::size_t stride_{0}, left_out_{0};
  std::int64_t points_{-1};
  std::int64_t width_{0}, height_{1};
  std::string data_;
  MeshFile file_;
};

}  // namespace

bool is_pcd(std::string_view bytes) {
  return bytes.starts_with("# .PCD") || bytes.starts_with("VERSION .7") || bytes.starts_with("VERSION 0.7") ||
         bytes.starts_with("VERSION .6") || bytes.starts_with("VERSION 0.6");
}

MeshFile read_pcd(std::string_view bytes, const std::string& name) { return PcdReader(bytes, name).run(); }

}  // namespace prehend::model
