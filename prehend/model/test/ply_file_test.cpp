#include <cstring>
#include <limits>
#include <map>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <tests/places.h>

#include "expect_input_error.h"
#include <prehend/model/mesh_file.h>

namespace prehend::model {
namespace {

MeshFile parsed_ply(const std::string& text, const MeshFileOptions& options = {}) {
  return parse_mesh(text, MeshFormat::ply, "a.ply", options);
}

constexpr char kVertex[] = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
constexpr char kFace[] = "element face 1\nproperty list uchar int vertex_indices\n";
constexpr char kPoints[] = "0 0 0\n1 0 0\n0 1 0\n";

std::string ascii(const std::string& header, const std::string& body) {
  return "ply\nformat ascii 1.0\n" + header + "end_header\n" + body;
}

TEST(PlyFile, AsciiWithCommentsBlankLinesAndForeignElements) {
  const MeshFile file = parsed_ply(
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nelement vertex 4\r\nproperty double x\r\nproperty "
      "double y\r\n"
      "property double z\r\nproperty float quality\r\nelement edge 1\r\nproperty int a\r\nelement face 1\r\n"
      "property list uchar uint vertex_index\r\nend_header\r\n"
      "0 0 0 nan\r\n2 0 0 1\r\n\r\n2 2 0 1\r\n0 2 0 1\r\n7\r\n4 0 1 2 3\r\n");
  EXPECT_EQ(file.encoding, "ascii");
  EXPECT_EQ(file.polygons, 1u);
  EXPECT_EQ(file.mesh.triangles, (std::vector<Eigen::Vector3i>{{0, 1, 2}, {0, 2, 3}}));
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_EQ(file.notes[0], "ignored in the PLY: 'edge', 'vertex.quality'");
}

TEST(PlyFile, ColoursOfAllKinds) {
  const MeshFile file = parsed_ply(ascii(
      "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty "
      "uchar "
      "green\nproperty uchar blue\nproperty uchar alpha\nelement face 1\nproperty float r\nproperty float g\n"
      "property float b\nproperty list uchar int vertex_indices\n",
      "0 0 0 255 0 51 255\n1 0 0 0 0 0 255\n0 1 0 0 0 0 255\n0.5 0.25 1 3 0 1 2\n"));
  EXPECT_EQ(file.vertex_colors[0], Eigen::Vector3d(1, 0, 0.2));
  EXPECT_EQ(file.triangle_colors, (std::vector<Eigen::Vector3d>{{0.5, 0.25, 1}}));
}

TEST(PlyFile, RoundTripIsExactInEveryEncoding) {
  const TemporaryFolder folder;
  MeshFile file;
  file.mesh = {{{1.0 / 3, -0.0, 5e-324}, {1e300, 0.1, -2.5e-7}, {100000, 3, 1 + 2.3e-16}},
               {{0, 1, 2}, {2, 1, 0}}};
  file.vertex_normals = {{0, 0, 1}, {0.6, 0.8, 0}, {1.0 / 3, 2.0 / 3, 2.0 / 3}};
  file.vertex_colors = {{0.1, 0.2, 0.3}, {1, 1, 1}, {0, 0, 0}};  // not bytes: kept as numbers
  file.triangle_colors = {{0.2, 0, 1}, {51 / 255.0, 1, 1}};      // bytes
  file.vertex_labels = {-1, 2147483647, 0};
  file.vertex_volumes = {0.1, 0, 1e-9};
  for (PlyEncoding encoding :
       {PlyEncoding::ascii, PlyEncoding::binary_little_endian, PlyEncoding::binary_big_endian}) {
    write_ply(folder / "m.ply", file, encoding);
    const MeshFile again = read_mesh_file(folder / "m.ply");
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(std::memcmp(again.mesh.vertices[i].data(), file.mesh.vertices[i].data(), 24), 0);
    }
    EXPECT_EQ(again.mesh.triangles, file.mesh.triangles);
    EXPECT_EQ(again.vertex_normals, file.vertex_normals);
    EXPECT_EQ(again.vertex_colors, file.vertex_colors);
    EXPECT_EQ(again.triangle_colors, file.triangle_colors);
    EXPECT_EQ(again.vertex_labels, file.vertex_labels);
    EXPECT_EQ(again.vertex_volumes, file.vertex_volumes);
    EXPECT_TRUE(again.notes.empty());
  }
  file.vertex_labels.pop_back();
  EXPECT_THROW(write_ply(folder / "n.ply", file), std::invalid_argument);
}

TEST(PlyFile, StatedUnitIsToldAndUsedOnlyWhenAsked) {
  const std::string text =
      ascii(std::string("comment generated,length unit = millimeters\n") + kVertex + kFace,
            std::string(kPoints) + "3 0 1 2\n");
  EXPECT_EQ(parsed_ply(text).stated_unit_m, 0.001);
  EXPECT_EQ(parsed_ply(text).mesh.vertices[1].x(), 1.0);
  EXPECT_EQ(parsed_ply(text).notes[0],
            "the file states a length unit of 0.001 m; coordinates were taken as metres because no unit was "
            "asked for");
  EXPECT_EQ(parsed_ply(text, {.use_stated_unit = true}).mesh.vertices[1].x(), 0.001);
  EXPECT_EQ(parsed_ply(text, {.use_stated_unit = true}).notes[0],
            "the file states a length unit of 0.001 m; coordinates were scaled by it");
  EXPECT_EQ(parsed_ply(text, {.unit = 0.001}).mesh.vertices[1].x(), 0.001);
  EXPECT_TRUE(parsed_ply(text, {.unit = 0.001}).notes.empty());
}

TEST(PlyFile, BadHeadersNameTheLine) {
  const auto header = [](const std::string& lines) { parsed_ply("ply\nformat ascii 1.0\n" + lines); };
  expect_input_error([] { parsed_ply(""); }, 0, "the file is empty; a PLY mesh was expected");
  expect_input_error([] { parsed_ply("plx\n"); }, 1, "a PLY file starts with the line 'ply'");
  expect_input_error([] { parsed_ply("ply\nformat ascii 1.0\n"); }, 2,
                     "no 'end_header'; the file is truncated");
  expect_input_error([] { parsed_ply("ply\nend_header\n"); }, 2, "the PLY header has no 'format' line");
  expect_input_error([] { parsed_ply("ply\nformat ebcdic 1.0\n"); }, 2, "unknown PLY format 'ebcdic'");
  expect_input_error([] { parsed_ply("ply\nformat ascii 2.0\n"); }, 2, "unknown PLY version '2.0'");
  expect_input_error([&] { header("format ascii 1.0\n"); }, 3, "states its format twice");
  expect_input_error([&] { header("elemnt vertex 3\n"); }, 3, "unknown PLY header line 'elemnt vertex 3'");
  expect_input_error([&] { header("element vertex -3\n"); }, 3,
                     "expected 'element NAME COUNT', found count '-3'");
  expect_input_error([&] { header("property float x\n"); }, 3, "a property stands before the first element");
  expect_input_error([&] { header("element vertex 3\nproperty real x\n"); }, 4, "unknown PLY type 'real'");
  expect_input_error([&] { header("element face 1\nproperty list float int i\n"); }, 4,
                     "must have an integer type");
  expect_input_error([&] { header("element vertex 1\nproperty int x\nproperty int x\n"); }, 5,
                     "'x' is declared twice");
  expect_input_error([&] { header("element a 1\nelement a 1\n"); }, 4, "element 'a' is declared twice");
  expect_input_error([&] { header("element vertex 1\nproperty int x\nend_header\n1\n"); }, 0,
                     "no element 'vertex' with x, y and z");
  expect_input_error([&] { header(std::string(kVertex) + "element face 1\nend_header\n"); }, 0,
                     "have no list 'vertex_indices'");
  expect_input_error([&] { header(std::string(kVertex) + "element x 5\nend_header\n" + kPoints); }, 0,
                     "element 'x' has 5 rows but no properties");
}

TEST(PlyFile, BadTextBodiesNameTheLine) {
  const std::string header = std::string(kVertex) + kFace;
  const auto body = [&](const std::string& text) {
    return [text, &header] { parsed_ply(ascii(header, text)); };
  };
  const std::string p = kPoints;
  expect_input_error(body("0 0 0\n1 0 0\n          "), 12,
                     "the file ends after 2 of 3 rows of 'vertex'; it is truncated");
  expect_input_error(body("0 0 0\n1 0\n0 1 0\n3 0 1 2\n"), 11, "the line ends before property 'z'");
  expect_input_error(body("0 0 0\n1 0 0 9\n0 1 0\n3 0 1 2\n"), 11,
                     "more values than the header declares for 'vertex': '9'");
  expect_input_error(body("0 0 0\n1 a 0\n0 1 0\n3 0 1 2\n"), 11, "property 'y' must be a number, found 'a'");
  expect_input_error(body("0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"), 11,
                     "row 2 of 'vertex': x, y, z must be finite");
  expect_input_error(body("0 0 0\n1 0 -inf\n0 1 0\n3 0 1 2\n"), 11,
                     "row 2 of 'vertex': x, y, z must be finite");
  expect_input_error(body(p + "3 0 1 3\n"), 13,
                     "row 1 of 'face': the face uses vertex 3, but there are 3 vertices");
  expect_input_error(body(p + "3 0 1 -1\n"), 13, "the face uses vertex -1");
  expect_input_error(body(p + "2 0 1\n"), 13, "a face has at least 3 corners, found 2");
  expect_input_error(body(p + "300 0 1 2\n"), 13,
                     "property 'vertex_indices' is 300, but its type holds integers from 0 to 255");
  expect_input_error(body(p + "200 0 1 2\n"), 13,
                     "the list 'vertex_indices' claims 200 values, but the line is shorter");
  expect_input_error(body(p + "3 0 1.5 2\n"), 13, "is 1.5, but its type holds integers");
  expect_input_error(body(p), 0, "the PLY header claims 1 rows of 'face'");
  expect_input_error([] { parsed_ply(ascii(kVertex, kPoints)); }, 0,
                     "has no faces: it is a point cloud, and a mesh was expected");
}

TEST(PlyFile, BinaryClaimsAreComparedWithTheBytes) {
  const std::string start = "ply\nformat binary_little_endian 1.0\n";
  const auto xyz = std::string("property float x\nproperty float y\nproperty float z\n");
  expect_input_error(
      [&] {
        parsed_ply(start + "element vertex 4000000000\n" + xyz + "end_header\n" + std::string(36, '\0'));
      },
      0,
      "the PLY header claims 4000000000 rows of 'vertex', but only 36 bytes are left for them; the file is "
      "truncated");
  const std::string good = start + "element vertex 3\n" + xyz +
                           "element face 1\nproperty list int int vertex_indices\nend_header\n" +
                           std::string(36, '\0');
  expect_input_error([&] { parsed_ply(good + std::string("\xff\xff\xff\x7f", 4)); }, 0,
                     "claims a list of 2147483647 values, but 0 bytes are left");
  expect_input_error([&] { parsed_ply(good + std::string("\xff\xff\xff\xff", 4)); }, 0,
                     "claims a list of -1 values");
  expect_input_error([&] { parsed_ply(good + std::string("\x03\0\0\0\0\0\0\0", 8)); }, 0,
                     "row 1 of 'face' claims a list of 3 values");
  std::string nan = good;
  const float bad = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(nan.data() + nan.size() - 8, &bad, 4);
  expect_input_error([&] { parsed_ply(nan + std::string(16, '\0')); }, 0,
                     "row 3 of 'vertex': x, y, z must be finite");
}

TEST(PlyFile, RecordedTools) {
  PREHEND_NEEDS_SHARED_DATA();
  // grep 'element face' tools/*/reconstructed.ply
  const std::map<std::string, std::size_t> faces = {{"adjustable_wrench", 500},
                                                    {"allen_key", 500},
                                                    {"bent_jaw_pliers", 500},
                                                    {"c_clamp", 500},
                                                    {"electronic_caliper", 500},
                                                    {"hammer", 254},
                                                    {"measuring_tape", 246},
                                                    {"nut_screwdriver", 500},
                                                    {"pliers", 500},
                                                    {"ruler", 500},
                                                    {"socket_wrench", 498},
                                                    {"vise_clamp", 500}};
  std::size_t tools = 0;
  for (const auto& folder : std::filesystem::directory_iterator(prehend::test::shared_data() + "/tools")) {
    const MeshFile file = read_mesh_file((folder.path() / "mesh.ply").string(), {.use_stated_unit = true});
    EXPECT_EQ(file.stated_unit_m, 0.001);
    EXPECT_EQ(file.triangle_colors.size(), file.mesh.triangles.size());
    // Hand tools: a few centimetres to half a metre.
    const double size = geometry::bounding_box(file.mesh.vertices).diagonal();
    EXPECT_GT(size, 0.05);
    EXPECT_LT(size, 0.6);
    const MeshFile reconstructed = read_mesh_file((folder.path() / "reconstructed.ply").string());
    EXPECT_EQ(reconstructed.mesh.triangles.size(), reconstructed.polygons);
    EXPECT_EQ(faces.at(folder.path().filename()), reconstructed.polygons);
    ++tools;
  }
  EXPECT_EQ(tools, faces.size());
}

}  // namespace
}  // namespace prehend::model
