// Clouds of other programs: PCD in its three encodings, and lines of x y z.
#include <gtest/gtest.h>

#include "expect_input_error.h"
#include <prehend/model/file_kind.h>
#include <prehend/model/point_cloud.h>

namespace prehend::model {
namespace {

using namespace std::string_literals;

std::string pcd(const std::string& data, const std::string& fields = "x y z rgb") {
  return "# .PCD v0.7\nVERSION 0.7\nFIELDS " + fields +
         "\nSIZE 4 4 4 4\nTYPE F F F U\nCOUNT 1 1 1 1\nWIDTH 3\nHEIGHT 1\nPOINTS 3\nDATA " + data;
}

// Three points at 0, (0.5, 0, 0), (0, 0.25, 2); red, green, blue. All numbers are exact in binary.
const std::string kBytes =
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\0"s
    "\0\0\0\x3f\0\0\0\0\0\0\0\0\0\xff\0\0"s
    "\0\0\0\0\0\0\x80\x3e\0\0\0\x40\xff\0\0\0"s;

void expect_three_points(const PointCloud& cloud) {
  ASSERT_EQ(cloud.points.size(), 3u);
  EXPECT_EQ(cloud.points[1], Eigen::Vector3d(0.5, 0, 0));
  EXPECT_EQ(cloud.points[2], Eigen::Vector3d(0, 0.25, 2));
  ASSERT_EQ(cloud.colors.size(), 3u);
  EXPECT_EQ(cloud.colors[0], Eigen::Vector3d::UnitX());
  EXPECT_EQ(cloud.colors[2], Eigen::Vector3d::UnitZ());
}

TEST(CloudFiles, PcdInThreeEncodings) {
  const std::string ascii = pcd("ascii\n0 0 0 16711680\n0.5 0 0 65280\n0 0.25 2 255\n");
  expect_three_points(parse_cloud(ascii, "c.pcd"));
  EXPECT_EQ(detect_file_type(ascii, "c").format, "PCD");
  expect_three_points(parse_cloud(pcd("binary\n" + kBytes), "c.pcd"));
  // Field by field. A run of LZF's literals is its length less one, then the bytes.
  std::string whole;
  for (std::size_t field = 0; field < 4; ++field) {
    for (std::size_t point = 0; point < 3; ++point) whole += kBytes.substr(16 * point + 4 * field, 4);
  }
  const std::string literals = "\x1f"s + whole.substr(0, 32) + "\x0f"s + whole.substr(32);
  expect_three_points(parse_cloud(pcd("binary_compressed\n"s + char(literals.size()) + "\0\0\0"s +
                                      char(whole.size()) + "\0\0\0"s + literals),
                                  "c.pcd"));
  // The first seven bytes are zero: one, and a copy of six.
  const std::string copies = "\0\0"s + "\x80\0"s + "\x1f"s + whole.substr(7, 32) + "\x08"s + whole.substr(39);
  expect_three_points(parse_cloud(
      pcd("binary_compressed\n"s + char(copies.size()) + "\0\0\0"s + char(whole.size()) + "\0\0\0"s + copies),
      "c.pcd"));
}

TEST(CloudFiles, BadPcd) {
  const auto parse = [](const std::string& text) { return [=] { parse_cloud(text, "c.pcd"); }; };
  expect_input_error(parse(pcd("ascii\n0 0 0 1\n1 2 3\n")), 12, "the point has 3 numbers; the fields need 4");
  expect_input_error(parse(pcd("ascii\n0 0 0 1\n")), 11, "the PCD states 3 points and has 1");
  expect_input_error(parse(pcd("ascii\n0 0 zero 1\n")), 11, "'zero' is no number");
  expect_input_error(parse(pcd("binary\n" + kBytes.substr(0, 47))), 10, "ends after 47 bytes");
  expect_input_error(parse(pcd("text\n")), 10, "expected ascii, binary or binary_compressed");
  expect_input_error(parse(pcd("ascii\n", "x y w rgb")), 10, "the PCD has no field 'z'");
  expect_input_error(parse(pcd("binary_compressed\n\x2\0\0\0\x30\0\0\0\x20\x0f"s)), 10,
                     "compressed data are damaged");
  expect_input_error(parse(pcd("binary_compressed\n\x2\0\0\0\xff\xff\xff\x7f\0\0"s)), 10,
                     "damaged or cut off");
}

TEST(CloudFiles, LinesOfPoints) {
  const PointCloud colours =
      parse_cloud("# scan\n0 0 0 255 0 0\n0.5 0 0 0 255 0\n0 .25 2 0 0 255\n", "c.xyz");
  expect_three_points(colours);
  EXPECT_EQ(detect_file_type("0 0 0\n1 2 3\n", "c.xyz").kind, FileKind::cloud);
  const PointCloud normals =
      parse_cloud("X,Y,Z,nx,ny,nz\n1,2,3,0,0,1\n4,5,6,0,-1,0\nnan,0,0,1,0,0\n", "c.xyz");
  EXPECT_EQ(normals.points.size(), 2u);
  EXPECT_EQ(normals.normals[1], Eigen::Vector3d(0, -1, 0));
  EXPECT_TRUE(normals.colors.empty());
  EXPECT_EQ(normals.notes.size(), 1u);  // of the point without coordinates
  const PointCloud counted = parse_cloud("2\n1 2 3 0.7\n4 5 6 0.9\n", "c.xyz", {.unit = 1e-3});
  EXPECT_TRUE(counted.points[1].isApprox(Eigen::Vector3d(4e-3, 5e-3, 6e-3)));
  EXPECT_EQ(counted.notes.size(), 1u);  // of the intensities
}

TEST(CloudFiles, BadLines) {
  const auto parse = [](const std::string& text) { return [=] { parse_cloud(text, "c.xyz"); }; };
  expect_input_error(parse("3\nwater\nO 0 0 0\n"), 2, "is no point; expected x y z");
  expect_input_error(parse("0 0 0\n1 2\n"), 2, "is no point");
  expect_input_error(parse("0 0 0\n1 2 3 4\n"), 2, "the line has 4 numbers; those above have 3");
  expect_input_error(parse("# nothing\n"), 0, "the file holds no points");
  expect_input_error([] { detect_file_type("LASF", "c.las"); }, 0,
                     "convert the file to PLY, PCD or XYZ first");
}

}  // namespace
}  // namespace prehend::model
