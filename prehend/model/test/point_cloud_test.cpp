#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <tests/places.h>

#include "expect_input_error.h"
#include <prehend/model/point_cloud.h>

namespace prehend::model {
namespace {

std::string cloud_text(const std::string& property, const std::string& rows) {
  return "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n" +
         property + "end_header\n" + rows;
}

TEST(PointCloud, LabelSegmentationAndVolume) {
  const PointCloud cloud = parse_cloud(
      cloud_text("property uchar segmentation\nproperty float volume\n", "1 2 3 7 2\n4 5 6 0 0\n"), "c.ply",
      {.unit = 0.1});
  EXPECT_EQ(cloud.labels, (std::vector<int>{7, 0}));
  EXPECT_NEAR(cloud.volumes[0], 2e-3, 1e-18);
  EXPECT_TRUE(cloud.points[1].isApprox(Eigen::Vector3d(0.4, 0.5, 0.6)));
  EXPECT_EQ(parse_cloud(cloud_text("property float label\n", "1 2 3 7\n4 5 6 -1\n"), "c.ply").labels,
            (std::vector<int>{7, -1}));
}

TEST(PointCloud, BadClouds) {
  const auto parse = [](const std::string& property, const std::string& rows) {
    return [=] { parse_cloud(cloud_text(property, rows), "c.ply"); };
  };
  expect_input_error([] { parse_cloud("", "c.ply"); }, 0,
                     "the file is empty; a point cloud (PLY, PCD or XYZ) was expected");
  expect_input_error(parse("property float label\n", "1 2 3 0.5\n4 5 6 1\n"), 9,
                     "a label must be an integer, found 0.5");
  expect_input_error(parse("property float label\n", "1 2 3 nan\n4 5 6 1\n"), 9,
                     "a label must be an integer");
  expect_input_error(parse("property float volume\n", "1 2 3 1\n4 5 6 -1\n"), 10,
                     "a volume must not be negative, found -1");
  expect_input_error(parse("property float volume\n", "1 2 3 1\n4 5 6 nan\n"), 10,
                     "a volume must not be negative");
  expect_input_error(
      [] {
        parse_cloud(
            "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float "
            "z\nend_header\n",
            "c");
      },
      0, "the PLY holds no points");
}

TEST(PointCloud, RoundTripIsExact) {
  const TemporaryFolder folder;
  PointCloud cloud;
  cloud.points = {{1.0 / 3, 2, 3}, {4, 5, 1e-300}};
  cloud.labels = {3, 4};
  cloud.volumes = {0.1, 0.7};
  write_cloud(folder / "c.ply", cloud);
  const PointCloud again = read_cloud(folder / "c.ply");
  EXPECT_EQ(again.points, cloud.points);
  EXPECT_EQ(again.labels, cloud.labels);
  EXPECT_EQ(again.volumes, cloud.volumes);
}

TEST(PointCloud, RecordedTools) {
  PREHEND_NEEDS_SHARED_DATA();
  for (const auto& folder : std::filesystem::directory_iterator(prehend::test::shared_data() + "/tools")) {
    const PointCloud cloud = read_cloud((folder.path() / "cloud.ply").string());
    EXPECT_EQ(cloud.points.size(), 2000u);
    EXPECT_EQ(cloud.labels.size(), 2000u);
    EXPECT_EQ(cloud.colors.size(), 2000u);
    const PointCloud parts = read_cloud((folder.path() / "parts.ply").string());
    EXPECT_EQ(parts.labels.size(), parts.points.size());
    EXPECT_EQ(parts.volumes.size(), parts.points.size());
    // A mesh gives its vertices and says so.
    const PointCloud vertices = read_cloud((folder.path() / "reconstructed.ply").string());
    EXPECT_NE(vertices.notes.back().find("the PLY is a mesh; its vertices were taken as points and its "),
              std::string::npos);
  }
}

}  // namespace
}  // namespace prehend::model
