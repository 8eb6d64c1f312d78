// Faceted round bodies in the symmetric positions that people build scenes from: corner on corner, edge on
// edge.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <prehend/geometry/test/contact_scenes.h>
#include <prehend/math/so3.h>

namespace prehend::geometry {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using math::Pose;
using std::numbers::pi;

// The ball turned so that one of its vertices is its lowest point.
TriangleMesh ball_on_vertex(double radius, int subdivisions) {
  const TriangleMesh ball = make_icosphere(radius, subdivisions);
  return transformed(ball, Pose::rotation(math::rotation_between(ball.vertices[0], -Vector3d::UnitZ())));
}

Pose lying(const Vector3d& p, double heading = 0.0,
           double roll = 0.0) {  // axis of revolution along x, then turned about z
  return Pose(
      Quaterniond(Eigen::AngleAxisd(heading, Vector3d::UnitZ()) *
                  Eigen::AngleAxisd(pi / 2, Vector3d::UnitY()) * Eigen::AngleAxisd(roll, Vector3d::UnitZ())),
      p);
}

void expect_only(const ContactResult& result, ContactKind kind, const Vector3d& n) {
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_EQ(result.interfaces[0].kind, kind);
  EXPECT_LT((result.interfaces[0].n_W - n).norm(), 1e-6);
  EXPECT_TRUE(result.penetrations.empty());
}

TEST(ContactOfRoundBodies, BallOnTable) {
  Scene scene;
  scene.add(box_at({-1, -1, -1}, {1, 1, 0}));
  scene.add(ball_on_vertex(0.1, 3), Pose::translation({0.2, 0.1, 0.1}));
  const ContactResult result = robust_contacts(scene);
  expect_only(result, ContactKind::point, Vector3d::UnitZ());
  EXPECT_EQ(result.interfaces[0].points_W.size(), 1u);
}

TEST(ContactOfRoundBodies, BallOnBallCornerOnCorner) {
  Scene scene;
  scene.add(transformed(ball_on_vertex(0.1, 3), Pose::rotation(Quaterniond(0, 1, 0, 0))));
  scene.add(ball_on_vertex(0.05, 3), Pose::translation({0, 0, 0.15}));
  const ContactResult result = robust_contacts(scene);
  expect_only(result, ContactKind::point, Vector3d::UnitZ());
  EXPECT_LT((result.interfaces[0].points_W[0] - Vector3d(0, 0, 0.1)).norm(), 1e-9);
}

TEST(ContactOfRoundBodies, BallOnTheSharpEdgeAndCornerOfABox) {
  Scene edge;  // the ball decides the normal
  edge.add(box_at({-1, -1, -1}, {0, 1, 0}));
  edge.add(ball_on_vertex(0.1, 3), Pose::translation({0, 0.3, 0.1}));
  expect_only(robust_contacts(edge), ContactKind::point, Vector3d::UnitZ());
  Scene corner;
  corner.add(box_at({-1, -1, -1}, {0, 0, 0}));
  corner.add(ball_on_vertex(0.1, 3), Pose::translation({0, 0, 0.1}));
  expect_only(robust_contacts(corner), ContactKind::point, Vector3d::UnitZ());
}

TEST(ContactOfRoundBodies, CylinderLyingOnAnEdgeAndOnAFlat) {
  Scene scene;
  scene.add(box_at({-1, -1, -1}, {1, 1, 0}));
  scene.add(make_cylinder(0.1, 0.4, 32), lying({0, 0, 0.1}));
  const ContactResult on_edge = robust_contacts(scene);
  expect_only(on_edge, ContactKind::edge, Vector3d::UnitZ());
  EXPECT_NEAR((on_edge.interfaces[0].points_W.at(0) - on_edge.interfaces[0].points_W.at(1)).norm(), 0.4,
              1e-9);
  scene.poses[1] = lying({0, 0, 0.1 * std::cos(pi / 32)}, 0.4, pi / 32);
  const ContactResult on_flat = robust_contacts(scene);
  expect_only(on_flat, ContactKind::face, Vector3d::UnitZ());
  EXPECT_NEAR(on_flat.interfaces[0].area_m2, 0.4 * 0.2 * std::sin(pi / 32), 1e-9);
}

TEST(ContactOfRoundBodies, CylinderAlongACylinderEdgeOnEdge) {
  Scene scene;
  scene.add(make_cylinder(0.1, 0.6, 24), lying({0, 0, 0}));
  scene.add(make_cylinder(0.1, 0.4, 24), lying({0.25, 0, 0.2}));
  const ContactResult result = robust_contacts(scene);
  expect_only(result, ContactKind::edge, Vector3d::UnitZ());
  EXPECT_NEAR((result.interfaces[0].points_W.at(0) - result.interfaces[0].points_W.at(1)).norm(), 0.25, 1e-9);
}

TEST(ContactOfRoundBodies, CylinderAcrossACylinder) {
  Scene scene;
  scene.add(make_cylinder(0.1, 0.6, 24), lying({0, 0, 0}));
  scene.add(make_cylinder(0.1, 0.6, 24), lying({0, 0, 0.2}, 1.1));
  const ContactResult result = robust_contacts(scene);
  expect_only(result, ContactKind::point, Vector3d::UnitZ());
}

TEST(ContactOfRoundBodies, CylinderStandsOnItsCap) {
  Scene scene;
  scene.add(box_at({-1, -1, -1}, {1, 1, 0}));
  scene.add(make_cylinder(0.1, 0.6, 64), Pose::translation({0, 0, 0.3}));
  const ContactResult result = robust_contacts(scene);
  expect_only(result, ContactKind::face, Vector3d::UnitZ());
  EXPECT_NEAR(result.interfaces[0].area_m2, 0.5 * 64 * 0.01 * std::sin(2 * pi / 64), 1e-12);
  EXPECT_EQ(result.interfaces[0].hull.size(), 64u);
}

// A round pin in a round bore of the same number of sides touches with every side; turned by half a side it
// sticks.
TEST(ContactOfRoundBodies, ManyBallsInARowTouchTheirNeighboursOnly) {
  Scene scene;
  const TriangleMesh ball = make_icosphere(0.1, 2);
  math::RandomStream random(3);
  double x = 0.0;
  for (int i = 0; i < 8; ++i, x += 0.2 - 5e-5) scene.add(ball, Pose::translation({x, 0, 0}));
  const ContactResult result = scene.contacts();
  for (const ContactInterface& interface : result.interfaces) {
    EXPECT_EQ(interface.body_b.value(), interface.body_a.value() + 1);
    EXPECT_GT(interface.n_W.x(), 0.95);
  }
  EXPECT_GE(result.interfaces.size(), 7u);
  EXPECT_TRUE(result.penetrations.empty());
}

}  // namespace
}  // namespace prehend::geometry
