// Bodies that share room: what is penetration, and what is not contact although a feature comes within the
// tolerance.
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/geometry/test/contact_scenes.h>
#include <prehend/math/so3.h>

namespace prehend::geometry {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using math::Pose;

TEST(ContactOfPenetratingBodies, PenetrationIsSeenInEveryForm) {
  const auto penetrates = [](const TriangleMesh& a, const TriangleMesh& b) {
    Scene scene;
    scene.add(a);
    scene.add(b);
    return robust_contacts(scene).penetrations.size() == 1;
  };
  const TriangleMesh unit = box_at({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(penetrates(unit, box_at({0.5, 0.5, 0.5}, {1.5, 1.5, 1.5})));  // corner in corner
  EXPECT_TRUE(penetrates(unit, box_at({0.5, 0, 0}, {1.5, 1, 1})));          // slid along, sides flush
  EXPECT_TRUE(penetrates(unit, unit));                                      // the same place
  EXPECT_TRUE(penetrates(unit, box_at({0.4, 0.4, 0.4}, {0.6, 0.6, 0.6})));  // swallowed
  EXPECT_TRUE(penetrates(unit, box_at({0.4, -1, 0.4}, {0.6, 2, 0.6})));     // run through
  EXPECT_TRUE(penetrates(unit, box_at({-1, 0.25, 0}, {2, 0.75, 1})));       // a cross with flush tops
  EXPECT_FALSE(penetrates(unit, box_at({1, 0, 0}, {2, 1, 1})));             // side by side, tops flush
  EXPECT_FALSE(penetrates(unit, box_at({1, 1, 1}, {2, 2, 2})));             // corner to corner
}

TEST(ContactOfPenetratingBodies, EdgeOnItsWayThroughAFaceIsNoContact) {
  // A tilted box whose upper left edge lies in the table's plane while the box goes on below: near, parallel,
  // and not touching.
  Scene scene;
  scene.add(box_at({-3, -3, -3}, {3, 3, 0}));
  scene.add(box_at({0, 0, 0}, {1, 1, 1}),
            Pose(Quaterniond(Eigen::AngleAxisd(0.35, Vector3d::UnitY())), {0, 0, 0}));
  const ContactResult result = robust_contacts(scene);
  EXPECT_TRUE(result.interfaces.empty()) << result.brief_report();
  EXPECT_EQ(result.penetrations.size(), 1u);
}

TEST(ContactOfPenetratingBodies, InnerCornerOfANotchInsideTheOtherBodyIsNoContact) {
  // The notch's corner stands in the other's face; all three of its edges leave on the free side, the
  // material does not.
  Scene scene;
  scene.add(grid_solid({-1, 0, 1}, {-1, 0, 1}, {-1, 0}, [](int i, int j, int) { return i == 0 || j == 0; }));
  const Vector3d n = Vector3d(1, 1, -1).normalized();
  scene.add(box_at({-3, -3, -6}, {3, 3, 0}), Pose::rotation(math::rotation_between(Vector3d::UnitZ(), n)));
  const ContactResult result = robust_contacts(scene);
  for (const ContactInterface& interface : result.interfaces) {
    for (const Vector3d& p : interface.points_W) EXPECT_GT(p.norm(), 0.1);
  }
  EXPECT_EQ(result.penetrations.size(), 1u);
}

TEST(ContactOfPenetratingBodies, CornerBehindTwoFacesLeavesThroughTheNearer) {
  const Vector3d diagonal = Vector3d(1, 0, 1).normalized();
  const Pose tip_down(math::rotation_between(Vector3d::UnitZ(), -diagonal), 0.5 * diagonal);
  const auto contacts_with_tip_at = [&](const Vector3d& tip) {
    Scene
        scene;  // the table ends at x = 0 and z = 0; a slim pyramid stands askew on its rim, a little inside
    scene.add(box_at({-2, -1, -2}, {0, 1, 0}));
    scene.add(make_cone(0.2, 1.0, 4), Pose::translation(tip) * tip_down);
    return robust_contacts(scene);
  };
  const ContactResult nearer_to_top = contacts_with_tip_at({-6e-5, 0, -3e-5});
  ASSERT_EQ(nearer_to_top.interfaces.size(), 1u);
  EXPECT_LT((nearer_to_top.interfaces[0].n_W - Vector3d::UnitZ()).norm(), 1e-9);
  const ContactResult nearer_to_side = contacts_with_tip_at({-3e-5, 0, -6e-5});
  ASSERT_EQ(nearer_to_side.interfaces.size(), 1u);
  EXPECT_LT((nearer_to_side.interfaces[0].n_W - Vector3d::UnitX()).norm(), 1e-9);
}

}  // namespace
}  // namespace prehend::geometry
