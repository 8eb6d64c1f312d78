#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <prehend/model/friction.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>

namespace prehend::model {
namespace {

Scene read_sdf(const std::string& inside, const SceneOptions& options = {}) {
  return read_scene_text("<sdf version='1.9'>" + inside + "</sdf>", SceneFormat::sdf, "test.sdf", options);
}

const std::string kBox = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>";

std::string model(const std::string& name, const std::string& inside) {
  return "<model name='" + name + "'>" + inside + "</model>";
}

TEST(SdfReader, ModelsMoveUnlessStatic) {
  const Scene scene = read_sdf(
      "<world name='w'><gravity>0 0 -1.6</gravity>" +
      model("crate", "<pose>1 2 3 0 0 0</pose><link name='body'>" + kBox + "</link>") +
      model("table", "<static>true</static><link name='top'><pose>0 0 1 0 0 0</pose>" + kBox + "</link>") +
      "</world>");
  EXPECT_EQ(scene.gravity_W, Eigen::Vector3d(0, 0, -1.6));
  const Body& crate = scene.bodies[scene.find_body("body")];
  EXPECT_TRUE(crate.movable);
  EXPECT_EQ(crate.X_WB.p(), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(crate.geoms[0].shape.size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(crate.inertia.mass, 1.0);  // SDF's default, and a note says so
  EXPECT_FALSE(scene.bodies[scene.find_body("top")].movable);
  EXPECT_EQ(scene.joints.size(), 1u);
}

TEST(SdfReader, EqualLinkNamesAreScopedByTheirModel) {
  const Scene scene = read_sdf(model("a", "<link name='link'>" + kBox + "</link>") +
                               model("b", "<link name='link'>" + kBox + "</link><link name='x'/>"));
  EXPECT_TRUE(scene.find_body("a::link").is_valid());
  EXPECT_TRUE(scene.find_body("b::link").is_valid());
  EXPECT_TRUE(scene.find_body("x").is_valid());
}

TEST(SdfReader, PosesFollowRelativeToInAnyOrder) {
  // b stands on frame f, which stands on link a, which is turned by 90 degrees in a model that is moved: by
  // hand, model (10 0 0) + a (0 1 0) + Rz(90) f (1 0 0) + Rz(90) b (0 0 2) = (10, 2, 2).
  const Scene scene =
      read_sdf(model("m",
                     "<pose>10 0 0 0 0 0</pose><link name='b'><pose relative_to='f'>0 0 2 0 0 0</pose></link>"
                     "<frame name='f' attached_to='a'><pose>1 0 0 0 0 0</pose></frame>"
                     "<link name='a'><pose degrees='true'>0 1 0 0 0 90</pose></link>"));
  const Body& b = scene.bodies[scene.find_body("b")];
  EXPECT_LT((b.X_WB.p() - Eigen::Vector3d(10, 2, 2)).norm(), 1e-14);
  EXPECT_LT((b.X_WB.q() * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitY()).norm(), 1e-15);
}

TEST(SdfReader, NestedModelsAndQuaternionPoses) {
  const Scene scene = read_sdf(model(
      "outer", "<pose>0 0 1 0 0 0</pose>" +
                   model("inner",
                         "<pose rotation_format='quat_xyzw'>1 0 0 0 0 1 0</pose>"
                         "<link name='l'><pose>1 0 0 0 0 0</pose></link>") +
                   "<joint name='j' type='fixed'><parent>world</parent><child>inner::l</child></joint>"));
  const Body& link = scene.bodies[scene.find_body("l")];
  EXPECT_LT((link.X_WB.p() - Eigen::Vector3d(0, 0, 1)).norm(), 1e-15);  // turned by 180 degrees: 1 - 1
  EXPECT_FALSE(link.movable);
}

std::string two_links(const std::string& joint) {
  return model("m",
               "<link name='a'><pose>0 0 1 0 0 0</pose></link><link name='b'><pose>1 0 1 0 0 "
               "1.5707963267948966</pose></link>"
               "<joint name='w' type='fixed'><parent>world</parent><child>a</child></joint>" +
                   joint);
}

TEST(SdfReader, JointAxisIsInTheJointFrameOrWhereItSays) {
  const auto axis = [](const std::string& xyz) {
    return "<joint name='j' type='revolute'><pose>0 1 0 0 0 "
           "0</pose><parent>a</parent><child>b</child><axis>" +
           xyz + "<limit><lower>-1</lower><upper>1e16</upper></limit></axis></joint>";
  };
  Scene scene = read_sdf(two_links(axis("<xyz>1 0 0</xyz>")));
  ASSERT_EQ(scene.joints.size(), 2u);
  const Joint& joint = scene.joints[1];
  EXPECT_EQ(joint.type, JointType::revolute);
  EXPECT_LT((joint.axis_C - Eigen::Vector3d::UnitX()).norm(), 1e-15);
  EXPECT_LT((joint.p_CJ - Eigen::Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_EQ(joint.lower, -1.0);
  EXPECT_TRUE(std::isinf(joint.upper));
  EXPECT_LT((joint.X_PC.p() - Eigen::Vector3d::UnitX()).norm(), 1e-15);
  scene = read_sdf(two_links(axis("<xyz expressed_in='__model__'>0 2 0</xyz>")));
  EXPECT_LT((scene.joints[1].axis_C - Eigen::Vector3d::UnitX()).norm(), 1e-15);
}

TEST(SdfReader, ScrewPitchOldAndNew) {
  const auto screw = [](const std::string& pitch) {
    return two_links(
        "<joint name='j' type='screw'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>" +
        pitch + "</joint>");
  };
  // One turn advances 10 mm, right-handed: 0.01/(2 pi) metres per radian; the older element is radians per
  // metre, left-handed.
  const double pitch = 0.01 / (2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(read_sdf(screw("<screw_thread_pitch>0.01</screw_thread_pitch>")).joints[1].pitch, pitch);
  EXPECT_NEAR(read_sdf(screw("<thread_pitch>-628.3185307179587</thread_pitch>")).joints[1].pitch, pitch,
              1e-17);
}

TEST(SdfReader, ShapesFrictionAndPlanes) {
  const auto geom = [](const std::string& name, const std::string& shape, const std::string& more = "") {
    return "<collision name='" + name + "'><geometry>" + shape + "</geometry>" + more + "</collision>";
  };
  const Scene scene =
      read_sdf(model("m", "<static>1</static><link name='a'>" +
                              geom("s", "<sphere><radius>2</radius></sphere>",
                                   "<surface><friction><ode><mu>0.25</mu></ode></friction></surface>") +
                              geom("y", "<cylinder><radius>1</radius><length>4</length></cylinder>") +
                              geom("p", "<capsule><radius>1</radius><length>4</length></capsule>") +
                              geom("e", "<ellipsoid><radii>1 2 3</radii></ellipsoid>") +
                              geom("n", "<plane><normal>1 0 0</normal><size>4 6</size></plane>") + "</link>"),
               {.friction = 0.6});
  const std::vector<Geom>& geoms = scene.bodies[1].geoms;
  ASSERT_EQ(geoms.size(), 5u);
  EXPECT_EQ(geoms[0].friction, 0.25);
  EXPECT_EQ(geoms[1].friction, 0.6);
  EXPECT_EQ(geoms[2].shape.kind, ShapeKind::capsule);
  EXPECT_EQ(geoms[3].shape.size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(geoms[4].shape.size, Eigen::Vector3d(2, 3, 0));
  EXPECT_LT((geoms[4].X_BG.q() * Eigen::Vector3d::UnitZ() - Eigen::Vector3d::UnitX()).norm(), 1e-15);
}

// SDF's engines take the smaller of two coefficients; scenes that are written keep it.
TEST(SdfReader, TheSmallerCoefficientHolds) {
  const auto box = [](const std::string& name, const std::string& mu, const std::string& z) {
    return model(name + "_model",
                 "<pose>0 0 " + z + " 0 0 0</pose><link name='" + name +
                     "'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry>"
                     "<surface><friction><ode><mu>" +
                     mu + "</mu></ode></friction></surface></collision></link>");
  };
  const Scene scene =
      read_sdf("<world name='w'>" + box("low", "100", "0") + box("high", "0.2", "1") + "</world>");
  const GeomRef low{scene.find_body("low"), GeomIndex(0)}, high{scene.find_body("high"), GeomIndex(0)};
  ASSERT_TRUE(low.body.is_valid() && high.body.is_valid());
  EXPECT_EQ(pair_friction(scene, low, high), 0.2);
  ASSERT_EQ(pairs_of_smaller_friction(scene).size(), 1u);
  EXPECT_TRUE(pairs_of_smaller_friction(Scene()).empty());
  const Scene again = read_scene_text(mjcf_text(scene, "two").text, SceneFormat::mjcf, "two.xml");
  EXPECT_EQ(
      pair_friction(again, {again.find_body("low"), GeomIndex(0)}, {again.find_body("high"), GeomIndex(0)}),
      0.2);
}

TEST(SdfReader, AGearboxIsLeftOutAndNamed) {
  const std::string links = "<link name='a'>" + kBox + "</link><link name='b'>" + kBox + "</link>";
  const std::string ends = "<parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>";
  const Scene scene = read_sdf(model("m", links + "<joint name='hinge' type='revolute'>" + ends +
                                              "<joint name='gear' type='gearbox'>" + ends));
  EXPECT_EQ(std::count_if(scene.problems.begin(), scene.problems.end(),
                          [](const std::string& text) { return text.starts_with("the gearbox 'gear'"); }),
            1);
  EXPECT_TRUE(std::none_of(scene.joints.begin(), scene.joints.end(),
                           [](const Joint& j) { return j.name == "gear"; }));
}

// A box of 2 x 1 x 1 of 500 kg/m^3 and a ball of 2000 kg/m^3, radius 0.3, three metres along x.
TEST(SdfReader, AutomaticInertiaIsThatOfTheCollisions) {
  const auto link = [](const std::string& more) {
    return model(
        "m",
        "<link name='l'><inertial auto='true'><density>500</density>" + more +
            "</inertial><collision name='b'><geometry><box><size>2 1 1</size></box></geometry></collision>"
            "<collision name='s'><pose>3 0 0 0 0 0</pose><density>2000</density><geometry><sphere><radius>0.3"
            "</radius></sphere></geometry></collision></link>");
  };
  const double ball = 2000.0 * 4.0 / 3.0 * std::acos(-1.0) * 0.027;
  const math::SpatialInertia found = read_sdf(link("")).bodies[1].inertia;
  EXPECT_NEAR(found.mass, 1000.0 + ball, 1e-9);
  EXPECT_NEAR(found.com.x(), 3.0 * ball / (1000.0 + ball), 1e-9);
  EXPECT_NEAR(found.com.tail<2>().norm(), 0.0, 1e-9);
  const math::SpatialInertia scaled = read_sdf(link("<mass>7</mass>")).bodies[1].inertia;
  EXPECT_NEAR(scaled.mass, 7.0, 1e-12);
  EXPECT_NEAR(scaled.com.x(), found.com.x(), 1e-12);
}

TEST(SdfReader, WhatIsLeftOutIsNamed) {
  const std::string plain = "<link name='l'>" + kBox + "</link>";
  const auto names = [](const Scene& scene, const char* what) {
    return std::count_if(scene.problems.begin(), scene.problems.end(),
                         [&](const std::string& text) { return text.find(what) != std::string::npos; });
  };
  const Scene world = read_sdf("<world name='w'>" + model("m", plain) +
                               "<state world_name='w'/><population name='p'/></world>");
  EXPECT_EQ(names(world, "<state>"), 1);
  EXPECT_EQ(names(world, "<population>"), 1);
  const Scene light = read_sdf(model("m", "<link name='l'><gravity>false</gravity>" + kBox + "</link>"));
  EXPECT_EQ(light.bodies[1].carried_mass, light.bodies[1].inertia.mass);
  EXPECT_TRUE(std::any_of(light.notes.begin(), light.notes.end(), [](const std::string& note) {
    return note.find("switches gravity off") != std::string::npos;
  }));
  const Scene driven = read_sdf(model("m", "<link name='l'><kinematic>true</kinematic>" + kBox + "</link>"));
  EXPECT_FALSE(driven.bodies[1].movable);
}

TEST(SdfReader, LongChainsOfFramesNeedNoDeepStack) {
  std::string text = "<link name='l'><pose relative_to='f0'>0 0 0 0 0 0</pose></link>";
  for (int i = 0; i < 5000; ++i) {
    text += "<frame name='f" + std::to_string(i) + "'><pose" +
            (i < 4999 ? " relative_to='f" + std::to_string(i + 1) + "'" : "") + ">0 0 1 0 0 0</pose></frame>";
  }
  EXPECT_NEAR(read_sdf(model("m", text)).bodies[1].X_WB.p().z(), 5000.0, 1e-9);
}

}  // namespace
}  // namespace prehend::model
