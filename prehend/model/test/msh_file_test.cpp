// MuJoCo's binary meshes, written here byte by byte.
#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>

namespace prehend::model {
namespace {

void add(std::string& bytes, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>((word >> (8 * i)) & 0xffU);
}

// A tetrahedron at the origin with legs of 1, 2 and 3, with a normal per vertex and texture coordinates to skip.
std::string tetrahedron(std::uint32_t last_index = 3) {
  std::string bytes;
  for (const std::uint32_t count : {4U, 4U, 4U, 4U}) add(bytes, count);
  for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 2.F, 0.F, 0.F, 0.F, 3.F})
    add(bytes, std::bit_cast<std::uint32_t>(x));
  for (int i = 0; i < 12 + 8; ++i) add(bytes, std::bit_cast<std::uint32_t>(7.F));
  for (const std::uint32_t i : {0U, 2U, 1U, 0U, 1U, 3U, 0U, 3U, 2U, 1U, 2U, last_index}) add(bytes, i);
  return bytes;
}

TEST(MshFile, ATetrahedronIsRead) {
  const MeshFile file = parse_mesh(tetrahedron(), MeshFormat::msh, "t.msh");
  EXPECT_NEAR(geometry::mass_properties(file.mesh).volume, 1.0, 1e-12);
  EXPECT_EQ(detect_mesh_format(tetrahedron(), "t.msh"), MeshFormat::msh);
}

TEST(MshFile, ErrorsSayWhatIsWrong) {
  const auto refused = [](const std::string& bytes) -> std::string {
    try {
      parse_mesh(bytes, MeshFormat::msh, "t.msh");
    } catch (const InputError& error) {
      return error.message();
    }
    return "read";
  };
  EXPECT_EQ(refused("abc"), "MSH: the file ends inside its header of 16 bytes");
  EXPECT_NE(refused(tetrahedron() + "x").find("the header promises 192 bytes, the file has 193"),
            std::string::npos);
  EXPECT_NE(refused(tetrahedron(4)).find("face 3 uses vertex 4, but there are 4"), std::string::npos);
  EXPECT_NE(refused(std::string(16, '\0')).find("there are no faces"), std::string::npos);
}

}  // namespace
}  // namespace prehend::model
