#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/inertia.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::SpatialInertia;
using std::numbers::pi;

void expect_relative(const Matrix3d& found, const Matrix3d& expected, double tolerance) {
  EXPECT_LE((found - expected).norm(), tolerance * expected.norm()) << found << "\nexpected\n" << expected;
}

TEST(MassProperties, BoxIsExact) {
  const Vector3d size(0.4, 0.2, 0.1);
  const MassProperties box = mass_properties(make_box(size));
  EXPECT_EQ(box.status, MassStatus::ok);
  EXPECT_NEAR(box.volume, 0.008, 1e-17);
  EXPECT_NEAR(box.area, 2 * (0.08 + 0.04 + 0.02), 1e-15);
  EXPECT_LE(box.centroid.norm(), 1e-16);
  expect_relative(box.inertia_unit_density, SpatialInertia::solid_box(0.008, size).I_com, 1e-15);
}

TEST(MassProperties, TetrahedronHasItsClosedForm) {
  // Unit corner tetrahedron: V = 1/6, int x^2 = 1/60, int xy = 1/120.
  TriangleMesh tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const MassProperties p = mass_properties(tetrahedron);
  ASSERT_EQ(p.status, MassStatus::ok);
  EXPECT_NEAR(p.volume, 1.0 / 6.0, 1e-16);
  EXPECT_NEAR(p.area, 1.5 + std::sqrt(3.0) / 2.0, 1e-15);
  EXPECT_LE((p.centroid - Vector3d::Constant(0.25)).norm(), 1e-16);
  const double diagonal = 2.0 / 60.0 - 2.0 / 96.0, product = -(1.0 / 120.0 - 1.0 / 96.0);
  Matrix3d expected = Matrix3d::Constant(product);
  expected.diagonal().setConstant(diagonal);
  expect_relative(p.inertia_unit_density, expected, 1e-14);
}

TEST(MassProperties, RoundShapesApproachTheirClosedForms) {
  // The error of an inscribed shape falls by 4 per subdivision; Richardson extrapolation removes it.
  const Vector3d radii(0.3, 0.5, 0.2);
  const MassProperties coarse = mass_properties(make_ellipsoid(radii, 5)),
                       fine = mass_properties(make_ellipsoid(radii, 6));
  const double volume = 4.0 / 3.0 * pi * radii.prod();
  EXPECT_NEAR((4 * fine.volume - coarse.volume) / 3 / volume, 1.0, 1e-6);
  expect_relative((4 * fine.inertia_unit_density - coarse.inertia_unit_density) / 3,
                  SpatialInertia::solid_ellipsoid(volume, radii).I_com, 1e-6);
  const MassProperties ball5 = mass_properties(make_icosphere(0.5, 5)),
                       ball6 = mass_properties(make_icosphere(0.5, 6));
  EXPECT_NEAR((4 * ball6.area - ball5.area) / 3, pi, 1e-6);
  // An n-gon prism against the cylinder: the ratio of areas is sin(2 pi/n) / (2 pi/n).
  const int n = 64;
  const MassProperties cylinder = mass_properties(make_cylinder(0.1, 0.3, n));
  EXPECT_NEAR(cylinder.volume, pi * 0.01 * 0.3 * std::sin(2 * pi / n) / (2 * pi / n), 1e-15);
  const MassProperties cone = mass_properties(make_cone(0.1, 0.3, n));
  EXPECT_NEAR(cone.centroid.z(), -0.075, 1e-15);
}

TEST(MassProperties, CavityIsSubtracted) {
  const TriangleMesh outer = make_box({2, 2, 2});
  TriangleMesh inner = make_box({1, 1, 1});
  for (auto& t : inner.triangles) std::swap(t[0], t[1]);
  const MassProperties p = mass_properties(merged(outer, inner));
  EXPECT_NEAR(p.volume, 7.0, 1e-14);
  expect_relative(p.inertia_unit_density, Matrix3d::Identity() * (8.0 * 8 / 12 - 1.0 * 2 / 12), 1e-14);
}

// Turned, scaled and moved, against the transformation law of the reference properties.
TEST(MassProperties, FollowsTurningScalingAndMovingFarAway) {
  const TriangleMesh mesh = make_torus(0.1, 0.03, 24, 12);
  const TriangleMesh skewed = [&] {
    TriangleMesh m = mesh;
    for (Vector3d& v : m.vertices) v += Vector3d(0.3 * v.y() * v.y() * 10, 0.2 * v.x(), 0.1 * v.x());
    return m;
  }();
  const MassProperties base = mass_properties(skewed);
  ASSERT_EQ(base.status, MassStatus::ok);
  math::RandomStream random(4);
  for (double scale : {1e-60, 1e-3, 1.0, 1e3, 1e50}) {
    for (double distance : {0.0, 1.0, 1e4}) {
      const Eigen::Quaterniond q = random.rotation();
      const Vector3d offset = distance * scale * 0.26 * random.unit_vector();
      TriangleMesh moved = skewed;
      for (Vector3d& v : moved.vertices) v = q * (scale * v) + offset;
      const MassProperties found = mass_properties(moved);
      ASSERT_EQ(found.status, MassStatus::ok) << scale << " " << distance;
      // Coordinates at 1e4 sizes have lost four digits.
      const double tolerance = 1e-13 + 2e-15 * distance;
      EXPECT_NEAR(found.volume / (base.volume * std::pow(scale, 3)), 1.0, tolerance);
      EXPECT_NEAR(found.area / (base.area * scale * scale), 1.0, tolerance);
      EXPECT_LE((found.centroid - (q * (scale * base.centroid) + offset)).norm() / scale, tolerance);
      const Matrix3d R = q.toRotationMatrix();
      expect_relative(found.inertia_unit_density / std::pow(scale, 5),
                      R * base.inertia_unit_density * R.transpose(), tolerance);
    }
  }
}

TEST(MassProperties, SaysWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  TriangleMesh box = make_box({1, 1, 1});
  EXPECT_EQ(mass_properties(TriangleMesh{}).status, MassStatus::empty);

  TriangleMesh open = box;
  open.triangles.pop_back();
  EXPECT_EQ(mass_properties(open).status, MassStatus::open);
  EXPECT_NEAR(mass_properties(open).area, 5.5, 1e-14);
  EXPECT_EQ(mass_properties(open).volume, 0.0);
  EXPECT_NE(mass_properties(open).brief_report().find("open mesh"), std::string::npos);

  TriangleMesh inverted = box;
  for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(mass_properties(inverted).status, MassStatus::inside_out);
  EXPECT_NEAR(mass_properties(inverted).volume, -1.0, 1e-15);

  const TriangleMesh sheet{{{0, 0, 0}, {1, 0, 0.3}, {0, 1, 0.7}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(mass_properties(sheet).status, MassStatus::flat);

  TriangleMesh bad = box;
  bad.vertices[3].y() = nan;
  EXPECT_EQ(mass_properties(bad).status, MassStatus::invalid);
  bad.vertices[3].y() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(mass_properties(bad).status, MassStatus::invalid);
  bad = box;
  bad.triangles[0][1] = 8;
  EXPECT_EQ(mass_properties(bad).status, MassStatus::invalid);
  bad.triangles[0][1] = -1;
  EXPECT_EQ(mass_properties(bad).status, MassStatus::invalid);
  // A bad vertex that no triangle uses does not matter.
  TriangleMesh unused = box;
  unused.vertices.emplace_back(nan, 0, 0);
  EXPECT_EQ(mass_properties(unused).status, MassStatus::ok);
}

}  // namespace
}  // namespace prehend::geometry
