#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <tests/places.h>

#include "expect_input_error.h"
#include <prehend/model/files.h>
#include <prehend/model/mesh_file.h>

namespace prehend::model {
namespace {

using Corners = std::vector<Eigen::Vector3f>;

std::string binary_stl(const Corners& corners, std::uint32_t claimed,
                       const std::string& header = "solid but binary") {
  std::string out = header;
  out.resize(80, '\0');
  out.append(reinterpret_cast<const char*>(&claimed), 4);
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    out.append(12, '\0');
    for (int k = 0; k < 3; ++k) out.append(reinterpret_cast<const char*>(corners[i + k].data()), 12);
    out.append(2, '\0');
  }
  return out;
}

const Corners kTetrahedron = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1},
                              {0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

MeshFile parsed_stl(const std::string& bytes, const MeshFileOptions& options = {}) {
  return parse_mesh(bytes, MeshFormat::stl, "a.stl", options);
}

constexpr char kFacet[] =
    "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\nendfacet\n";

TEST(StlFile, BinaryIsToldByItsSizeAlsoWhenItSaysSolid) {
  const MeshFile file = parsed_stl(binary_stl(kTetrahedron, 4));
  EXPECT_EQ(file.encoding, "binary");
  ASSERT_EQ(file.mesh.triangles.size(), 4u);
  ASSERT_EQ(file.mesh.vertices.size(), 4u);
  for (int t = 0; t < 4; ++t) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(file.mesh.vertices[file.mesh.triangles[t][k]], kTetrahedron[3 * t + k].cast<double>());
    }
  }
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_EQ(file.notes[0], "STL stores three vertices per triangle; equal ones were welded (12 to 4)");
}

TEST(StlFile, WeldingJoinsEqualNumbersOnly) {
  Corners corners = kTetrahedron;
  corners[3].x() = -0.0f;                                     // equal to 0
  corners[6].x() = std::numeric_limits<float>::denorm_min();  // not equal to 0
  EXPECT_EQ(parsed_stl(binary_stl(corners, 4)).mesh.vertices.size(), 5u);
  EXPECT_EQ(parsed_stl(binary_stl(corners, 4), {.weld = false}).mesh.vertices.size(), 12u);
}

TEST(StlFile, AsciiTakesOddSpacesCaseAndSeveralSolids) {
  const std::string text =
      "\n  SOLID first part\r\n" + std::string(kFacet) + "endsolid first part\n\n\tsolid\n" +
      "facet normal nan nan nan outer loop vertex +1e0 0 0\n\n vertex 2 0 0 vertex\n1.5 1 0 "
      "ENDLOOP endfacet\n" +
      "endsolid";
  const MeshFile file = parsed_stl(text);
  EXPECT_EQ(file.encoding, "ascii");
  EXPECT_EQ(file.mesh.triangles.size(), 2u);
  EXPECT_EQ(file.mesh.vertices.size(), 5u);
  EXPECT_EQ(file.groups, (std::vector<std::string>{"first part", ""}));
  EXPECT_EQ(file.triangle_groups, (std::vector<int>{0, 1}));
  EXPECT_EQ(file.mesh.vertices.back(), Eigen::Vector3d(1.5, 1, 0));
}

TEST(StlFile, ScaleIsAppliedAndValidated) {
  EXPECT_EQ(parsed_stl(binary_stl(kTetrahedron, 4), {.unit = 0.001}).mesh.vertices[1],
            Eigen::Vector3d(0, 0.001, 0));
  try {
    parsed_stl(binary_stl(kTetrahedron, 4), {.unit = -1});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "MeshFileOptions::unit is -1 m; it must be finite and above 0 m");
  }
}

TEST(StlFile, BadBinaryFiles) {
  expect_input_error([] { parsed_stl(""); }, 0, "the file is empty; an STL mesh was expected");
  expect_input_error([] { parsed_stl(std::string("\0\1\2", 3)); }, 0, "header of 84 bytes, this file has 3");
  expect_input_error(
      [] { parsed_stl(binary_stl(kTetrahedron, 4294967295u)); }, 0,
      "the STL header claims 4294967295 triangles (214748364834 bytes), the file has 284 bytes");
  const std::string whole = binary_stl(kTetrahedron, 4);
  expect_input_error([&] { parsed_stl(whole.substr(0, 200)); }, 0, "truncated or no STL");
  expect_input_error([] { parsed_stl(binary_stl({}, 0)); }, 0, "the STL holds no triangles");
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Corners corners = kTetrahedron;
    corners[7].y() = bad;
    expect_input_error([&] { parsed_stl(binary_stl(corners, 4)); }, 0,
                       "triangle 3 of the STL has a coordinate that is not finite");
  }
  EXPECT_EQ(parsed_stl(whole + "tail").notes.front(), "4 bytes after the last triangle were ignored");
}

TEST(StlFile, BadTextFilesNameTheLine) {
  const std::string facet = kFacet;
  expect_input_error([&] { parsed_stl("solid a\n" + facet); }, 8,
                     "the STL ends where 'facet' or 'endsolid' was expected; it is truncated");
  expect_input_error([&] { parsed_stl("solid a\n" + facet.substr(0, 40)); }, 4, "it is truncated");
  expect_input_error([&] { parsed_stl("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 x 0"); }, 4,
                     "expected a finite number, found 'x'");
  expect_input_error([&] { parsed_stl("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 nan 0"); }, 4,
                     "expected a finite number, found 'nan'");
  expect_input_error([&] { parsed_stl("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 1e999 0"); }, 4,
                     "found '1e999'");
  expect_input_error([&] { parsed_stl("solid a\nendsolid\nfoo"); }, 3, "expected 'solid', found 'foo'");
  expect_input_error([&] { parsed_stl("solid a\nendsolid\n"); }, 0, "the STL holds no triangles");
  expect_input_error([&] { parsed_stl("solid a\n" + facet + "vertex 1 1 1"); }, 9,
                     "expected 'facet' or 'endsolid', found 'vertex'");
}

TEST(StlFile, WritesSinglePrecisionThatReadsBackExactly) {
  const TemporaryFolder folder;
  const geometry::TriangleMesh mesh = parsed_stl(binary_stl(kTetrahedron, 4)).mesh;
  write_mesh(folder / "t.stl", mesh);
  const geometry::TriangleMesh again = read_mesh(folder / "t.stl");
  EXPECT_EQ(again.vertices, mesh.vertices);
  EXPECT_EQ(again.triangles, mesh.triangles);
  EXPECT_THROW(write_mesh(folder / "t.step", mesh), std::invalid_argument);
  geometry::TriangleMesh bad = mesh;
  bad.triangles[0][1] = 4;
  EXPECT_THROW(write_mesh(folder / "bad.stl", bad), std::invalid_argument);
  bad = mesh;
  bad.vertices[0].x() = 1e300;
  EXPECT_THROW(write_mesh(folder / "bad.stl", bad), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(folder / "bad.stl"));
}

TEST(StlFile, RecordedPegAndHole) {
  PREHEND_NEEDS_SHARED_DATA();
  const std::string folder = prehend::test::shared_data() + "/peg_in_hole/";
  const MeshFile peg = read_mesh_file(folder + "peg.stl", {.unit = 0.001});
  EXPECT_EQ(peg.encoding, "ascii");
  EXPECT_EQ(peg.mesh.triangles.size(), 404u);  // 'grep -c facet' says 808 lines
  EXPECT_EQ(peg.mesh.vertices.size(), 204u);   // Euler: V = 2 + F/2 for a closed surface without holes
  EXPECT_EQ(peg.groups, (std::vector<std::string>{"Created by Gmsh"}));
  const MeshFile hole = read_mesh_file(folder + "hole.stl", {.unit = 0.001});
  EXPECT_EQ(2 * hole.mesh.vertices.size(), hole.mesh.triangles.size() + 4);  // a blind hole: genus zero too
}

}  // namespace
}  // namespace prehend::model
