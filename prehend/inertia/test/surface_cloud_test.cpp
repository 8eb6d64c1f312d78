// Scans of bodies whose volume, centroid and inertia are closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/sampling.h>
#include <prehend/inertia/methods/shape_moments.h>
#include <prehend/inertia/methods/surface_cloud.h>
#include <prehend/inertia/shape.h>
#include <prehend/model/point_cloud.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

struct Scanned {
  model::PointCloud cloud;
  math::SpatialInertia solid;  // 1 kg
  double volume{0.0};
};

// A handle along x and a head across its end, which touch; points where they touch are left out.
Scanned hammer(std::uint64_t seed, double noise, int count) {
  const Vector3d handle(0.2, 0.025, 0.03), head(0.04, 0.11, 0.05), at(0.12, 0, 0);
  math::RandomStream random(seed);
  Scanned made;
  const std::vector<std::pair<Vector3d, Vector3d>> boxes{{handle, Vector3d::Zero()}, {head, at}};
  const auto area = [](const Vector3d& s) { return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x()); };
  for (int label = 0; label < 2; ++label) {
    const auto& [size, centre] = boxes[static_cast<std::size_t>(label)];
    const int share = static_cast<int>(count * area(size) / (area(handle) + area(head)));
    for (const geometry::SurfaceSample& s :
         geometry::sample_surface(geometry::make_box(size), share, random)) {
      const Vector3d p = s.point + centre;
      if (std::abs(p.x() - 0.1) < 1e-9 && std::abs(p.y()) < 0.0125 && std::abs(p.z()) < 0.015) continue;
      made.cloud.points.push_back(p + noise * random.normal3());
      made.cloud.labels.push_back(label);
    }
    math::SpatialInertia one = math::SpatialInertia::solid_box(size.prod(), size);
    one.com += centre;
    made.solid = label == 0 ? one : made.solid + one;
    made.volume += size.prod();
  }
  made.solid.I_com /= made.volume;
  made.solid.mass = 1.0;
  return made;
}

TEST(SurfaceCloudTest, WhatPointsEncloseIsFilled) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const double noise : {0.0, 5e-4}) {
      const Scanned made = hammer(seed, noise, seed == 3 ? 20000 : 2500);
      const Shape shape = shape_of_cloud(made.cloud, "scan");
      ASSERT_TRUE(shape.shell_of_unit_mass.has_value());
      EXPECT_NEAR(total_volume(shape) / made.volume, 1.0, 0.06);
      EXPECT_LT((shape.of_unit_mass.com - made.solid.com).norm(), 2e-3);
      EXPECT_LT((shape.of_unit_mass.I_com - made.solid.I_com).norm(), 0.05 * made.solid.I_com.norm());
      // The points themselves are far from it.
      EXPECT_GT((shape.shell_of_unit_mass->com - made.solid.com).norm(), 5e-3);
      ASSERT_EQ(shape.parts.size(), 2u);
      EXPECT_NEAR(shape.parts[1].volume / total_volume(shape), 0.04 * 0.11 * 0.05 / made.volume, 0.03);
      ASSERT_FALSE(shape.notes.empty());
      EXPECT_NE(shape.notes.back().find("lie on a surface"), std::string::npos) << shape.notes.back();
    }
  }
}

TEST(SurfaceCloudTest, AnOpenScanIsClosed) {
  // A box without its bottom, as scanned on a table.
  const Vector3d size(0.1, 0.08, 0.12);
  math::RandomStream random(5);
  model::PointCloud cloud;
  for (const geometry::SurfaceSample& s : geometry::sample_surface(geometry::make_box(size), 3000, random))
    if (s.normal.z() > -0.5) cloud.points.push_back(s.point);
  const Shape shape = shape_of_cloud(cloud, "scan");
  ASSERT_TRUE(shape.shell_of_unit_mass.has_value());
  EXPECT_NEAR(total_volume(shape) / size.prod(), 1.0, 0.1);
  EXPECT_LT(shape.of_unit_mass.com.norm(), 5e-3);
}

TEST(SurfaceCloudTest, PointsAllThroughABodyStayAsTheyAre) {
  math::RandomStream random(7);
  model::PointCloud cloud;
  for (int i = 0; i < 1500; ++i)
    cloud.points.push_back(
        {random.uniform(-0.1, 0.1), random.uniform(-0.02, 0.02), random.uniform(-0.03, 0.03)});
  EXPECT_FALSE(lies_on_surface(cloud.points));
  const Shape shape = shape_of_cloud(cloud, "inside");
  EXPECT_EQ(shape.points.size(), 1500u);
  EXPECT_FALSE(shape.shell_of_unit_mass.has_value());
  // Few points are their author's choice.
  cloud.points.resize(100);
  EXPECT_FALSE(lies_on_surface(cloud.points));
}

}  // namespace
}  // namespace prehend::inertia
