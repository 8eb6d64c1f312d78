#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/geometry/contact.h>
#include <prehend/geometry/test/contact_scenes.h>
#include <prehend/math/so3.h>

namespace prehend::geometry {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;
using math::Pose;
using std::numbers::pi;

Pose turned(double angle, const Vector3d& axis, const Vector3d& p = Vector3d::Zero()) {
  return Pose(Quaterniond(AngleAxisd(angle, axis.normalized())), p);
}

// The interfaces of one pair of bodies.
std::vector<ContactInterface> between(const ContactResult& result, int a, int b) {
  std::vector<ContactInterface> found;
  for (const ContactInterface& interface : result.interfaces) {
    if (interface.body_a.value() == a && interface.body_b.value() == b) found.push_back(interface);
  }
  return found;
}

const ContactInterface* with_normal(const std::vector<ContactInterface>& interfaces, const Vector3d& n) {
  for (const ContactInterface& interface : interfaces) {
    if ((interface.n_W - n).norm() < 1e-9) return &interface;
  }
  return nullptr;
}

TEST(Contact, BoxOnTwoBoxes) {
  Scene scene;
  scene.add(box_at({0, 0, 0}, {1, 1, 1}));
  scene.add(box_at({2, 0, 0}, {3, 1, 1}));
  scene.add(box_at({0.5, 0.25, 1}, {2.75, 0.75, 2}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 2u);
  EXPECT_TRUE(result.penetrations.empty());
  const ContactInterface left = between(result, 0, 2).at(0), right = between(result, 1, 2).at(0);
  EXPECT_EQ(left.kind, ContactKind::face);
  EXPECT_NEAR(left.area_m2, 0.25, 1e-12);
  EXPECT_NEAR(right.area_m2, 0.375, 1e-12);
  EXPECT_LT((left.n_W - Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_EQ(left.points_W.size(), 4u);
  EXPECT_EQ(left.hull.size(), 4u);
  for (const Vector3d& p : left.points_W) EXPECT_NEAR(p.z(), 1.0, 1e-12);
}

TEST(Contact, SquaresAt45DegreesGiveTheOctagon) {
  Scene scene;
  scene.add(box_at({-0.5, -0.5, -1}, {0.5, 0.5, 0}));
  scene.add(box_at({-0.5, -0.5, 0}, {0.5, 0.5, 1}), turned(pi / 4, Vector3d::UnitZ()));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_NEAR(result.interfaces[0].area_m2, 2.0 * (std::sqrt(2.0) - 1.0), 1e-12);
  EXPECT_EQ(result.interfaces[0].points_W.size(), 8u);
  EXPECT_EQ(result.interfaces[0].hull.size(), 8u);
}

TEST(Contact, SlabThroughANotch) {
  Scene
      scene;  // a U-shaped block, open at the top, and a slab that fills its slot and stands out at both ends
  scene.add(grid_solid({0, 1, 2, 3}, {0, 1}, {0, 1, 2}, [](int i, int, int k) { return k == 0 || i != 1; }));
  scene.add(box_at({1, -1, 1}, {2, 2, 1.5}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 3u);
  const auto all = between(result, 0, 1);
  ASSERT_TRUE(with_normal(all, Vector3d::UnitZ()));
  EXPECT_NEAR(with_normal(all, Vector3d::UnitZ())->area_m2, 1.0, 1e-12);
  ASSERT_TRUE(with_normal(all, Vector3d::UnitX()));  // the left cheek pushes the slab towards +x
  EXPECT_NEAR(with_normal(all, Vector3d::UnitX())->area_m2, 0.5, 1e-12);
  ASSERT_TRUE(with_normal(all, -Vector3d::UnitX()));
  EXPECT_TRUE(result.penetrations.empty());
}

TEST(Contact, TiltedWedgesTouchAlongTheIncline) {
  Scene scene;  // a ramp of 30 degrees and its mirror image on top, together a brick
  const double h = std::tan(pi / 6);
  scene.add(prism({{0, 0}, {1, 0}, {1, h}}, 0, 1));
  scene.add(prism({{0, 0}, {1, h}, {0, h}}, 0.25, 2));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_NEAR(result.interfaces[0].area_m2, 0.75 / std::cos(pi / 6), 1e-12);
  EXPECT_LT((result.interfaces[0].n_W - Vector3d(-0.5, 0, std::sqrt(0.75))).norm(), 1e-12);
}

TEST(Contact, BoxOnItsEdgeTouchesInOneLine) {
  Scene scene;
  scene.add(box_at({-3, -3, -1}, {3, 3, 0}));
  scene.add(make_box({1, 2, 1}), turned(pi / 4, Vector3d::UnitY(), {0, 0, std::sqrt(0.5)}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  const ContactInterface& line = result.interfaces[0];
  EXPECT_EQ(line.kind, ContactKind::edge);
  EXPECT_EQ(line.area_m2, 0.0);
  ASSERT_EQ(line.points_W.size(), 2u);
  EXPECT_NEAR((line.points_W[0] - line.points_W[1]).norm(), 2.0, 1e-12);
  EXPECT_LT((line.n_W - Vector3d::UnitZ()).norm(), 1e-12);
}

TEST(Contact, BoxOnItsEdgeOverTheRimOfATable) {
  Scene scene;  // only the part above the table counts
  scene.add(box_at({-3, -0.5, -1}, {3, 3, 0}));
  scene.add(make_box({1, 2, 1}),
            turned(pi / 5, Vector3d::UnitY(), {0, 0, std::sqrt(0.5) * std::cos(pi / 4 - pi / 5)}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_EQ(result.interfaces[0].kind, ContactKind::edge);
  EXPECT_NEAR((result.interfaces[0].points_W[0] - result.interfaces[0].points_W[1]).norm(), 1.5, 1e-12);
}

TEST(Contact, BoxOnItsCornerTouchesInOnePoint) {
  Scene scene;
  scene.add(box_at({-3, -3, -1}, {3, 3, 0}));
  const Quaterniond q = math::rotation_between(Vector3d(-1, -1, -1), -Vector3d::UnitZ());
  scene.add(make_box({1, 1, 1}), Pose(q, {0.2, 0.3, std::sqrt(0.75)}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_EQ(result.interfaces[0].kind, ContactKind::point);
  ASSERT_EQ(result.interfaces[0].points_W.size(), 1u);
  EXPECT_LT((result.interfaces[0].points_W[0] - Vector3d(0.2, 0.3, 0)).norm(), 1e-9);
  EXPECT_LT((result.interfaces[0].n_W - Vector3d::UnitZ()).norm(), 1e-12);
}

TEST(Contact, CrossingPrismsTouchInOnePoint) {
  Scene scene;  // two ridges, one pointing up, one down and across at 70 degrees
  scene.add(prism({{-1, -1}, {1, -1}, {0, 0}}, -2, 2));
  scene.add(prism({{0, 0}, {1, 1}, {-1, 1}}, -2, 2), turned(7 * pi / 18, Vector3d::UnitZ(), {0.3, 0.1, 0}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_EQ(result.interfaces[0].kind, ContactKind::point);
  EXPECT_LT((result.interfaces[0].n_W - Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(result.interfaces[0].points_W[0].x(), 0.0, 1e-12);
}

TEST(Contact, PegInAHole) {
  Scene scene;  // a block with a square pocket, and a peg that fills it
  scene.add(grid_solid({0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2},
                       [](int i, int j, int k) { return k == 0 || i != 1 || j != 1; }));
  scene.add(box_at({1, 1, 1}, {2, 2, 4}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 5u);
  for (const ContactInterface& interface : result.interfaces) {
    EXPECT_EQ(interface.kind, ContactKind::face);
    EXPECT_NEAR(interface.area_m2, 1.0, 1e-12);
  }
  for (const Vector3d& n :
       {Vector3d(1, 0, 0), Vector3d(-1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, -1, 0), Vector3d(0, 0, 1)}) {
    EXPECT_TRUE(with_normal(result.interfaces, n));
  }
  EXPECT_TRUE(result.penetrations.empty());
}

TEST(Contact, BoxOnARingHasAPatchWithAHole) {
  Scene scene;
  scene.add(
      grid_solid({0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1}, [](int i, int j, int) { return i != 1 || j != 1; }));
  scene.add(box_at({0.5, 0.5, 1}, {2.5, 2.5, 2}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_NEAR(result.interfaces[0].area_m2, 3.0, 1e-12);
  EXPECT_EQ(result.interfaces[0].loops_W.size(), 2u);
  EXPECT_EQ(result.interfaces[0].points_W.size(), 8u);
  EXPECT_EQ(result.interfaces[0].hull.size(), 4u);
}

TEST(Contact, UShapedBlockStandsOnTwoFeetWithOneInterface) {
  Scene scene;
  scene.add(box_at({-2, -2, -1}, {5, 5, 0}));
  scene.add(grid_solid({0, 1, 2, 3}, {0, 1}, {0, 1, 2}, [](int i, int, int k) { return k == 1 || i != 1; }));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_NEAR(result.interfaces[0].area_m2, 2.0, 1e-12);
  EXPECT_EQ(result.interfaces[0].loops_W.size(), 2u);
  EXPECT_EQ(result.interfaces[0].points_W.size(), 8u);
  EXPECT_EQ(result.interfaces[0].hull.size(), 4u);
}

TEST(Contact, BlockInTheCornerOfAnLShape) {
  Scene scene;
  scene.add(grid_solid({0, 1, 4}, {0, 2}, {0, 1, 3}, [](int i, int, int k) { return k == 0 || i == 0; }));
  scene.add(box_at({1, 0.5, 1}, {2, 1.5, 2}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 2u);
  ASSERT_TRUE(with_normal(result.interfaces, Vector3d::UnitZ()));
  ASSERT_TRUE(with_normal(result.interfaces, Vector3d::UnitX()));
  EXPECT_NEAR(with_normal(result.interfaces, Vector3d::UnitX())->area_m2, 1.0, 1e-12);
}

TEST(Contact, TwoLShapesInterlock) {
  Scene scene;  // the second is the first turned by 180 degrees about y: together a brick
  const TriangleMesh l =
      grid_solid({0, 1, 2}, {0, 1}, {0, 1, 2}, [](int i, int, int k) { return k == 0 || i == 0; });
  scene.add(l);
  scene.add(l, turned(pi, Vector3d::UnitY(), {2, 0, 3}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 3u);
  for (const ContactInterface& interface : result.interfaces) EXPECT_NEAR(interface.area_m2, 1.0, 1e-12);
  // Each foot ends on the other's leg, at different heights: same normal, two planes.
  ASSERT_TRUE(with_normal(result.interfaces, Vector3d::UnitX()));
  EXPECT_NEAR(result.interfaces[0].n_W.z() + result.interfaces[1].n_W.z() + result.interfaces[2].n_W.z(), 2.0,
              1e-12);
}

TEST(Contact, CornerInAGrooveTouchesBothSides) {
  Scene scene;  // a square groove along y and a slim pyramid that stands on its tip in the bottom line
  scene.add(grid_solid({-3, 0, 3}, {-3, 3}, {-3, 0, 3}, [](int i, int, int k) { return k == 0 || i == 0; }));
  const Vector3d diagonal = Vector3d(1, 0, 1).normalized();
  const Quaterniond q = math::rotation_between(Vector3d::UnitZ(), -diagonal);
  scene.add(make_cone(0.3, 1.0, 4), Pose(q, 0.5 * diagonal));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 2u);
  for (const Vector3d& n : {Vector3d(Vector3d::UnitX()), Vector3d(Vector3d::UnitZ())}) {
    ASSERT_TRUE(with_normal(result.interfaces, n));
    EXPECT_EQ(with_normal(result.interfaces, n)->kind, ContactKind::point);
    EXPECT_LT(with_normal(result.interfaces, n)->points_W.at(0).norm(), 1e-9);
  }
}

TEST(Contact, SharpEdgeInAGrooveTouchesBothSidesAlongTheLine) {
  Scene scene;
  scene.add(grid_solid({-3, 0, 3}, {-3, 3}, {-3, 0, 3}, [](int i, int, int k) { return k == 0 || i == 0; }));
  scene.add(prism({{0, 0}, {2, 1}, {1, 2}}, -1, 1));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 2u);
  for (const Vector3d& n : {Vector3d(Vector3d::UnitX()), Vector3d(Vector3d::UnitZ())}) {
    ASSERT_TRUE(with_normal(result.interfaces, n));
    EXPECT_EQ(with_normal(result.interfaces, n)->kind, ContactKind::edge);
    EXPECT_EQ(with_normal(result.interfaces, n)->points_W.size(), 2u);
  }
}

TEST(Contact, StackOfThree) {
  Scene scene;
  for (int i = 0; i < 3; ++i)
    scene.add(make_box({1, 1, 1}), turned(0.3 * i, Vector3d::UnitZ(), {0.01 * i, 0, 1.0 * i}));
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 2u);
  EXPECT_EQ(between(result, 0, 1).size(), 1u);
  EXPECT_EQ(between(result, 1, 2).size(), 1u);
}

TEST(Contact, WallOfBoxesHasNoDiagonalContact) {
  Scene scene;  // stack bond: diagonal neighbours share an edge only
  for (int x = 0; x < 3; ++x) {
    for (int z = 0; z < 3; ++z) scene.add(box_at({1.0 * x, 0, 1.0 * z}, {x + 1.0, 1, z + 1.0}));
  }
  const ContactResult result = robust_contacts(scene);
  EXPECT_EQ(result.interfaces.size(), 12u);
  for (const ContactInterface& interface : result.interfaces) {
    EXPECT_EQ(interface.kind, ContactKind::face);
    EXPECT_NEAR(interface.area_m2, 1.0, 1e-12);
  }
}

TEST(Contact, DirtyMeshTouchesLikeTheCleanOne) {
  Scene clean, dirty;
  clean.add(box_at({-2, -2, -1}, {2, 2, 0}));
  dirty.add(clean.meshes[0]);
  const TriangleMesh box = box_at({0, 0, 0}, {1, 1, 1});
  clean.add(box);
  TriangleMesh soup;  // every triangle with vertices of its own, one twice, one without area
  for (const Eigen::Vector3i& t : box.triangles) {
    const int n = static_cast<int>(soup.vertices.size());
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(box.vertices[t[k]]);
    soup.triangles.emplace_back(n, n + 1, n + 2);
  }
  soup.triangles.push_back(soup.triangles[5]);
  soup.triangles.emplace_back(0, 1, 1);
  dirty.add(soup);
  expect_same(clean.contacts(), robust_contacts(dirty), Pose(), 1.0, false, "dirty");
}

TEST(Contact, SeveralShapesOfOneBodyMerge) {
  Scene scene;  // a table of four overlapping boxes: two feet, a top, a brace that overlaps a foot
  scene.add(box_at({-5, -5, -1}, {5, 5, 0}), {}, 0);
  scene.add(box_at({0, 0, 0}, {1, 1, 2}), {}, 7);
  scene.add(box_at({3, 0, 0}, {4, 1, 2}), {}, 7);
  scene.add(box_at({0, 0, 2}, {4, 1, 2.5}), {}, 7);
  scene.add(box_at({0.5, 0, 0}, {2, 1, 0.5}), {}, 7);
  const ContactResult result = robust_contacts(scene);
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_EQ(result.interfaces[0].body_b.value(), 7);
  EXPECT_NEAR(result.interfaces[0].area_m2, 3.0, 1e-12);  // the overlap counts once
  EXPECT_EQ(result.interfaces[0].points_W.size(), 8u);
}

TEST(Contact, GapsDecide) {
  const auto contacts_at = [](double height, double tolerance) {
    Scene scene;
    scene.options.set_tolerance(tolerance);
    scene.add(box_at({-2, -2, -1}, {2, 2, 0}));
    scene.add(box_at({0, 0, height}, {1, 1, 1}));
    return scene.contacts();
  };
  EXPECT_EQ(contacts_at(0.9e-4, 1e-4).interfaces.size(), 1u);
  EXPECT_NEAR(contacts_at(0.9e-4, 1e-4).interfaces[0].gap_max_m, 0.9e-4, 1e-12);
  EXPECT_NEAR(contacts_at(-0.9e-4, 1e-4).interfaces.at(0).gap_min_m, -0.9e-4, 1e-12);
  EXPECT_TRUE(contacts_at(-0.9e-4, 1e-4).penetrations.empty());
  EXPECT_TRUE(contacts_at(1.1e-4, 1e-4).interfaces.empty());
  EXPECT_TRUE(contacts_at(1.1e-4, 1e-4).penetrations.empty());
  const ContactResult sunk = contacts_at(-0.02, 1e-4);
  EXPECT_TRUE(sunk.interfaces.empty());
  ASSERT_EQ(sunk.penetrations.size(), 1u);
  EXPECT_NEAR(sunk.penetrations[0].depth_m, 0.02, 1e-12);
  EXPECT_EQ(contacts_at(0.009, 1e-2).interfaces.size(), 1u);
}

// A block of a metre touches within half a millimetre of its diagonal unless the user says otherwise; a thin board within a tenth of its thickness.
TEST(Contact, TheToleranceGrowsWithTheBodies) {
  const auto touches = [](double height, const Vector3d& size) {
    Scene scene;
    scene.add(box_at({-2, -2, -1}, {2, 2, 0}));
    scene.add(box_at({0, 0, height}, {size.x(), size.y(), height + size.z()}));
    return !scene.contacts().interfaces.empty();
  };
  EXPECT_TRUE(touches(0.8e-3, {1, 1, 1}));
  EXPECT_FALSE(touches(0.9e-3, {1, 1, 1}));
  EXPECT_TRUE(touches(1.9e-4, {1, 1, 0.002}));
  EXPECT_FALSE(touches(2.1e-4, {1, 1, 0.002}));
  EXPECT_TRUE(touches(0.9e-4, {0.05, 0.05, 0.05}));
  EXPECT_FALSE(touches(1.1e-4, {0.05, 0.05, 0.05}));
}

TEST(Contact, SlightTiltTouchesWhereTheGapAllows) {
  Scene scene;  // 0.5 mrad over 1 m: within 1e-4 m up to 0.2 m from the hinge edge
  scene.options.set_tolerance(1e-4);
  scene.add(box_at({-2, -2, -1}, {2, 2, 0}));
  scene.add(box_at({0, 0, 0}, {1, 1, 1}), turned(-5e-4, Vector3d::UnitY()));
  const ContactResult result = scene.contacts();
  ASSERT_EQ(result.interfaces.size(), 1u);
  EXPECT_EQ(result.interfaces[0].kind, ContactKind::face);
  EXPECT_NEAR(result.interfaces[0].area_m2, 0.2, 1e-4);
  scene.poses[1] = turned(-5e-3, Vector3d::UnitY());
  const ContactResult steeper = scene.contacts();
  ASSERT_EQ(steeper.interfaces.size(), 1u);
  EXPECT_EQ(steeper.interfaces[0].kind, ContactKind::edge);
  EXPECT_EQ(steeper.interfaces[0].points_W.size(), 2u);
}

TEST(Contact, SkippedPairsAndBadInput) {
  const Polyhedron box = Polyhedron::from_mesh(make_box({1, 1, 1}));
  const std::vector<PosedPolyhedron> shapes{{&box, Pose(), ContactBodyIndex(0)},
                                            {&box, Pose::translation({0, 0, 1}), ContactBodyIndex(1)}};
  EXPECT_EQ(find_contacts(shapes).interfaces.size(), 1u);
  EXPECT_EQ(find_contacts(shapes, {}, [](auto, auto) { return true; }).interfaces.size(), 0u);
  EXPECT_EQ(ContactResult{}.brief_report(), "Contacts: not computed");
  EXPECT_EQ(find_contacts(shapes).brief_report(), "Contacts: 1 interfaces (1 face, 0 edge, 0 point), 1 m^2");
  EXPECT_EQ(find_contacts({}).status, ContactStatus::ok);
  const std::vector<PosedPolyhedron> bad{{nullptr, Pose(), ContactBodyIndex(0)}};
  EXPECT_THROW(find_contacts(bad), std::invalid_argument);
  try {
    find_contacts(shapes, {.gap_tolerance = std::nan("")});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "ContactOptions::gap_tolerance is nan m; it must be finite and above 0 m");
  }
}

}  // namespace
}  // namespace prehend::geometry
