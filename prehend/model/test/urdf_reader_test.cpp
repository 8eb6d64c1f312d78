#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>

namespace prehend::model {
namespace {

Scene read_urdf(const std::string& inside, const SceneOptions& options = {}) {
  return read_scene_text("<robot name='r'>" + inside + "</robot>", SceneFormat::urdf, "test.urdf", options);
}

const std::string kMass =
    "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";
const std::string kBall = "<collision><geometry><sphere radius='0.1'/></geometry></collision>";

TEST(UrdfReader, RootIsFixedUnlessSetFree) {
  const std::string text = "<link name='box'>" + kMass + kBall + "</link>";
  EXPECT_FALSE(read_urdf(text).bodies[1].movable);
  EXPECT_EQ(read_urdf(text).bodies[1].geoms[0].friction, 0.84);
  const Scene scene = read_urdf(text, {.friction = 0.3, .movable = {"box"}});
  EXPECT_TRUE(scene.bodies[1].movable);
  EXPECT_EQ(scene.joints.at(0).type, JointType::free);
  EXPECT_EQ(scene.bodies[1].geoms[0].friction, 0.3);
}

TEST(UrdfReader, VectorsAsPublishedFilesHaveThem) {
  const auto at = [](const std::string& xyz, const std::string& rpy = "0 0 0") {
    return read_urdf(
        "<link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/><child "
        "link='b'/><origin xyz='" +
        xyz + "' rpy='" + rpy + "'/></joint>");
  };
  for (const char* text : {"1, 2, 3", "1 2 3 0", "$(optenv NAME 1 2 3)"}) {
    const Scene scene = at(text);
    EXPECT_EQ(scene.bodies[2].X_WB.p(), Eigen::Vector3d(1, 2, 3)) << text;
    EXPECT_EQ(scene.problems.size(), 1u) << text;
  }
  EXPECT_THROW(at("1 2"), InputError);
  EXPECT_THROW(at("${x} 2 3"), InputError);
  EXPECT_THROW(at("1 2 3."
                  "."),
               InputError);
}

TEST(UrdfReader, BulletsSphericalJointAndMotors) {
  const auto one = [](const std::string& type, const std::string& inside, const std::string& more = "") {
    return read_urdf("<link name='a'/><link name='b'>" + kMass + "</link><joint name='j' type='" + type +
                     "'><parent link='a'/><child link='b'/>" + inside + "</joint>" + more)
        .joints.at(0);
  };
  EXPECT_EQ(one("spherical", "").type, JointType::spherical);
  EXPECT_FALSE(one("continuous", "").is_held());
  EXPECT_TRUE(one("continuous", "<limit effort='3' velocity='1'/>").is_held());
  EXPECT_FALSE(one("continuous", "<limit effort='3' velocity='1'/>",
                   "<transmission name='t'><joint name='k'/></transmission>")
                   .is_held());
  EXPECT_TRUE(one("continuous", "", "<ros2_control name='t' type='system'><joint name='j'/></ros2_control>")
                  .is_held());
  EXPECT_EQ(one("continuous", "<dynamics friction='0.5'/>").friction, 0.5);
}

TEST(UrdfReader, RootNamedWorldIsTheWorldAndFloatingLinksMove) {
  const Scene scene =
      read_urdf("<link name='world'>" + kBall + "</link><link name='a'>" + kMass + kBall +
                "</link><joint name='f' type='floating'><parent link='world'/><child link='a'/>"
                "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/></joint>");
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[0].geoms.size(), 1u);
  EXPECT_TRUE(scene.bodies[1].movable);
  EXPECT_EQ(scene.bodies[1].X_WB.p(), Eigen::Vector3d(1, 2, 3));
  EXPECT_LT((scene.bodies[1].X_WB.q() * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitY()).norm(), 1e-15);
}

TEST(UrdfReader, AFloatingLinkKeepsItsParentWhereEveryLinkCounts) {
  const std::string text =
      "<link name='a'>" + kMass + "</link><link name='b'>" + kMass +
      "</link><joint name='f' type='floating'><parent link='a'/><child link='b'/></joint>";
  const Scene links = read_urdf(text, {.merge_welded = false});
  ASSERT_EQ(links.joints.size(), 1u);
  EXPECT_EQ(links.bodies[links.joints[0].parent].name, "a");
  EXPECT_EQ(read_urdf(text).joints.at(0).parent, links.world());  // a free body has no relation to a parent
}

TEST(UrdfReader, FixedAndJointedLinksNeedNoMass) {
  const std::string none = "<inertial><mass value='0'/><inertia ixx='0' iyy='0' izz='0'/></inertial>";
  const Scene scene = read_urdf(
      "<link name='base'>" + none + "</link><link name='frame'>" + none +
      "</link><link name='arm'><inertial><mass value='1'/><inertia ixx='0' iyy='0' "
      "izz='0'/></inertial></link>"
      "<joint name='f' type='fixed'><parent link='base'/><child link='frame'/><axis xyz='0 0 0'/></joint>"
      "<joint name='h' type='continuous'><parent link='frame'/><child link='arm'/></joint>");
  EXPECT_EQ(scene.bodies[1].inertia.mass, 0.0);
  EXPECT_EQ(scene.bodies[3].inertia.mass, 1.0);
  EXPECT_TRUE(scene.problems.empty());
}

TEST(UrdfReader, RoundedInertiaIsAProblemAndAnImpossibleOneAnError) {
  const auto rod = [](const std::string& izz) {
    return read_urdf("<link name='rod'><inertial><mass value='1'/><inertia ixx='0.001' iyy='0.1' izz='" +
                     izz + "'/></inertial></link>");
  };
  EXPECT_TRUE(rod("0.101").problems.empty());
  ASSERT_EQ(rod("0.105").problems.size(), 1u);  // 3.8 % of the largest moment beyond what a body can have
  EXPECT_NE(rod("0.105").problems[0].find("break the triangle inequality"), std::string::npos);
  EXPECT_THROW(rod("0.107"), std::runtime_error);  // 5.6 %
  const std::string carried =
      "<link name='base'/><link name='rod'><inertial><mass value='1'/><inertia ixx='0.001' iyy='0.1' "
      "izz='0.2'/></inertial></link><joint name='h' type='TYPE'><parent link='base'/><child "
      "link='rod'/></joint>";
  const auto on = [&](const std::string& type, const SceneOptions& options) {
    std::string text = carried;
    return read_urdf(text.replace(text.find("TYPE"), 4, type), options);
  };
  ASSERT_EQ(on("continuous", {}).problems.size(), 1u);
  EXPECT_NE(on("continuous", {}).problems[0].find("by more than 5 %"), std::string::npos);
  EXPECT_THROW(on("floating", {}), std::runtime_error);
  EXPECT_THROW(on("continuous", {.merge_welded = false}), std::runtime_error);
}

TEST(UrdfReader, TheInertiaOfARootThatOthersAreFixedToIsAProblem) {
  const std::string tiny =
      "<link name='base'><inertial><mass value='1e-6'/><inertia ixx='1e-6' ixy='1e-6' ixz='1e-6' iyy='1e-6' "
      "iyz='1e-6' izz='1e-6'/></inertial></link>";
  const std::string trunk =
      "<link name='trunk'><inertial><mass value='5'/><inertia ixx='.1' iyy='.1' izz='.1'/></inertial></link>"
      "<joint name='j' type='fixed'><parent link='base'/><child link='trunk'/></joint>";
  const Scene scene = read_urdf(tiny + trunk);
  ASSERT_EQ(scene.problems.size(), 1u);
  EXPECT_NE(scene.problems[0].find("before the body is set free"), std::string::npos);
  EXPECT_EQ(scene.bodies[scene.find_body("trunk")].inertia.mass, 5.0);
  EXPECT_THROW(read_urdf(tiny), std::runtime_error);
  EXPECT_THROW(read_urdf(tiny + trunk, {.merge_welded = false}), std::runtime_error);
}

TEST(UrdfReader, ADensityFillsTheShapes) {
  const std::string shape = "<collision><geometry><box size='.1 .2 .3'/></geometry></collision>";
  const auto link = [](const std::string& shapes, const std::string& value) {
    return "<link name='a'>" + shapes + "<inertial><density value='" + value + "'/></inertial></link>";
  };
  const Scene scene = read_urdf(link(shape, "500"));
  EXPECT_NEAR(scene.bodies[scene.find_body("a")].inertia.mass, 3.0, 1e-12);
  EXPECT_NEAR(scene.bodies[scene.find_body("a")].inertia.I_com(0, 0), 3.0 / 12.0 * (0.04 + 0.09), 1e-12);
  EXPECT_THROW(read_urdf(link(shape, "0")), std::runtime_error);
  EXPECT_THROW(read_urdf(link("", "500")), std::runtime_error);
}

TEST(UrdfReader, ABoxOfNoSizeIsLeftOut) {
  const Scene scene = read_urdf(
      "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial><visual><geometry>"
      "<box size='0 0 0'/></geometry></visual></link>");
  EXPECT_TRUE(scene.bodies[scene.find_body("a")].geoms.empty());
  ASSERT_EQ(scene.problems.size(), 1u);
  EXPECT_NE(scene.problems[0].find("the box of link 'a' on line"), std::string::npos);
}

TEST(UrdfReader, BulletsPlaneHasItsNormal) {
  const Scene scene =
      read_urdf("<link name='p'><collision><geometry><plane normal='0 1 0'/></geometry></collision></link>");
  EXPECT_EQ(scene.bodies[1].geoms.at(0).shape.kind, ShapeKind::plane);
  EXPECT_LT((scene.bodies[1].geoms[0].X_BG.q() * Eigen::Vector3d::UnitZ() - Eigen::Vector3d::UnitY()).norm(),
            1e-15);
}

TEST(UrdfReader, LimitsTheWrongWayRoundAreAProblem) {
  const Scene scene = read_urdf(
      "<link name='a'/><link name='b'/><joint name='s' type='prismatic'><parent link='a'/><child "
      "link='b'/><limit lower='1' upper='-1'/></joint>");
  EXPECT_FALSE(scene.joints.at(0).has_limits());
  ASSERT_EQ(scene.problems.size(), 1u);
  EXPECT_NE(scene.problems[0].find("joint 's': the lower limit 1 is above the upper one, -1"),
            std::string::npos);
}

TEST(UrdfReader, RotatedInertiaIsTurnedIntoTheLinksAxes) {
  const Scene scene = read_urdf(
      "<link name='a'><inertial><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
      "<inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial></link>");
  const math::SpatialInertia& inertia = scene.bodies[1].inertia;
  EXPECT_EQ(inertia.com, Eigen::Vector3d(1, 0, 0));
  EXPECT_LT((inertia.I_com - Eigen::Vector3d(2, 1, 2.5).asDiagonal().toDenseMatrix()).norm(), 1e-15);
}

// Hinge first or slide first, either one mimicking the other, with the sign of opposed axes.
TEST(UrdfReader, FoldsAHingeAndAMimickingSlideIntoAScrew) {
  const std::string links = "<link name='w'/><link name='m'/><link name='nut'>" + kMass + "</link>";
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child, const std::string& more) {
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
           child + "'/>" + more + "</joint>";
  };
  const std::string up = "<axis xyz='0 0 1'/>", down = "<axis xyz='0 0 -1'/>",
                    limit = "<limit lower='-1' upper='1'/>";
  const Scene a =
      read_urdf(links + joint("h", "continuous", "w", "m", up) +
                joint("s", "prismatic", "m", "nut",
                      "<origin xyz='0.3 0 0'/>" + down + limit + "<mimic joint='h' multiplier='0.01'/>"));
  ASSERT_EQ(a.joints.size(), 1u);
  EXPECT_EQ(a.joints[0].type, JointType::screw);
  EXPECT_EQ(a.joints[0].name, "h");
  EXPECT_DOUBLE_EQ(a.joints[0].pitch, -0.01);
  EXPECT_EQ(a.joints[0].p_CJ, Eigen::Vector3d(-0.3, 0, 0));
  EXPECT_EQ(a.bodies.size(), 3u);
  const Scene b = read_urdf(links + joint("s", "prismatic", "w", "m", up + limit) +
                            joint("h", "continuous", "m", "nut", up + "<mimic joint='s' multiplier='50'/>"));
  ASSERT_EQ(b.joints.size(), 1u);
  EXPECT_DOUBLE_EQ(b.joints[0].pitch, 0.02);
  // Skew axes are no screw.
  const Scene c =
      read_urdf(links + joint("h", "continuous", "w", "m", up) +
                joint("s", "prismatic", "m", "nut", "<axis xyz='1 0 0'/>" + limit + "<mimic joint='h'/>"));
  EXPECT_EQ(c.joints.size(), 2u);
}

TEST(UrdfReader, WithoutCollisionTheVisualTouchesAndANoteSaysSo) {
  const Scene scene =
      read_urdf("<link name='a'><visual><geometry><box size='1 2 3'/></geometry></visual></link>");
  EXPECT_EQ(scene.bodies[1].geoms.size(), 1u);
  EXPECT_NE(scene.notes.at(0).find("no <collision>"), std::string::npos);
}

TEST(UrdfReader, AsDrakeWritesIt) {
  const std::string cart =
      "<link name='cart'><inertial><origin xyz='0 0 1'/><mass value='3'/></inertial>" +
      std::string("<collision><geometry><box size='1 2 3'/></geometry></collision></link>");
  const std::string rail =
      "<joint name='x' type='prismatic'><parent link='world'/><child link='cart'/><axis xyz='1 0 "
      "0'/></joint>";
  const Scene scene = read_urdf(cart + rail);
  ASSERT_EQ(scene.bodies.size(), 2u);  // the world that the file does not list, and the cart
  EXPECT_EQ(scene.joints.at(0).parent, scene.world());
  EXPECT_FALSE(scene.joints.at(0).has_limits());
  // The moments of the box about its own centre, for the mass given.
  EXPECT_EQ(scene.bodies[1].inertia.com, Eigen::Vector3d(0, 0, 1));
  EXPECT_NEAR(scene.bodies[1].inertia.I_com(0, 0), 3.0 / 12.0 * (4 + 9), 1e-12);
  EXPECT_NEAR(scene.bodies[1].inertia.I_com(2, 2), 3.0 / 12.0 * (1 + 4), 1e-12);
  EXPECT_EQ(scene.problems.size(), 2u);  // no moments, no limits
  EXPECT_THROW(
      read_urdf(cart + "<joint name='x' type='fixed'><parent link='wall'/><child link='cart'/></joint>"),
      InputError);
  const auto shape = [](const std::string& geometry) {
    return read_urdf("<link name='a'><collision><geometry>" + geometry + "</geometry></collision></link>")
        .bodies[1]
        .geoms.at(0)
        .shape;
  };
  EXPECT_EQ(shape("<drake:ellipsoid a='1' b='2' c='3'/>").size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(shape("<drake:capsule radius='1' length='2'/>").kind, ShapeKind::capsule);
}

TEST(UrdfReader, AFloatingLinkWithoutMassIsFilled) {
  const auto body = [](const std::string& inertial, const std::string& shape) {
    return read_urdf(
               "<link name='world'/><link name='a'>" + inertial + shape +
                   "</link><joint name='j' type='floating'><parent link='world'/><child link='a'/></joint>",
               {.density = 500})
        .bodies.at(1);
  };
  const std::string box = "<collision><geometry><box size='1 1 2'/></geometry></collision>";
  EXPECT_NEAR(body("", box).inertia.mass, 1000.0, 1e-9);
  EXPECT_NEAR(body("<inertial><inertia ixx='0' iyy='0' izz='0'/></inertial>", box).inertia.mass, 1000.0,
              1e-9);
  EXPECT_NEAR(body(kMass, box).inertia.mass, 2.0, 1e-12);
  EXPECT_THROW(body("", ""), InputError);
}

TEST(UrdfReader, LongChainsNeedNoDeepStack) {
  std::string text = "<link name='l0'/>";
  for (int i = 1; i < 5000; ++i) {
    const std::string n = std::to_string(i), p = std::to_string(i - 1);
    text += "<link name='l" + n + "'/><joint name='j" + n + "' type='fixed'><parent link='l" + p +
            "'/><child link='l" + n + "'/><origin xyz='0 0 1'/></joint>";
  }
  EXPECT_NEAR(read_urdf(text).bodies.back().X_WB.p().z(), 4999.0, 1e-9);
}

}  // namespace
}  // namespace prehend::model
