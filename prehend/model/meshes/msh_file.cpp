// MuJoCo's own binary meshes (.msh): four counts (vertices, normals, texture coordinates, faces) as 32-bit integers, then
// the vertices and normals as three floats each, texture coordinates as two, faces as three integers; all little endian.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>

namespace prehend::model {
namespace {

std::uint32_t msh_word_at(std::string_view bytes, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i)
    word |= std::uint32_t{static_cast<unsigned char>(bytes[4 * index + i])} << (8 * i);
  return word;
}

}  // namespace

MeshFile read_msh(std::string_view bytes, const std::string& name) {
  const auto fail = [&](const std::string& what) { throw InputError(name, 0, "MSH: " + what); };
  if (bytes.size() < 16) fail("the file ends inside its header of 16 bytes");
  std::array<std::uint64_t, 4> counts{};
  for (std::size_t i = 0; i < 4; ++i) {
    counts[i] = msh_word_at(bytes, i);
    if (counts[i] > 0x7fffffffU) fail("a count in the header is negative; expected MuJoCo's mesh format");
  }
  const auto [vertices, normals, coordinates, faces] = counts;
  const std::uint64_t expected = 16 + 12 * (vertices + normals + faces) + 8 * coordinates;
  if (bytes.size() != expected) {
    fail("the header promises " + std::to_string(expected) + " bytes, the file has " +
         std::to_string(bytes.size()) + "; expected MuJoCo's mesh format");
  }
  MeshFile file;
  file.format = MeshFormat::msh;
  file.encoding = "binary";
  const auto number = [&](std::size_t index) {
    const double value = std::bit_cast<float>(msh_word_at(bytes, index));
    if (!std::isfinite(value)) fail("a coordinate is not finite");
    return value;
  };
  file.mesh.vertices.reserve(vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t at = 4 + 3 * v;
    file.mesh.vertices.emplace_back(number(at), number(at + 1), number(at + 2));
  }
  const std::size_t first_face = 4 + 3 * (vertices + normals) + 2 * coordinates;
  for (std::size_t f = 0; f < faces; ++f) {
    Eigen::Vector3i triangle;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t vertex = msh_word_at(bytes, first_face + 3 * f + i);
      if (vertex >= vertices)
        fail("face " + std::to_string(f) + " uses vertex " + std::to_string(vertex) + ", but there are " +
             std::to_string(vertices) + " (counted from 0)");
      triangle[static_cast<Eigen::Index>(i)] = static_cast<int>(vertex);
    }
    file.mesh.triangles.push_back(triangle);
  }
  if (faces == 0) fail("there are no faces; save the mesh with its triangles, as STL or OBJ");
  file.polygons = faces;
  return file;
}

}  // namespace prehend::model
