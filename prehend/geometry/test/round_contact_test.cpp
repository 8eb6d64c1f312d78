#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/geometry/contact_search/round_contact.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::AngleAxisd;
using Eigen::Vector3d;
using math::kDegree;
using math::kPi;
using math::Pose;

const ContactOptions kOptions;

Pose at(const Vector3d& p, const Eigen::Quaterniond& q = Eigen::Quaterniond::Identity()) {
  return Pose(q, p);
}

Eigen::Quaterniond turn(double angle, const Vector3d& axis) {
  return Eigen::Quaterniond(AngleAxisd(angle, axis));
}

Polyhedron box(const Vector3d& size) { return Polyhedron::from_mesh(make_box(size)); }

std::vector<Vector3d> all_points(const PairContacts& found) {
  std::vector<Vector3d> points;
  for (const ContactPatch& patch : found.patches)
    for (const auto& loop : patch.loops_W) points.insert(points.end(), loop.begin(), loop.end());
  return points;
}

TEST(RoundContact, AStandingCanTouchesInADisc) {
  const Polyhedron table = box({1.0, 1.0, 0.1});
  for (const double angle : {0.0, 0.3, 1.0}) {
    const PairContacts found = find_round_contacts(RoundShape::cylinder(0.033, 0.12),
                                                   at({0.1, 0.2, 0.06}, turn(angle, Vector3d::UnitZ())),
                                                   table, at({0.0, 0.0, -0.05}), kOptions);
    ASSERT_EQ(found.patches.size(), 1u);
    EXPECT_EQ(found.patches[0].kind, ContactKind::face);
    EXPECT_NEAR(found.patches[0].area_m2, kPi * 0.033 * 0.033, 0.002 * kPi * 0.033 * 0.033);
    EXPECT_NEAR(found.patches[0].n_W.z(), -1.0, 1e-12);
    for (const Vector3d& p : all_points(found)) {
      EXPECT_NEAR((p - Vector3d(0.1, 0.2, 0.0)).norm(), 0.033, 0.001 * 0.033);
      EXPECT_NEAR(p.z(), 0.0, 1e-12);
    }
    EXPECT_FALSE(found.penetrating);
  }
}

TEST(RoundContact, ALyingCanTouchesInTheLineUnderItsAxisAtEveryRoll) {
  const Polyhedron table = box({1.0, 1.0, 0.1});
  for (int degrees = 0; degrees < 360; ++degrees) {
    const Eigen::Quaterniond q =
        turn(kPi / 2, Vector3d::UnitX()) * turn(degrees * kDegree, Vector3d::UnitZ());
    const PairContacts found = find_round_contacts(RoundShape::cylinder(0.1, 0.2), at({0.0, 0.0, 0.1}, q),
                                                   table, at({0.0, 0.0, -0.05}), kOptions);
    ASSERT_EQ(found.patches.size(), 1u) << degrees;
    ASSERT_EQ(found.patches[0].kind, ContactKind::edge);
    const auto& line = found.patches[0].loops_W[0];
    EXPECT_NEAR((line[1] - line[0]).norm(), 0.2, 1e-9);
    for (const Vector3d& p : line) {
      EXPECT_NEAR(p.x(), 0.0, 1e-9);
      EXPECT_NEAR(std::abs(p.y()), 0.1, 1e-9);
    }
  }
}

TEST(RoundContact, ACanOverTheTableEdgeTouchesWhereThereIsTable) {
  const Polyhedron table = box({1.0, 1.0, 0.1});
  const PairContacts lying = find_round_contacts(RoundShape::cylinder(0.05, 0.2),
                                                 at({0.5, 0.0, 0.05}, turn(kPi / 2, Vector3d::UnitY())),
                                                 table, at({0.0, 0.0, -0.05}), kOptions);
  ASSERT_EQ(lying.patches.size(), 1u);
  EXPECT_NEAR((lying.patches[0].loops_W[0][1] - lying.patches[0].loops_W[0][0]).norm(), 0.1, 1e-9);
  const PairContacts standing = find_round_contacts(RoundShape::cylinder(0.05, 0.2), at({0.5, 0.0, 0.1}),
                                                    table, at({0.0, 0.0, -0.05}), kOptions);
  ASSERT_EQ(standing.patches.size(), 1u);
  EXPECT_NEAR(standing.patches[0].area_m2, 0.5 * kPi * 0.05 * 0.05, 0.002 * kPi * 0.05 * 0.05);
}

TEST(RoundContact, ABallOnFaceEdgeAndCorner) {
  const Polyhedron block = box({0.2, 0.2, 0.2});
  const RoundShape ball = RoundShape::sphere(0.05);
  const struct {
    Vector3d feature, away;
  } cases[] = {{{0.02, 0.03, 0.1}, {0, 0, 1}},
               {{0.1, 0.01, 0.1}, {1, 0, 1}},
               {{0.1, 0.1, 0.1}, {1, 1, 1}},
               {{0.1, 0.1, 0.1}, {3, 1, 2}},
               {{0.0, -0.1, 0.1}, {0, -1, 3}}};
  for (const auto& c : cases) {
    const Vector3d away = c.away.normalized();
    const PairContacts found =
        find_round_contacts(ball, at(c.feature + 0.05 * away), block, at(Vector3d::Zero()), kOptions);
    ASSERT_EQ(found.patches.size(), 1u) << c.away.transpose();
    EXPECT_NEAR((found.patches[0].n_W + away).norm(), 0.0, 1e-9);
    EXPECT_NEAR((found.patches[0].loops_W[0][0] - c.feature).norm(), 0.0, 1e-9);
    EXPECT_FALSE(found.penetrating);
  }
}

TEST(RoundContact, DepthIsMeasured) {
  const Polyhedron block = box({0.2, 0.2, 0.2});
  for (const double depth : {0.0005, 0.002, 0.01}) {
    const PairContacts ball = find_round_contacts(RoundShape::sphere(0.05), at({0.0, 0.0, 0.15 - depth}),
                                                  block, at(Vector3d::Zero()), kOptions);
    EXPECT_TRUE(ball.penetrating);
    EXPECT_NEAR(ball.depth_m, depth, 1e-9);
    const PairContacts can =
        find_round_contacts(RoundShape::cylinder(0.03, 0.1), at({0.08, 0.0, 0.15 - depth}), block,
                            at(Vector3d::Zero()), kOptions);
    EXPECT_TRUE(can.penetrating);
    EXPECT_NEAR(can.depth_m, depth, 1e-9);
  }
  // Under the block, and wholly inside it.
  EXPECT_FALSE(find_round_contacts(RoundShape::sphere(0.05), at({0.0, 0.0, -0.2}), block,
                                   at(Vector3d::Zero()), kOptions)
                   .penetrating);
  EXPECT_TRUE(find_round_contacts(RoundShape::sphere(0.02), at({0.0, 0.0, 0.0}), block, at(Vector3d::Zero()),
                                  kOptions)
                  .penetrating);
}

TEST(RoundContact, CansOnCans) {
  const RoundShape can = RoundShape::cylinder(0.03, 0.1);
  const Eigen::Quaterniond lying = turn(kPi / 2, Vector3d::UnitX());
  // Alongside, shifted by a quarter: a line of three quarters.
  const PairContacts side =
      find_round_contacts(can, at(Vector3d::Zero(), lying), can, at({0.06, 0.025, 0.0}, lying), kOptions);
  ASSERT_EQ(side.patches.size(), 1u);
  ASSERT_EQ(side.patches[0].kind, ContactKind::edge);
  EXPECT_NEAR((side.patches[0].loops_W[0][1] - side.patches[0].loops_W[0][0]).norm(), 0.075, 1e-9);
  EXPECT_NEAR(side.patches[0].n_W.x(), 1.0, 1e-9);
  // Crosswise: a point.
  const PairContacts cross =
      find_round_contacts(can, at(Vector3d::Zero(), lying), can,
                          at({0.0, 0.0, 0.06}, turn(kPi / 2, Vector3d::UnitY())), kOptions);
  ASSERT_EQ(cross.patches.size(), 1u);
  EXPECT_EQ(cross.patches[0].kind, ContactKind::point);
  EXPECT_NEAR(cross.patches[0].n_W.z(), 1.0, 1e-9);
  // One on top of the other, half a radius aside: the lens of two circles.
  const double d = 0.015, r = 0.03;
  const double lens = 2 * r * r * std::acos(d / (2 * r)) - 0.5 * d * std::sqrt(4 * r * r - d * d);
  const PairContacts top = find_round_contacts(can, at(Vector3d::Zero()), can, at({d, 0.0, 0.1}), kOptions);
  ASSERT_EQ(top.patches.size(), 1u);
  EXPECT_EQ(top.patches[0].kind, ContactKind::face);
  EXPECT_NEAR(top.patches[0].area_m2, lens, 0.003 * lens);
  // A lying can on a standing one: the line across its end.
  const PairContacts across =
      find_round_contacts(can, at(Vector3d::Zero()), can, at({0.0, 0.0, 0.08}, lying), kOptions);
  ASSERT_EQ(across.patches.size(), 1u);
  ASSERT_EQ(across.patches[0].kind, ContactKind::edge);
  EXPECT_NEAR((across.patches[0].loops_W[0][1] - across.patches[0].loops_W[0][0]).norm(), 0.06, 1e-3 * 0.06);
}

RoundShape random_shape(math::RandomStream& random) {
  const double a = random.uniform(0.02, 0.1), b = random.uniform(0.02, 0.2), c = random.uniform(0.02, 0.1);
  switch (random.below(4)) {
    case 0:
      return RoundShape::sphere(a);
    case 1:
      return RoundShape::capsule(a, b);
    case 2:
      return RoundShape::cylinder(a, b);
    default:
      return RoundShape::ellipsoid({a, b, c});
  }
}

Eigen::Quaterniond random_turn(math::RandomStream& random) {
  const double w = random.normal(), x = random.normal(), y = random.normal(), z = random.normal();
  return Eigen::Quaterniond(w, x, y, z).normalized();
}

// b is brought to touch a along a random direction by bisection on the largest separation over many planes; then the contact's gap is zero
// and its normal separates the two: all of a on one side, all of b on the other.
TEST(RoundContact, RandomPairsTouchWhereAPlaneSeparatesThem) {
  math::RandomStream random(21);
  int touched = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const RoundShape a = random_shape(random), b = random_shape(random);
    const Pose X_WA = at(Vector3d::Zero(), random_turn(random));
    const Eigen::Quaterniond q = random_turn(random);
    const double x = random.normal(), y = random.normal(), z = random.normal();
    const Vector3d way = Vector3d(x, y, z).normalized();
    double low = 0.0, high = a.diagonal() + b.diagonal();
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      const PairContacts found =
          find_round_contacts(a, X_WA, b, at(middle * way, q), {.gap_tolerance = 10.0});
      ASSERT_FALSE(found.patches.empty());
      (found.patches[0].gap_min_m > 0.0 ? high : low) = middle;
    }
    const Pose X_WB = at(high * way, q);
    const PairContacts found = find_round_contacts(a, X_WA, b, X_WB, kOptions);
    ASSERT_EQ(found.patches.size(), 1u) << to_string(a.kind()) << " " << to_string(b.kind());
    const Vector3d n = found.patches[0].n_W, p = found.patches[0].loops_W[0][0];
    const double size = a.diagonal() + b.diagonal();
    EXPECT_LE(n.dot(X_WA * a.support(X_WA.R().transpose() * n) - p), 1e-6 * size)
        << to_string(a.kind()) << " " << to_string(b.kind());
    EXPECT_GE(n.dot(X_WB * b.support(-(X_WB.R().transpose() * n)) - p), -1e-6 * size)
        << to_string(a.kind()) << " " << to_string(b.kind());
    ++touched;
  }
  EXPECT_EQ(touched, 300);
}

// The same against a box: its corners on one side, the round shape on the other.
TEST(RoundContact, RandomShapesOnBoxesTouchWhereAPlaneSeparatesThem) {
  math::RandomStream random(22);
  const int trials = prehend::test::sweep_size(80, 300);
  for (int trial = 0; trial < trials; ++trial) {
    const RoundShape a = random_shape(random);
    const Polyhedron block = box({0.1, 0.15, 0.2});
    const Eigen::Quaterniond q = random_turn(random);
    const double x = random.normal(), y = random.normal(), z = random.normal();
    const Vector3d way = Vector3d(x, y, z).normalized();
    double low = 0.0, high = a.diagonal() + 0.3;
    for (int i = 0; i < 45; ++i) {
      const double middle = 0.5 * (low + high);
      const PairContacts found =
          find_round_contacts(a, at(middle * way, q), block, at(Vector3d::Zero()), {.gap_tolerance = 1e-9});
      (found.penetrating ? low : high) = middle;
    }
    const Pose X_WA = at(high * way, q);
    const PairContacts found =
        find_round_contacts(a, X_WA, block, at(Vector3d::Zero()), {.gap_tolerance = 1e-6});
    ASSERT_FALSE(found.patches.empty()) << to_string(a.kind()) << " trial " << trial;
    const Vector3d n = found.patches[0].n_W, p = found.patches[0].loops_W[0][0];
    EXPECT_LE(n.dot(X_WA * a.support(X_WA.R().transpose() * n) - p), 3e-6);
    for (const Vector3d& corner : block.vertices()) EXPECT_GE(n.dot(corner - p), -3e-6);
  }
}

}  // namespace
}  // namespace prehend::geometry
