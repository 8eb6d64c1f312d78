#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/geometry/round_shape.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

std::vector<RoundShape> shapes() {
  return {RoundShape::sphere(0.3),
          RoundShape::capsule(0.1, 0.5),
          RoundShape::capsule(0.1, 0.0),
          RoundShape::cylinder(0.2, 0.3),
          RoundShape::cylinder(0.01, 2.0),
          RoundShape::ellipsoid({0.1, 0.2, 0.4}),
          RoundShape::ellipsoid({0.3, 0.3, 0.05})};
}

Vector3d random_point(math::RandomStream& random, double reach) {
  const double x = random.uniform(-reach, reach);
  const double y = random.uniform(-reach, reach);
  const double z = random.uniform(-reach, reach);
  return {x, y, z};
}

// The support points of many directions are points of the surface: none is nearer than the distance says, and one nearly reaches it.
TEST(RoundShape, DistanceIsThatOfTheNearestSurfacePoint) {
  math::RandomStream random(11);
  for (const RoundShape& shape : shapes()) {
    for (int i = 0; i < 300; ++i) {
      const Vector3d p = random_point(random, shape.diagonal());
      Vector3d n;
      const double distance = shape.distance(p, &n);
      EXPECT_NEAR(n.norm(), 1.0, 1e-12);
      // Signed distance of a convex body = largest separation over all planes: n is the best of them (outside), and the nearest
      // surface point lies along n.
      const Vector3d nearest = p - distance * n;
      EXPECT_NEAR(shape.distance(nearest), 0.0, 1e-9 * shape.diagonal());
      EXPECT_NEAR(shape.support(n).dot(n), nearest.dot(n), 1e-9 * shape.diagonal())
          << to_string(shape.kind()) << " at " << p.transpose();
      for (int k = 0; k < 20; ++k) {
        const Vector3d d = random_point(random, 1.0).normalized();
        const double separation = d.dot(p) - d.dot(shape.support(d));
        EXPECT_LE(separation, distance + 1e-9 * shape.diagonal());
      }
    }
  }
}

TEST(RoundShape, GradientIsTheNormal) {
  math::RandomStream random(12);
  for (const RoundShape& shape : shapes()) {
    for (int i = 0; i < 100; ++i) {
      const Vector3d p = random_point(random, shape.diagonal());
      Vector3d n;
      const double distance = shape.distance(p, &n);
      if (distance < 0.0) continue;  // inside there are kinks where two parts of the surface are equally near
      const double h = 1e-6 * shape.diagonal();
      for (int k = 0; k < 3; ++k) {
        const double slope =
            (shape.distance(p + h * Vector3d::Unit(k)) - shape.distance(p - h * Vector3d::Unit(k))) / (2 * h);
        EXPECT_NEAR(slope, n[k], 1e-4);
      }
    }
  }
}

TEST(RoundShape, FeaturesAreLinesAndDiscsWhereTheyAreFlat) {
  const RoundShape can = RoundShape::cylinder(0.03, 0.1);
  const RoundFeature side = can.feature(Vector3d(1.0, 0.0, 1e-4).normalized(), 1e-3);
  EXPECT_EQ(side.kind, RoundFeature::Kind::line);
  EXPECT_NEAR((side.q - side.p).norm(), 0.1, 1e-15);
  const RoundFeature end = can.feature(-Vector3d::UnitZ(), 1e-3);
  EXPECT_EQ(end.kind, RoundFeature::Kind::disc);
  EXPECT_DOUBLE_EQ(end.radius, 0.03);
  EXPECT_DOUBLE_EQ(end.p.z(), -0.05);
  EXPECT_EQ(can.feature(Vector3d(1.0, 0.0, 1.0).normalized(), 1e-3).kind, RoundFeature::Kind::point);
  EXPECT_EQ(RoundShape::sphere(1.0).feature(Vector3d::UnitX(), 1e-3).kind, RoundFeature::Kind::point);
  EXPECT_EQ(RoundShape::capsule(1.0, 0.0).feature(Vector3d::UnitX(), 1e-3).kind, RoundFeature::Kind::point);
  EXPECT_EQ(RoundShape::capsule(1.0, 0.5).feature(Vector3d::UnitX(), 1e-3).kind, RoundFeature::Kind::line);
}

TEST(RoundShape, SizesAreChecked) {
  EXPECT_THROW(RoundShape::sphere(0.0), std::invalid_argument);
  EXPECT_THROW(RoundShape::cylinder(1.0, -1.0), std::invalid_argument);
  EXPECT_THROW(RoundShape::ellipsoid({1.0, 0.0, 1.0}), std::invalid_argument);
  EXPECT_THROW(RoundShape::capsule(std::nan(""), 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::geometry
