#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include <Eigen/Geometry>

#include <prehend/model/files.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

void check(const std::string& path, const geometry::TriangleMesh& mesh) {
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument(path + ": cannot write the mesh: " + what);
  };
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!mesh.vertices[i].allFinite()) fail("vertex " + std::to_string(i) + " is not finite");
  }
  const int count = static_cast<int>(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (mesh.triangles[t].minCoeff() < 0 || mesh.triangles[t].maxCoeff() >= count) {
      fail("triangle " + std::to_string(t) + " uses a vertex out of range");
    }
  }
}

void check_size(const std::string& path, std::size_t size, std::size_t expected, const char* what) {
  if (size != 0 && size != expected) {
    throw std::invalid_argument(path + ": cannot write the mesh: " + std::to_string(size) + " " + what +
                                " for " + std::to_string(expected));
  }
}

template <class T>
void append_bytes(std::string& out, T value, bool big_endian) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), &value, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big)) std::reverse(raw.begin(), raw.end());
  out.append(raw.data(), raw.size());
}

// One row of a PLY in either encoding.
class PlyRowWriter {
 public:
  PlyRowWriter(std::string& out, PlyEncoding encoding) : out_(out), encoding_(encoding) {}
  void real(const Eigen::Vector3d& v) {
    for (double x : v) real(x);
  }
  void real(double x) { put(x); }
  void integer(int x) { put(static_cast<std::int32_t>(x)); }
  void byte(int x) { put(static_cast<std::uint8_t>(x)); }
  void end() {
    if (encoding_ == PlyEncoding::ascii) out_.back() = '\n';
  }

 private:
  template <class T>
  void put(T x) {
    if (encoding_ == PlyEncoding::ascii) {
      if constexpr (std::is_integral_v<T>) {
        out_ += std::to_string(x);
      } else {
        append_number(out_, x);
      }
      out_ += ' ';
    } else {
      append_bytes(out_, x, encoding_ == PlyEncoding::binary_big_endian);
    }
  }
  std::string& out_;
  PlyEncoding encoding_;
};

// Colours that came from bytes go back to bytes; any other colour is kept exactly, as a number.
bool are_bytes(const std::vector<Eigen::Vector3d>& colors) {
  return std::all_of(colors.begin(), colors.end(), [](const Eigen::Vector3d& c) {
    return std::all_of(c.begin(), c.end(),
                       [](double x) { return x >= 0 && x <= 1 && std::round(x * 255) / 255 == x; });
  });
}

void put_color(PlyRowWriter& row, const Eigen::Vector3d& color, bool as_bytes) {
  for (double x : color) {
    if (as_bytes) {
      row.byte(static_cast<int>(std::round(x * 255)));
    } else {
      row.real(x);
    }
  }
}

std::string color_properties(bool as_bytes) {
  const std::string type = as_bytes ? "uchar" : "double";
  return "property " + type + " red\nproperty " + type + " green\nproperty " + type + " blue\n";
}

}  // namespace

void write_obj(const std::string& path, const geometry::TriangleMesh& mesh) {
  check(path, mesh);
  std::string out;
  out.reserve(60 * mesh.vertices.size() + 24 * mesh.triangles.size());
  for (const Eigen::Vector3d& p : mesh.vertices) {
    out += 'v';
    for (double x : p) {
      out += ' ';
      append_number(out, x);
    }
    out += '\n';
  }
  for (const Eigen::Vector3i& t : mesh.triangles) {
    out += "f " + std::to_string(t[0] + 1) + ' ' + std::to_string(t[1] + 1) + ' ' + std::to_string(t[2] + 1) +
           '\n';
  }
  write_file(path, out);
}

void write_stl(const std::string& path, const geometry::TriangleMesh& mesh) {
  check(path, mesh);
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument(path + ": cannot write the mesh: STL counts triangles with 32 bits");
  }
  std::string out = "binary STL, single precision";
  out.resize(80, ' ');
  out.reserve(84 + 50 * mesh.triangles.size());
  append_bytes(out, static_cast<std::uint32_t>(mesh.triangles.size()), false);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Eigen::Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Eigen::Vector3d normal =
        (b - a).stableNormalized().cross((c - a).stableNormalized()).stableNormalized();
    for (const Eigen::Vector3d& v : {normal, a, b, c}) {
      for (double x : v) {
        if (std::abs(x) > std::numeric_limits<float>::max()) {
          throw std::invalid_argument(path + ": cannot write the mesh: " + exact_number(x) +
                                      " does not fit STL's single precision");
        }
        append_bytes(out, static_cast<float>(x), false);
      }
    }
    append_bytes(out, std::uint16_t{0}, false);
  }
  write_file(path, out);
}

void write_ply(const std::string& path, const MeshFile& file, PlyEncoding encoding) {
  const geometry::TriangleMesh& mesh = file.mesh;
  check(path, mesh);
  check_size(path, file.vertex_normals.size(), mesh.vertices.size(), "normals");
  check_size(path, file.vertex_colors.size(), mesh.vertices.size(), "colours");
  check_size(path, file.vertex_labels.size(), mesh.vertices.size(), "labels");
  check_size(path, file.vertex_volumes.size(), mesh.vertices.size(), "volumes");
  check_size(path, file.triangle_colors.size(), mesh.triangles.size(), "face colours");
  const bool vertex_bytes = are_bytes(file.vertex_colors), face_bytes = are_bytes(file.triangle_colors);
  std::string out = "ply\nformat ";
  out += encoding == PlyEncoding::ascii                ? "ascii"
         : encoding == PlyEncoding::binary_little_endian ? "binary_little_endian"
                                                        : "binary_big_endian";
  out += " 1.0\ncomment length unit = meters\nelement vertex " + std::to_string(mesh.vertices.size());
  out += "\nproperty double x\nproperty double y\nproperty double z\n";
  if (!file.vertex_normals.empty()) out += "property double nx\nproperty double ny\nproperty double nz\n";
  if (!file.vertex_colors.empty()) out += color_properties(vertex_bytes);
  if (!file.vertex_labels.empty()) out += "property int label\n";
  if (!file.vertex_volumes.empty()) out += "property double volume\n";
  if (!mesh.triangles.empty()) {
    out += "element face " + std::to_string(mesh.triangles.size()) + "\n";
    if (!file.triangle_colors.empty()) out += color_properties(face_bytes);
    out += "property list uchar int vertex_indices\n";
  }
  out += "end_header\n";

  PlyRowWriter row(out, encoding);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    row.real(mesh.vertices[i]);
    if (!file.vertex_normals.empty()) row.real(file.vertex_normals[i]);
    if (!file.vertex_colors.empty()) put_color(row, file.vertex_colors[i], vertex_bytes);
    if (!file.vertex_labels.empty()) row.integer(file.vertex_labels[i]);
    if (!file.vertex_volumes.empty()) row.real(file.vertex_volumes[i]);
    row.end();
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (!file.triangle_colors.empty()) put_color(row, file.triangle_colors[t], face_bytes);
    row.byte(3);
    for (int index : mesh.triangles[t]) row.integer(index);
    row.end();
  }
  write_file(path, out);
}

void write_ply(const std::string& path, const geometry::TriangleMesh& mesh, PlyEncoding encoding) {
  MeshFile file;
  file.mesh = mesh;
  write_ply(path, file, encoding);
}

void write_mesh(const std::string& path, const geometry::TriangleMesh& mesh) {
  const std::string small = lower_case(path);
  if (small.ends_with(".obj")) return write_obj(path, mesh);
  if (small.ends_with(".stl")) return write_stl(path, mesh);
  if (small.ends_with(".ply")) return write_ply(path, mesh);
  throw std::invalid_argument(path + ": cannot write the mesh: expected the extension .obj, .stl or .ply");
}

}  // namespace prehend::model
