#include <cmath>
#include <cstdint>
#include <cstring>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

constexpr std::size_t kHeader = 84, kRecord = 50;

std::uint32_t claimed_triangles(std::string_view bytes) {
  const auto* b = reinterpret_cast<const unsigned char*>(bytes.data()) + 80;
  return b[0] | b[1] << 8 | b[2] << 16 | static_cast<std::uint32_t>(b[3]) << 24;
}

// Little-endian on every machine; compilers make one load of it.
float float_at(const char* p) {
  const auto* b = reinterpret_cast<const unsigned char*>(p);
  const std::uint32_t bits = b[0] | b[1] << 8 | b[2] << 16 | static_cast<std::uint32_t>(b[3]) << 24;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Collects triangles, welded or not.
class TriangleSink {
 public:
  // A closed mesh has half as many vertices as triangles.
  TriangleSink(std::size_t triangles, bool weld) : pool_(weld ? triangles / 2 + 3 : 0), weld_(weld) {
    triangles_.reserve(triangles);
    if (!weld) points_.reserve(3 * triangles);
  }
  int vertex(const Eigen::Vector3d& p) {
    if (weld_) return pool_.insert(p);
    points_.push_back(p);
    return static_cast<int>(points_.size()) - 1;
  }
  void triangle(const Eigen::Vector3i& t) { triangles_.push_back(t); }
  std::size_t size() const { return triangles_.size(); }
  geometry::TriangleMesh take() { return {weld_ ? pool_.take() : std::move(points_), std::move(triangles_)}; }

 private:
  VertexPool pool_;
  bool weld_;
  std::vector<Eigen::Vector3d> points_;
  std::vector<Eigen::Vector3i> triangles_;
};

MeshFile read_binary(std::string_view bytes, const std::string& name, const MeshFileOptions& options) {
  if (bytes.size() < kHeader) {
    throw InputError(name, 0,
                     "a binary STL has a header of 84 bytes, this file has " + std::to_string(bytes.size()) +
                         "; it is truncated or no STL");
  }
  const std::size_t count = claimed_triangles(bytes);
  const std::size_t needed = kHeader + kRecord * count;
  if (needed > bytes.size()) {
    throw InputError(name, 0,
                     "the STL header claims " + std::to_string(count) + " triangles (" +
                         std::to_string(needed) + " bytes), the file has " + std::to_string(bytes.size()) +
                         " bytes; it is truncated or no STL");
  }
  if (count == 0) throw InputError(name, 0, "the STL holds no triangles");
  MeshFile file;
  file.encoding = "binary";
  TriangleSink sink(count, options.weld);
  for (std::size_t t = 0; t < count; ++t) {
    const char* record = bytes.data() + kHeader + kRecord * t + 12;  // the normal is recomputed when needed
    Eigen::Vector3i triangle;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d p(float_at(record + 12 * k), float_at(record + 12 * k + 4),
                              float_at(record + 12 * k + 8));
      if (!p.allFinite()) {
        throw InputError(
            name, 0, "triangle " + std::to_string(t + 1) + " of the STL has a coordinate that is not finite");
      }
      triangle[k] = sink.vertex(p);
    }
    sink.triangle(triangle);
  }
  file.mesh = sink.take();
  if (bytes.size() > needed) {
    file.notes.push_back(std::to_string(bytes.size() - needed) +
                         " bytes after the last triangle were ignored");
  }
  return file;
}

// Words with the line they stand on, across line ends.
class WordScanner {
 public:
  WordScanner(std::string_view text, const std::string& name) : lines_(text), name_(name) {}
  // Empty at the end of the text.
  std::string_view next() {
    for (;;) {
      const std::string_view word = take_word(rest_);
      if (!word.empty() || !lines_.next(rest_)) return word;
    }
  }
  std::string_view rest_of_line() {
    const std::string_view text = trimmed(rest_);
    rest_ = {};
    return text;
  }
  void expect(std::string_view keyword) {
    const std::string_view word = next();
    if (!equals_ignoring_case(word, keyword)) fail(word, in_quotes(keyword));
  }
  double number() {
    const std::string_view word = next();
    const auto value = parse_number(word);
    if (!value) fail(word, "a finite number");
    return *value;
  }
  [[noreturn]] void fail(std::string_view word, const std::string& expected) {
    if (word.empty())
      throw InputError(name_, lines_.line(),
                       "the STL ends where " + expected + " was expected; it is truncated");
    throw InputError(name_, lines_.line(), "expected " + expected + ", found " + in_quotes(word));
  }

 private:
  LineScanner lines_;
  std::string_view rest_;
  const std::string& name_;
};

MeshFile read_ascii(std::string_view bytes, const std::string& name, const MeshFileOptions& options) {
  MeshFile file;
  file.encoding = "ascii";
  WordScanner words(bytes, name);
  // A facet takes some 200 bytes; the estimate only saves reallocation.
  TriangleSink sink(bytes.size() / 256, options.weld);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (!equals_ignoring_case(word, "solid")) words.fail(word, "'solid'");
    const std::string_view title = words.rest_of_line();
    if (!file.stated_unit_m) file.stated_unit_m = stated_unit(title);
    file.groups.emplace_back(title);
    for (;;) {
      word = words.next();
      if (equals_ignoring_case(word, "endsolid")) break;
      if (!equals_ignoring_case(word, "facet")) words.fail(word, "'facet' or 'endsolid'");
      words.expect("normal");
      // The normal is recomputed when needed; some programs write nan for it.
      for (int k = 0; k < 3; ++k) words.next();
      words.expect("outer");
      words.expect("loop");
      Eigen::Vector3i triangle;
      for (int k = 0; k < 3; ++k) {
        words.expect("vertex");
        const double x = words.number(), y = words.number(), z = words.number();
        triangle[k] = sink.vertex({x, y, z});
      }
      words.expect("endloop");
      words.expect("endfacet");
      sink.triangle(triangle);
      file.triangle_groups.push_back(static_cast<int>(file.groups.size()) - 1);
    }
    words.rest_of_line();
  }
  if (sink.size() == 0) throw InputError(name, 0, "the STL holds no triangles");
  file.mesh = sink.take();
  return file;
}

}  // namespace

bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= kHeader &&
         bytes.size() == kHeader + kRecord * static_cast<std::size_t>(claimed_triangles(bytes));
}

MeshFile read_stl(std::string_view bytes, const std::string& name, const MeshFileOptions& options) {
  // Many binary files start with 'solid' too, so the size decides; where the size fits neither way, bytes that
  // no text has decide.
  std::string_view text = bytes;
  const bool says_solid = equals_ignoring_case(take_word(text), "solid");
  const bool ascii = !is_binary_stl(bytes) && says_solid && !looks_binary(bytes);
  MeshFile file = ascii ? read_ascii(bytes, name, options) : read_binary(bytes, name, options);
  file.format = MeshFormat::stl;
  file.polygons = file.mesh.triangles.size();
  if (options.weld) {
    file.notes.push_back("STL stores three vertices per triangle; equal ones were welded (" +
                         std::to_string(3 * file.mesh.triangles.size()) + " to " +
                         std::to_string(file.mesh.vertices.size()) + ")");
  }
  return file;
}

}  // namespace prehend::model
