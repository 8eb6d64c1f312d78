#include <cstring>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "expect_input_error.h"
#include <prehend/model/mesh_file.h>

namespace prehend::model {
namespace {

MeshFile parsed_obj(const std::string& text) { return parse_mesh(text, MeshFormat::obj, "a.obj"); }

constexpr char kTriangle[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

TEST(ObjFile, IndicesOfAllKinds) {
  const std::string text = std::string(kTriangle) +
                           "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/1\n"
                           "f -3 -2 -1\nf -3/-1/-1 -2/-1/-1 -1/-1/-1\n";
  const MeshFile file = parsed_obj(text);
  ASSERT_EQ(file.mesh.triangles.size(), 6u);
  for (const Eigen::Vector3i& t : file.mesh.triangles) EXPECT_EQ(t, Eigen::Vector3i(0, 1, 2));
  EXPECT_EQ(file.vertex_normals, std::vector<Eigen::Vector3d>(3, Eigen::Vector3d::UnitZ()));
}

TEST(ObjFile, NormalsOfNeedlesAreNone) {
  const MeshFile file = parsed_obj(std::string(kTriangle) + "vn nan nan nan\nvn 0 0 1\nf 1//1 2//2 3//2\n");
  EXPECT_EQ(file.mesh.triangles.size(), 1u);
  EXPECT_EQ(file.vertex_normals.at(0), Eigen::Vector3d::Zero());
}

TEST(ObjFile, NegativeIndicesCountFromTheirOwnLine) {
  const MeshFile file = parsed_obj(std::string(kTriangle) + "f -1 -2 -3\nv 5 5 5\nf -1 -2 -3\n");
  EXPECT_EQ(file.mesh.triangles[0], Eigen::Vector3i(2, 1, 0));
  EXPECT_EQ(file.mesh.triangles[1], Eigen::Vector3i(3, 2, 1));
}

TEST(ObjFile, GroupsObjectsColoursContinuationsAndComments) {
  const MeshFile file = parsed_obj(
      "# exported, units: mm\r\nmtllib x.mtl\r\nv 0 0 0 1 0 0\r\nv 1 0 \\\r\n0 0 1 0\r\nv 0 1 0 # white\r\n"
      "f 1 2 3\r\no box\r\ng top\r\nusemtl red\r\ns off\r\nf 1 2 \\\n3\no box\ng empty\ng top\nf 3 2 1\n");
  EXPECT_EQ(file.groups, (std::vector<std::string>{"", "box/top"}));
  EXPECT_EQ(file.triangle_groups, (std::vector<int>{0, 1, 1}));
  ASSERT_EQ(file.vertex_colors.size(), 3u);
  EXPECT_EQ(file.vertex_colors[1], Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(file.vertex_colors[2], Eigen::Vector3d(1, 1, 1));
  EXPECT_EQ(file.stated_unit_m, 0.001);
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_EQ(file.notes[0],
            "the file states a length unit of 0.001 m; coordinates were taken as metres because no unit was "
            "asked for");
}

TEST(ObjFile, ANonConvexPolygonKeepsItsArea) {
  // An L of area 3; a fan from its first corner would cover area outside.
  const MeshFile file = parsed_obj("v 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nf 4 5 6 1 2 3\n");
  ASSERT_EQ(file.mesh.triangles.size(), 4u);
  EXPECT_EQ(file.polygons, 1u);
  double area = 0;
  for (const Eigen::Vector3i& t : file.mesh.triangles) {
    const auto& v = file.mesh.vertices;
    const double twice = (v[t[1]] - v[t[0]]).cross(v[t[2]] - v[t[0]]).z();
    EXPECT_GT(twice, 0);
    area += twice / 2;
  }
  EXPECT_DOUBLE_EQ(area, 3.0);
}

TEST(ObjFile, CreasedNormalsAndLinesAreNoted) {
  const MeshFile file =
      parsed_obj(std::string(kTriangle) + "vn 0 0 1\nvn 0 1 0\nl 1 2\nf 1//1 2//1 3//1\nf 1//2 2//1 3//1\n");
  EXPECT_TRUE(file.vertex_normals.empty());
  EXPECT_EQ(file.notes, (std::vector<std::string>{"normals were ignored: some vertices have none or several",
                                                  "lines and points ('l', 'p') were ignored"}));
}

TEST(ObjFile, FacesOfTwoCornersAreEdges) {
  const MeshFile file = parsed_obj(std::string(kTriangle) + "f 1 2 3\nf 1 2\n");
  EXPECT_EQ(file.mesh.triangles.size(), 1u);
  EXPECT_EQ(file.notes, (std::vector<std::string>{"1 faces of two corners were ignored: they are edges"}));
}

TEST(ObjFile, MaterialsColourTriangles) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "model/sub");
  folder.write("model/sub/two colours.mtl",
               "newmtl red\nKd 0.8 0.1 0\nnewmtl picture\nKd 1 1 1\nmap_Kd a.png\nnewmtl broken\nKd 1 x 2\n");
  folder.write("model/grey.mtl", "newmtl grey steel\n  Kd 0.5 0.5 0.5\n");
  folder.write("secret.mtl", "newmtl red\nKd 0 0 1\n");
  const std::string faces = "f 1 2 3\nusemtl red\nf 1 2 3\nusemtl grey steel\nf 1 2 3\n";
  const auto read = [&](const std::string& libraries, const std::string& more) {
    return read_mesh_file(folder.write("model/a.obj", libraries + kTriangle + faces + more));
  };
  const Eigen::Vector3d white(1, 1, 1), red(0.8, 0.1, 0), grey(0.5, 0.5, 0.5);
  MeshFile file = read("mtllib sub/two colours.mtl\nmtllib C:\\work\\grey.mtl\n", "");
  EXPECT_EQ(file.triangle_colors, (std::vector<Eigen::Vector3d>{white, red, grey}));
  EXPECT_TRUE(file.notes.empty());
  file = read("mtllib sub/two colours.mtl\n", "usemtl picture\nf 1 2 3\nusemtl broken\nf 1 2 3\n");
  EXPECT_EQ(file.triangle_colors, (std::vector<Eigen::Vector3d>{white, red, white, white, white}));
  EXPECT_EQ(file.notes,
            std::vector<std::string>{"textures were ignored: colours that are images are not read"});
  // What lies elsewhere or is not there is not read, and the mesh is.
  file = read("mtllib ../secret.mtl absent.mtl\n", "");
  EXPECT_TRUE(file.triangle_colors.empty());
  ASSERT_EQ(file.notes.size(), 2u);
  EXPECT_EQ(file.notes[1],
            "the material file 'absent.mtl' is not in the folder of the OBJ: its colours are missing");
}

TEST(ObjFile, BadFilesNameTheLine) {
  const std::string t = kTriangle;
  expect_input_error([&] { parsed_obj(""); }, 0, "the file is empty; an OBJ mesh was expected");
  expect_input_error([&] { parsed_obj(t); }, 0, "the OBJ holds no faces");
  expect_input_error([&] { parsed_obj("f 1 2 3\n"); }, 1,
                     "the face uses vertex 1, but the vertices so far are 0");
  expect_input_error([&] { parsed_obj("# nothing\n"); }, 0, "the OBJ holds no vertices");
  expect_input_error([&] { parsed_obj(t + "f 1 2 4\n"); }, 4,
                     "the face uses vertex 4, but the vertices so far are 3, counted from 1");
  expect_input_error([&] { parsed_obj(t + "f 0 1 2\n"); }, 4, "the face uses vertex 0");
  expect_input_error([&] { parsed_obj(t + "f 1 2 -4\n"); }, 4, "the face uses vertex -4");
  expect_input_error([&] { parsed_obj(t + "f 1 2 99999999999999999999\n"); }, 4, "expected an index");
  expect_input_error([&] { parsed_obj(t + "f 1/1 2 3\n"); }, 4,
                     "the face uses texture vertex 1, but the vertices so far are 0");
  expect_input_error([&] { parsed_obj(t + "f 1//7 2 3\n"); }, 4,
                     "the face uses normal 7, but the normals so far are 0");
  expect_input_error([&] { parsed_obj(t + "f 1\n"); }, 4, "a face has at least 3 corners, found 1");
  expect_input_error([&] { parsed_obj(t + "f 1 b 3\n"); }, 4,
                     "expected an index or index/texture/normal, found 'b'");
  expect_input_error([&] { parsed_obj("v 0 0\n"); }, 1,
                     "a vertex has 3 coordinates (and a weight, and 3 colours), found 2");
  expect_input_error([&] { parsed_obj("v 0 0 nan\n"); }, 1, "expected a finite number, found 'nan'");
  expect_input_error([&] { parsed_obj("v 0 0 -inf\n"); }, 1, "expected a finite number, found '-inf'");
  expect_input_error([&] { parsed_obj("v 0 0 1e400\n"); }, 1, "expected a finite number, found '1e400'");
  expect_input_error([&] { parsed_obj("hello world\n"); }, 1, "unknown OBJ statement 'hello'");
  expect_input_error(
      [&] {
        parsed_obj(
            std::string("\x7f"
                        "ELF\0\1",
                        6));
      },
      0, "this is a binary file; an OBJ is text");
}

TEST(ObjFile, RoundTripIsExact) {
  const TemporaryFolder folder;
  geometry::TriangleMesh mesh{{{1.0 / 3, -0.0, 5e-324}, {1e300, 0.1, -2.5e-7}, {100000, 3, 1 + 2.3e-16}},
                              {{0, 1, 2}, {2, 1, 0}}};
  write_obj(folder / "m.obj", mesh);
  const geometry::TriangleMesh again = read_mesh(folder / "m.obj");
  ASSERT_EQ(again.vertices.size(), 3u);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(std::memcmp(again.vertices[i].data(), mesh.vertices[i].data(), 24), 0);
  EXPECT_EQ(again.triangles, mesh.triangles);
}

}  // namespace
}  // namespace prehend::model
