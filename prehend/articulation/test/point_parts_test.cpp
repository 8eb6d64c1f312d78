// Parts seen without orientation: points on lines and circles about what has one.
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/articulation/discovery.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

constexpr int kFrames = 80;

class Scene {
 public:
  explicit Scene(double noise) : random_(7), noise_(noise) {}
  int part(const std::string& name) {
    log.parts.push_back(name);
    return static_cast<int>(log.parts.size()) - 1;
  }
  void point(int frame, int part, const Eigen::Vector3d& p) {
    log.rows.push_back({0.1 * frame, part, p + jitter(), std::nullopt, 0});
  }
  void pose(int frame, int part, const math::Pose& X) {
    const math::Pose Y = X * math::Pose(math::exp_so3(jitter()), jitter());
    log.rows.push_back({0.1 * frame, part, Y.p(), Y.q(), 0});
  }
  model::PoseLog log;

 private:
  Eigen::Vector3d jitter() {
    return {noise_ * random_.normal(), noise_ * random_.normal(), noise_ * random_.normal()};
  }
  math::RandomStream random_;
  double noise_;
};

double angle(int frame) { return 0.7 * std::sin(0.11 * frame); }
double shift(int frame) { return 0.2 * std::sin(0.17 * frame + 1); }

TEST(PointParts, ADoorADrawerAndAWallSeenFromTheWorld) {
  Scene scene(0.001);
  const int wall = scene.part("wall"), handle = scene.part("handle"), drawer = scene.part("drawer"),
            panel = scene.part("panel");
  for (int t = 0; t < kFrames; ++t) {
    const math::Pose hinge(math::exp_so3({0, 0, angle(t)}), {1, 0, 0});
    scene.point(t, wall, {0.3, 0.4, 0.5});
    scene.point(t, handle, hinge * Eigen::Vector3d(0.6, 0, 0.1));
    scene.point(t, drawer, {0.2, shift(t), -0.3});
    scene.point(t, panel, hinge * Eigen::Vector3d(0.3, 0, 0.6));
  }
  const Discovery found = discover(scene.log, "log");
  EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
  ASSERT_EQ(found.joints.size(), 2u) << found.brief_report();
  EXPECT_EQ(found.name(0), "world");
  // The wall stands in the world; the panel turns with the handle.
  EXPECT_EQ(found.groups[0].parts, (std::vector<int>{4, wall}));
  EXPECT_EQ(found.groups[1].parts, (std::vector<int>{handle, panel}));
  EXPECT_EQ(found.joints[0].joint.type, JointType::revolute);
  EXPECT_GT(std::abs(found.joints[0].joint.axis_F()->z()), 0.999);
  EXPECT_NEAR((*found.joints[0].joint.point_F() - Eigen::Vector3d(1, 0, 0)).head<2>().norm(), 0, 0.005);
  EXPECT_EQ(found.joints[1].joint.type, JointType::prismatic);
  EXPECT_EQ(found.degrees_of_freedom, 2);
  // States put the points where they were seen.
  for (int t = 0; t < kFrames; t += 9) {
    const auto placed = found.placed(t);
    ASSERT_TRUE(placed[1] && placed[2]);
    EXPECT_NEAR((placed[2]->p() - Eigen::Vector3d(0.2, shift(t), -0.3)).norm(), 0, 0.005);
    const math::Pose hinge(math::exp_so3({0, 0, angle(t)}), {1, 0, 0});
    EXPECT_NEAR((*placed[1] * found.X_RP[panel].p() - hinge * Eigen::Vector3d(0.3, 0, 0.6)).norm(), 0, 0.01);
  }
}

TEST(PointParts, APointAloneMovesInTheWorld) {
  Scene scene(0.001);
  const int handle = scene.part("handle");
  for (int t = 0; t < kFrames; ++t)
    scene.point(t, handle, math::exp_so3({0, 0, angle(t)}) * Eigen::Vector3d(0.5, 0, 0));
  const Discovery found = discover(scene.log, "log");
  EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
  ASSERT_EQ(found.joints.size(), 1u);
  EXPECT_EQ(found.joints[0].joint.type, JointType::revolute);
}

TEST(PointParts, APointOnAMovingPartIsFoundThere) {
  Scene scene(0.001);
  const int base = scene.part("base"), door = scene.part("door"), knob = scene.part("knob"),
            slider = scene.part("slider");
  for (int t = 0; t < kFrames; ++t) {
    const math::Pose X_WB(math::exp_so3({0.3 * std::sin(0.05 * t), 0.2, 0.02 * t}), {0.01 * t, 0, 1});
    const math::Pose X_WD = X_WB * math::Pose(math::exp_so3({0, 0, angle(t)}), {0.2, 0, 0});
    scene.pose(t, base, X_WB);
    scene.pose(t, door, X_WD);
    scene.point(t, knob, X_WD * Eigen::Vector3d(0.1, 0.1, 0));
    scene.point(t, slider, X_WD * Eigen::Vector3d(0, shift(t), 0.1));
  }
  const Discovery found = discover(scene.log, "log");
  EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
  ASSERT_EQ(found.groups.size(), 3u) << found.brief_report();
  EXPECT_EQ(found.groups[1].parts, (std::vector<int>{door, knob}));
  ASSERT_EQ(found.joints.size(), 2u);
  EXPECT_EQ(found.joints[1].parent, 1);
  EXPECT_EQ(found.joints[1].joint.type, JointType::prismatic);
  EXPECT_NEAR((found.X_RP[knob].p() - Eigen::Vector3d(0.1, 0.1, 0)).norm(), 0, 0.002);
}

TEST(PointParts, APointOfUnknownPartsIsSaidToBeSo) {
  Scene scene(0.001);
  const int first = scene.part("first"), second = scene.part("second");
  for (int t = 0; t < kFrames; ++t) {
    const math::Pose X(math::exp_so3({0, 0, 1.5 * angle(t)}), {0, 0, 0});
    const math::Pose Y = X * math::Pose(math::exp_so3({0, 2.0 * std::sin(0.31 * t), 0}), {0.5, 0, 0});
    scene.point(t, first, X * Eigen::Vector3d(0.5, 0, 0));
    scene.point(t, second, Y * Eigen::Vector3d(0.4, 0.1, 0));
  }
  const Discovery found = discover(scene.log, "log");
  EXPECT_EQ(found.status, DiscoveryStatus::undetermined) << found.brief_report();
  ASSERT_FALSE(found.reasons.empty());
  EXPECT_NE(found.reasons[0].find("'second' moves on neither line nor circle"), std::string::npos)
      << found.reasons[0];
}

TEST(PointParts, PointsAtRest) {
  Scene scene(0.0);
  const int a = scene.part("a"), b = scene.part("b");
  for (int t = 0; t < kFrames; ++t) {
    scene.point(t, a, {0, 0, 1});
    scene.point(t, b, {0, 1, 1});
  }
  const Discovery found = discover(scene.log, "log");
  EXPECT_EQ(found.status, DiscoveryStatus::undetermined);
  ASSERT_FALSE(found.reasons.empty());
  EXPECT_NE(found.reasons[0].find("nothing moves"), std::string::npos) << found.reasons[0];
}

}  // namespace
}  // namespace prehend::articulation
