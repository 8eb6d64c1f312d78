// Profiles of turned bodies: curves between their corners, distances against dense samples, volumes; which meshes are taken for turned ones.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using math::kPi;

// A half circle of radius 1 about the origin, from pole to pole, in equal steps.
TurnedProfile ball(int steps) {
  std::vector<Vector2d> points;
  for (int i = 0; i <= steps; ++i) {
    const double angle = kPi * i / steps - 0.5 * kPi;
    points.emplace_back(i == 0 || i == steps ? 0.0 : std::cos(angle), std::sin(angle));
  }
  return TurnedProfile(points, false);
}

// A cup: a floor, a straight wall and a rim.
TurnedProfile cup() {
  return TurnedProfile({{0, 0}, {0.04, 0}, {0.05, 0.1}, {0.047, 0.1}, {0.038, 0.004}, {0, 0.004}}, false);
}

TEST(TurnedProfile, PolygonsOfCurvesAreCurved) {
  for (const int steps : {12, 16, 32, 64}) {
    const TurnedProfile profile = ball(steps);
    // Midway over a chord of half angle a the parabola with the arc's tangents is that much higher than the arc.
    const double a = 0.5 * kPi / steps, off = 0.5 * std::sin(a) * std::tan(a) - (1.0 - std::cos(a)) + 1e-12;
    for (int i = 0; i <= 200; ++i) {
      const double angle = kPi * i / 200 - 0.5 * kPi;
      const Vector2d d(i == 0 || i == 200 ? 0.0 : std::cos(angle), std::sin(angle));
      EXPECT_NEAR(profile.nearest(d).distance, 0.0, off) << steps;
      EXPECT_NEAR(profile.nearest(2.0 * d).distance, 1.0, off);
      EXPECT_LT((profile.support(d) - d).norm(), 3e-3) << steps << " " << i;
      const auto extremes = profile.extremes(d, 1e-3);
      ASSERT_EQ(extremes.size(), 1u) << steps << " " << i;
      EXPECT_EQ(extremes.front().p, extremes.front().q);
      EXPECT_NEAR(d.dot(extremes.front().p), 1.0, off);
    }
    EXPECT_NEAR(profile.volume(), 4.0 / 3.0 * kPi, 1e-3);
  }
  // Six straight sides turn by 30 degrees: corners.
  EXPECT_EQ(ball(6).largest_bulge(), 0.0);
}

TEST(TurnedProfile, StraightSidesBesideCurvesStayStraight) {
  // A capsule: half balls of eight steps on a long side.
  std::vector<Vector2d> points;
  for (int i = 0; i <= 8; ++i)
    points.emplace_back(i == 0 ? 0.0 : std::sin(kPi * i / 16), -2.0 - std::cos(kPi * i / 16));
  for (int i = 8; i >= 0; --i)
    points.emplace_back(i == 0 ? 0.0 : std::sin(kPi * i / 16), 2.0 + std::cos(kPi * i / 16));
  const TurnedProfile capsule(points, false);
  const auto side = capsule.extremes({1.0, 0.0}, 1e-3);
  ASSERT_EQ(side.size(), 1u);
  EXPECT_NEAR((side.front().p - side.front().q).norm(), 4.0, 1e-12);
  for (int i = 0; i < 8; ++i) {
    const double angle = kPi * (i + 0.5) / 16;
    EXPECT_NEAR(capsule.nearest({std::sin(angle), -2.0 - std::cos(angle)}).distance, 0.0, 2e-5) << i;
  }
  // Few corners that turn a little are none of a curve.
  const TurnedProfile bottle({{0, 0}, {1, 0}, {1, 2}, {0.9, 3}, {0.7, 4}, {0, 4}}, false);
  EXPECT_EQ(bottle.largest_bulge(), 0.0);
}

TEST(TurnedProfile, DistancesAreThoseOfTheNearestPoint) {
  math::RandomStream random(5, 1);
  for (const TurnedProfile& profile : {cup(), ball(16)}) {
    std::vector<Vector2d> dense;
    for (const TurnedProfile::Edge& edge : profile.edges()) {
      for (int i = 0; i <= 2000; ++i) dense.push_back(edge.at(i / 2000.0));
    }
    const double size = profile.largest_radius();
    for (int trial = 0; trial < 300; ++trial) {
      const Vector2d p(2.0 * size * random.uniform(), size * random.uniform(-3.0, 3.0));
      double nearest = std::numeric_limits<double>::infinity();
      for (const Vector2d& q : dense) nearest = std::min(nearest, (p - q).norm());
      const TurnedProfile::Foot foot = profile.nearest(p);
      EXPECT_NEAR(std::abs(foot.distance), nearest, 1e-3 * size);
      // The gradient of the distance.
      const double h = 1e-6 * size;
      if (std::abs(foot.distance) < 1e-3 * size || p.x() < 1e-2 * size) continue;
      const Vector2d moved = p + h * foot.n;
      EXPECT_NEAR((profile.nearest(moved).distance - foot.distance) / h, 1.0, 1e-3);
    }
  }
  EXPECT_LT(cup().nearest({0.01, 0.002}).distance, 0.0);
  EXPECT_GT(cup().nearest({0.01, 0.05}).distance, 0.0) << "the hollow is outside";
  EXPECT_NEAR(cup().volume(),
              kPi * (0.1 / 3.0 * (0.0016 + 0.002 + 0.0025) -
                     0.096 / 3.0 * (0.047 * 0.047 + 0.047 * 0.038 + 0.038 * 0.038)),
              1e-12);
}

TEST(TurnedProfile, HollowsHaveTheirOwnFeatures) {
  const RoundShape shape = RoundShape::turned(cup());
  const auto up = shape.features(Vector3d::UnitZ(), 1e-3);
  ASSERT_EQ(up.size(), 2u);  // rim and floor
  EXPECT_EQ(up[0].kind, RoundFeature::Kind::disc);
  EXPECT_DOUBLE_EQ(up[0].hole, 0.047);
  EXPECT_EQ(up[1].kind, RoundFeature::Kind::disc);
  EXPECT_DOUBLE_EQ(up[1].radius, 0.038);
  EXPECT_EQ(up[1].hole, 0.0);
  const auto side = shape.features(Vector3d(0.1, 0.0, -0.01).normalized(), 1e-3);
  ASSERT_EQ(side.size(), 1u);
  EXPECT_EQ(side[0].kind, RoundFeature::Kind::line);
  const RoundShape ring = RoundShape::turned(TurnedProfile({{1, 0}, {2, 0}, {1.5, 1}}, true));
  const auto top = ring.features(Vector3d::UnitZ(), 1e-3);
  ASSERT_EQ(top.size(), 1u);
  EXPECT_EQ(top[0].kind, RoundFeature::Kind::ring);
  EXPECT_DOUBLE_EQ(top[0].radius, 1.5);
}

// A place that was computed from one of two edges is their corner, whatever rounding does.
TEST(TurnedProfile, CornersAreFoundFromBothTheirEdges) {
  math::RandomStream random(9);
  for (int k = 0; k < 200; ++k) {
    const double r = random.uniform(0.01, 0.05), wide = random.uniform(1.2, 2.0) * r,
                 low = random.uniform(-1e-7, 1e-7), high = random.uniform(0.01, 0.05);
    const TurnedProfile ring({{r, low}, {wide, -low}, {wide + low, high - low}, {r - low, high + low}}, true);
    for (const TurnedProfile::Edge& edge : ring.edges()) {
      for (const double u : {0.0, 1e-12, 1.0 - 1e-12, 1.0}) {
        const TurnedProfile::Foot foot = ring.nearest(edge.at(u));
        EXPECT_LT(foot.n_before.dot(foot.n_after), 0.1) << k << " at " << u;
      }
    }
  }
}

TEST(TurnedProfile, RejectsWhatIsNone) {
  EXPECT_THROW(TurnedProfile({{0, 0}, {0, 1}}, false), std::invalid_argument);
  EXPECT_THROW(TurnedProfile({{0, 0}, {-1, 0}, {0, 1}}, false), std::invalid_argument);
  EXPECT_THROW(TurnedProfile({{0, 0}, {1, 0}, {1, 1}}, false), std::invalid_argument);
  EXPECT_THROW(TurnedProfile({{0, 0}, {std::nan(""), 0}, {0, 1}}, false), std::invalid_argument);
}

TEST(TurnedMeshes, PrimitivesAreRecognisedInAnyPose) {
  math::RandomStream random(17, 3);
  const double r = 0.05;
  for (const int sides : {24, 32, 64, 128}) {
    const TriangleMesh meshes[] = {make_cone(r, 0.2, sides), make_capsule(r, 0.2, sides),
                                   make_torus(0.1, 0.03, sides, sides)};
    for (const TriangleMesh& mesh : meshes) {
      const math::Pose X(
          Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized(),
          random.normal3());
      const TurnedMesh found = recognise_turned(transformed(mesh, X));
      ASSERT_EQ(found.parts.size(), 1u) << sides;
      EXPECT_TRUE(found.rest.triangles.empty());
      EXPECT_EQ(found.parts[0].sides, sides);
      const Vector3d axis = found.parts[0].round.X_MS.q() * Vector3d::UnitZ();
      EXPECT_GT(std::abs(axis.dot(X.q() * Vector3d::UnitZ())), 1.0 - 1e-12);
      // A mesh has less volume than the solid around it, by no more than 24 sides have.
      const double volume = found.parts[0].round.shape.profile().volume();
      EXPECT_LT(mass_properties(mesh).volume, volume);
      EXPECT_GT(mass_properties(mesh).volume, 0.97 * volume);
    }
  }
}

TEST(TurnedMeshes, NutsGearsAndBoxesAreNone) {
  for (const int sides : {3, 4, 6, 8, 12, 16, 20}) {
    EXPECT_TRUE(recognise_turned(make_cone(0.05, 0.2, sides)).parts.empty()) << sides;
    EXPECT_TRUE(recognise_turned(make_capsule(0.05, 0.2, sides)).parts.empty()) << sides;
    EXPECT_TRUE(recognise_turned(make_torus(0.1, 0.03, sides, 32)).parts.empty()) << sides;
  }
  // A post of 24 sides is a prism, as it is to recognise_round().
  EXPECT_TRUE(recognise_turned(make_cylinder(0.05, 0.2, 24)).parts.empty());
  EXPECT_TRUE(recognise_turned(make_box({0.1, 0.1, 0.1})).parts.empty());
  EXPECT_TRUE(recognise_turned(make_ellipsoid({0.05, 0.06, 0.07}, 3)).parts.empty());
  // Every other side of a rim cut in, a wheel of cogs; one that is squeezed to an ellipse; one with a flat.
  for (const int change : {0, 1, 2}) {
    TriangleMesh mesh = make_capsule(0.05, 0.2, 64);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      Vector3d& p = mesh.vertices[i];
      const double angle = std::atan2(p.y(), p.x());
      if (change == 0) p.head<2>() *= 1.0 - 0.1 * (std::lround(angle * 64 / (2.0 * kPi)) % 2 == 0);
      if (change == 1) p.x() *= 1.01;
      if (change == 2) p.x() = std::min(p.x(), 0.045);
    }
    EXPECT_TRUE(recognise_turned(mesh).parts.empty()) << change;
  }
}

TEST(TurnedMeshes, OtherShellsKeepTheirFacets) {
  const TriangleMesh body = make_cone(0.05, 0.2, 32);
  const TriangleMesh handle =
      transformed(make_box({0.02, 0.01, 0.05}), math::Pose::translation({0.06, 0, 0}));
  const TurnedMesh found = recognise_turned(merged(body, handle));
  ASSERT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(found.rest.triangles.size(), handle.triangles.size());
  EXPECT_EQ(found.parts[0].mesh.triangles.size(), body.triangles.size());
}

}  // namespace
}  // namespace prehend::geometry
