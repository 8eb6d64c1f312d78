// A table left in a cloud is named, with its plane; faces of tools are none.
#include <algorithm>
#include <cmath>
#include <string>

#include <generated/generated_tools.h>
#include <generated/seen_points.h>
#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/parts/clusters/table_plane.h>
#include <prehend/parts/segmentation.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

bool names_table(const Segmentation& result) {
  return std::any_of(result.problems.begin(), result.problems.end(), [](const std::string& problem) {
    return problem.find("as a table does") != std::string::npos;
  });
}

// A tool on a table of half a metre, with 0.3 mm of noise.
std::vector<Vector3d> on_table(const std::vector<Vector3d>& tool, const Vector3d& normal, double offset) {
  math::RandomStream random(5);
  const Vector3d u = normal.unitOrthogonal(), v = normal.cross(u);
  double lowest = 1e9;
  for (const Vector3d& p : tool) lowest = std::min(lowest, normal.dot(p));
  std::vector<Vector3d> points;
  for (const Vector3d& p : tool) points.push_back(p + (offset - lowest) * normal);
  for (int i = 0; i < 4000; ++i)
    points.push_back(random.uniform(-0.25, 0.25) * u + random.uniform(-0.25, 0.25) * v +
                     (offset + 0.0003 * random.normal()) * normal);
  return points;
}

TEST(TablePlane, IsNamedWithItsPlane) {
  const Vector3d normal = Vector3d(0.3, -0.2, 0.9).normalized();
  for (const int kind : {1, 4, 6, 8}) {
    const generated::GeneratedTool tool = generated::generated_tool(kind, 601);
    const std::vector<Vector3d> points = on_table(tool.points, normal, 0.4);
    const Segmentation result = segment_cloud(points, {});
    EXPECT_TRUE(names_table(result)) << tool.name;
    const auto plane = table_plane(points, 0.006);
    ASSERT_TRUE(plane.has_value()) << tool.name;
    EXPECT_LT(std::acos(std::min(1.0, plane->normal.dot(normal))), 0.005) << tool.name;
    EXPECT_NEAR(plane->offset, 0.4, 0.001) << tool.name;
  }
}

TEST(TablePlane, NoFaceOfAToolIsOne) {
  math::RandomStream random(6);
  for (const std::uint64_t seed : {601})
    for (int kind = 0; kind < generated::kToolKinds + generated::kSlitKinds; ++kind) {
      const generated::GeneratedTool tool = generated::generated_tool(kind, seed);
      EXPECT_FALSE(names_table(segment_cloud(tool.points, tool.colours))) << tool.name << " " << seed;
      std::vector<Vector3d> seen;
      for (const int i : generated::seen_points(tool.points, random.unit_vector()))
        seen.push_back(tool.points[i]);
      EXPECT_FALSE(names_table(segment_cloud(seen, {})))
          << "seen from one side: " << tool.name << " " << seed;
    }
}

}  // namespace
}  // namespace prehend::parts
