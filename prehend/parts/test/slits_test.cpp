// Slits narrower than the spacing of the points: open, unless what looks like one is the end of a thing that reaches into another.
#include <algorithm>
#include <cmath>
#include <vector>

#include <generated/generated_tools.h>
#include <gtest/gtest.h>

#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/parts/segmentation.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

struct Rectangle {
  Vector3d corner, u, v;
};

bool names_slits(const Segmentation& result) {
  return std::any_of(result.problems.begin(), result.problems.end(), [](const std::string& problem) {
    return problem.find("slits narrower than the spacing of the points were opened") != std::string::npos;
  });
}

// Two plates, side by side on a foot, with a slit between them: 40 mm wide, 50 mm high, the foot 15 mm.
struct Fork {
  double plate{0.0}, slit{0.0};  // [m]
  double width() const { return 2.0 * plate + slit; }
  double volume() const { return 0.04 * (2.0 * plate * 0.05 + width() * 0.015); }

  std::vector<Rectangle> faces() const {
    const Vector3d y(0, 0.04, 0), x(1, 0, 0), z(0, 0, 1);
    std::vector<Rectangle> result{{Vector3d(0, 0, -0.015), width() * x, y},
                                  {Vector3d(0, 0, -0.015), y, 0.015 * z},
                                  {Vector3d(width(), 0, -0.015), y, 0.015 * z},
                                  {Vector3d(plate, 0, 0), slit * x, y}};
    for (const double side : {0.0, 0.04})
      result.push_back({Vector3d(0, side, -0.015), width() * x, 0.015 * z});
    for (const double at : {0.0, plate + slit}) {
      for (const double wall : {at, at + plate}) result.push_back({Vector3d(wall, 0, 0), y, 0.05 * z});
      for (const double side : {0.0, 0.04}) result.push_back({Vector3d(at, side, 0), plate * x, 0.05 * z});
      result.push_back({Vector3d(at, 0, 0.05), plate * x, y});
    }
    return result;
  }
};

// 2000 points, spread evenly by chance, and the median distance to the sixth neighbour on a plane of as many per area.
struct Scan {
  std::vector<Vector3d> points;
  double spacing{0.0};
};

Scan scan_of(const std::vector<Rectangle>& faces, std::uint64_t seed) {
  constexpr int kPoints = 2000;
  math::RandomStream random(seed);
  std::vector<double> areas;
  double area = 0.0;
  for (const Rectangle& face : faces) areas.push_back(area += face.u.norm() * face.v.norm());
  Scan scan;
  for (int i = 0; i < kPoints; ++i) {
    const double pick = random.uniform() * area;
    const Rectangle& face = faces[std::lower_bound(areas.begin(), areas.end(), pick) - areas.begin()];
    const double a = random.uniform(), b = random.uniform();
    scan.points.push_back(face.corner + a * face.u + b * face.v);
  }
  scan.spacing = std::sqrt(6.0 * area / (math::kPi * kPoints));
  return scan;
}

TEST(Slits, NarrowerThanTheSpacingAreOpen) {
  for (const double spacings : {0.35, 0.6, 1.0}) {
    Fork fork{0.02, 0.003};
    fork.slit = spacings * scan_of(fork.faces(), 1).spacing;
    const Segmentation result = segment_cloud(scan_of(fork.faces(), 1).points, {});
    // The slit is 2 to 7 % of it.
    EXPECT_NEAR(result.volume, fork.volume(), 0.015 * fork.volume()) << spacings;
    EXPECT_EQ(names_slits(result), spacings > 0.5) << spacings;
  }
}

// Plates that the same points could be: thinner than the spacing, with air on both sides.
TEST(Slits, ThinPlatesStayFull) {
  for (const double thickness : {0.001, 0.002, 0.003}) {
    const Vector3d x(0.15, 0, 0), y(0, 0.06, 0), z(0, 0, thickness), zero = Vector3d::Zero();
    const Scan scan = scan_of({{zero, x, y}, {z, x, y}, {zero, x, z}, {y, x, z}, {zero, y, z}, {x, y, z}}, 2);
    ASSERT_LT(thickness, scan.spacing);
    const Segmentation result = segment_cloud(scan.points, {});
    EXPECT_NEAR(result.volume, 0.15 * 0.06 * thickness, 0.04 * 0.15 * 0.06 * thickness) << thickness;
    EXPECT_FALSE(names_slits(result));
  }
}

// Without the test of the walls the shafts' ends inside the other part are emptied, up to a sixth of the volume.
TEST(Slits, WhatReachesIntoAnotherPartIsNone) {
  for (int kind = 0; kind < generated::kToolKinds; ++kind) {
    const generated::GeneratedTool tool = generated::generated_tool(kind, 502, 2000, true);
    const Segmentation result = segment_cloud(tool.points, tool.colours);
    EXPECT_NEAR(result.volume, tool.volume, 0.06 * tool.volume) << tool.name;
  }
}

TEST(Slits, OfGeneratedTools) {
  for (int kind = generated::kToolKinds; kind < generated::kToolKinds + generated::kSlitKinds; ++kind) {
    const generated::GeneratedTool tool = generated::generated_tool(kind, 38);
    const Segmentation result = segment_cloud(tool.points, tool.colours);
    EXPECT_NEAR(result.volume, tool.volume, 0.05 * tool.volume) << tool.name;
  }
}

}  // namespace
}  // namespace prehend::parts
