#include <algorithm>
#include <filesystem>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/model/friction.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>

namespace prehend::model {
namespace {

Scene read_mjcf(const std::string& inside, const SceneOptions& options = {}) {
  return read_scene_text("<mujoco>" + inside + "</mujoco>", SceneFormat::mjcf, "test.xml", options);
}

TEST(MjcfReader, FreeJointsMoveEverythingElseIsFixed) {
  const Scene scene = read_mjcf(R"(<worldbody><geom name="floor" type="plane" size="1 1 .1"/>
    <body name="free"><freejoint/><geom size=".1"/></body><body name="still"><geom size=".1"/></body>
    <body name="door"><joint name="hinge" axis="0 0 -1"/><geom size=".1"/></body></worldbody>)");
  ASSERT_EQ(scene.bodies.size(), 4u);
  EXPECT_TRUE(scene.bodies[scene.find_body("free")].movable);
  EXPECT_FALSE(scene.bodies[scene.find_body("still")].movable);
  EXPECT_FALSE(scene.bodies[scene.find_body("door")].movable);
  EXPECT_EQ(scene.bodies[0].geoms[0].name, "floor");
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[0].type, JointType::free);
  EXPECT_EQ(scene.joints[1].axis_C, -Eigen::Vector3d::UnitZ());
}

TEST(MjcfReader, MotorsFrictionSpringsLoopsAndCouplings) {
  const Scene scene = read_mjcf(R"(<worldbody>
    <body name="a"><joint name="ja" axis="0 1 0" frictionloss="2"/><geom size=".1"/></body>
    <body name="b" pos="1 0 0"><joint name="jb" type="slide" stiffness="3" springref=".5"/><geom size=".1"/></body>
    <body name="c" pos="2 0 0"><joint name="jc"/><geom size=".1"/></body>
    <body name="d" pos="3 0 0"><joint name="jd"/><geom size=".1"/></body></worldbody>
    <tendon><fixed name="t"><joint joint="jc" coef="1"/><joint joint="jd" coef="-2"/></fixed></tendon>
    <equality><connect name="loop" body1="a" body2="b" anchor=".5 0 0"/><weld body1="c" active="false"/>
      <joint joint1="ja" joint2="jb" polycoef="0 4 0 0 0"/></equality>
    <actuator><position joint="jb"/><motor tendon="t"/><motor name="odd" site="s"/></actuator>)");
  const auto joint = [&](const std::string& name) {
    return *std::find_if(scene.joints.begin(), scene.joints.end(),
                         [&](const Joint& j) { return j.name == name; });
  };
  EXPECT_EQ(joint("ja").friction, 2.0);
  EXPECT_EQ(joint("ja").motor, 0.0);
  EXPECT_TRUE(joint("jb").is_held());
  EXPECT_DOUBLE_EQ(joint("jb").spring, 1.5);
  EXPECT_FALSE(joint("jc").is_held());
  ASSERT_EQ(scene.loop_joints.size(), 1u);
  EXPECT_EQ(scene.loop_joints[0].type, JointType::spherical);
  EXPECT_LT((scene.loop_joints[0].p_CJ - Eigen::Vector3d(-0.5, 0, 0)).norm(), 1e-12);
  ASSERT_EQ(scene.couplings.size(), 2u);
  EXPECT_EQ(scene.couplings[0].terms[1].ratio, -4.0);
  EXPECT_EQ(scene.couplings[1].name, "t");
  EXPECT_EQ(scene.couplings[1].terms[1].ratio, -2.0);
  const std::string all = std::accumulate(scene.problems.begin(), scene.problems.end(), std::string());
  EXPECT_NE(all.find("the motor 'odd' drives neither"), std::string::npos) << all;
  EXPECT_THROW(read_mjcf("<worldbody><body name='a'><joint/><geom "
                         "size='.1'/></body></worldbody><equality><connect body1='a' "
                         "body2='a' anchor='0 0 0'/></equality>"),
               InputError);
}

TEST(MjcfReader, MeshesWithHolesOfMovingBodiesAreNamed) {
  const auto problems = [](const std::string& faces, const std::string& joint) {
    return read_mjcf("<asset><mesh name='m' inertia='shell' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='" + faces +
                     "'/></asset><worldbody><body name='b'>" + joint +
                     "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom name='g' type='mesh' "
                     "mesh='m'/></body></worldbody>")
        .problems;
  };
  const std::string whole = "0 2 1 0 1 3 0 3 2 1 2 3";
  EXPECT_TRUE(problems(whole, "<freejoint/>").empty());
  EXPECT_TRUE(problems(whole.substr(6), "").empty());  // fixed: its faces are what others touch
  for (const char* joint : {"<freejoint/>", "<joint name='j'/>"}) {
    const std::vector<std::string> found = problems(whole.substr(6), joint);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0],
              "the mesh of geom 'g' of body 'b' has holes (3 edges of one face): it touches only with the "
              "faces that it "
              "has");
  }
}

TEST(MjcfReader, PlaneIsASlabThatReachesPastTheScene) {
  const Scene scene = read_mjcf(R"(<worldbody><geom type="plane" size="0 0 1" pos="0 0 2"/>
    <body pos="30 0 3"><freejoint/><geom size="1"/></body></worldbody>)");
  const geometry::Aabb box = geometry::bounding_box(scene.mesh_W({scene.world(), GeomIndex(0)}).vertices);
  EXPECT_DOUBLE_EQ(box.upper.z(), 2.0);
  EXPECT_LT(box.lower.x(), -200.0);
  EXPECT_EQ(geometry::mass_properties(scene.bodies[0].geoms[0].mesh).status, geometry::MassStatus::ok);
}

TEST(MjcfReader, PrimitivesHaveTheRightSizeAndVolume) {
  const Scene scene = read_mjcf(R"(<worldbody><geom type="box" size="1 2 3"/><geom type="sphere" size="2"/>
    <geom type="ellipsoid" size="1 2 3"/><geom type="capsule" size="1 2"/><geom type="cylinder" size="1 2"/></worldbody>)",
                                {.round_segments = 256});
  const double pi = std::numbers::pi;
  const double truth[5]{48, 4.0 / 3 * pi * 8, 8 * pi, 4 * pi + 4.0 / 3 * pi, 4 * pi};
  for (int i = 0; i < 5; ++i) {
    const double volume = geometry::mass_properties(scene.bodies[0].geoms[i].mesh).volume;
    EXPECT_NEAR(volume / truth[i], 1.0, i == 0 ? 1e-12 : 2e-3) << i;
    EXPECT_LE(volume, truth[i] * (1 + 1e-12)) << i;
  }
  EXPECT_EQ(scene.bodies[0].geoms[0].shape.size, Eigen::Vector3d(2, 4, 6));
  EXPECT_EQ(scene.bodies[0].geoms[3].shape.size, Eigen::Vector3d(1, 4, 0));
}

TEST(MjcfReader, RoundThingsRestAtTheirTrueHeight) {
  const Scene scene = read_mjcf(
      R"(<worldbody><geom type="sphere" size=".1"/><geom type="cylinder" size=".1 .2" euler="0 90 0"/></worldbody>)");
  for (int i = 0; i < 2; ++i) {
    const geometry::Aabb box = geometry::bounding_box(scene.mesh_W({scene.world(), GeomIndex(i)}).vertices);
    EXPECT_NEAR(box.lower.z(), -0.1, 1e-15) << i;
    EXPECT_NEAR(box.upper.z(), 0.1, 1e-15) << i;
  }
}

TEST(MjcfReader, WeldedPartsOfAMovableBodyBelongToIt) {
  const Scene scene = read_mjcf(R"(<worldbody><body name="hammer" pos="1 0 0" euler="0 0 90"><freejoint/>
    <geom type="box" size=".1 .1 .1" mass="1"/><body name="head" pos="0 0 1"><geom name="h" type="box" size=".1 .1 .1" mass="3"/>
    <body name="tip" pos="0 0 1"><geom name="t" type="sphere" size=".1" mass="4"/></body></body></body>
    <body name="rack"><geom size=".1"/><body name="hook" pos="0 1 0"><geom size=".1"/></body></body></worldbody>)");
  const Body& hammer = scene.bodies[scene.find_body("hammer")];
  EXPECT_EQ(hammer.geoms.size(), 3u);
  EXPECT_DOUBLE_EQ(hammer.inertia.mass, 8.0);
  EXPECT_NEAR(hammer.inertia.com.z(), (3 * 1 + 4 * 2) / 8.0, 1e-15);
  EXPECT_FALSE(scene.find_body("head").is_valid());
  ASSERT_TRUE(scene.find_body("hook").is_valid());  // fixed bodies keep their names, with a rigid joint
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[1].type, JointType::rigid);
  EXPECT_EQ(scene.notes.size(), 2u);
}

TEST(MjcfReader, FoldsAHingeAndASlideIntoAScrew) {
  for (const char* equality : {R"(<joint joint1="s" joint2="h" polycoef="0 0.02"/>)",
                               R"(<joint joint1="h" joint2="s" polycoef="0 50"/>)"}) {
    const Scene scene = read_mjcf(R"(<worldbody><body name="nut"><joint name="s" type="slide" axis="0 0 -1"/>
      <joint name="h" axis="0 0 1" range="-90 180"/><geom size=".1"/></body></worldbody><equality>)" +
                                  std::string(equality) + "</equality>");
    ASSERT_EQ(scene.joints.size(), 1u);
    EXPECT_EQ(scene.joints[0].type, JointType::screw);
    EXPECT_EQ(scene.joints[0].name, "h");
    EXPECT_NEAR(scene.joints[0].pitch, -0.02, 1e-17);
    EXPECT_NEAR(scene.joints[0].lower, -std::numbers::pi / 2, 1e-15);
  }
}

TEST(MjcfReader, JointsInSeriesThatAreNoKnownJointAreListedOneByOne) {
  const Scene scene = read_mjcf(
      R"(<worldbody><body><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
    <geom size=".1"/></body></worldbody>)");
  EXPECT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.problems.size(), 1u);
}

TEST(MjcfReader, PairsAndExclusions) {
  const Scene scene = read_mjcf(
      R"(<default><geom friction=".3"/><default class="grip"><geom friction="2"/></default></default>
    <worldbody><geom name="t" type="box" size="1 1 1"/><body name="a"><freejoint/><geom name="a" size=".1" class="grip"/></body>
    <body name="b"><freejoint/><geom name="b" size=".1"/></body></worldbody>
    <contact><pair geom1="a" geom2="b" friction="0.05 0.05"/><exclude body1="a" body2="b"/></contact>)");
  const GeomRef t{BodyIndex(0), GeomIndex(0)}, a{BodyIndex(1), GeomIndex(0)}, b{BodyIndex(2), GeomIndex(0)};
  EXPECT_EQ(pair_friction(scene, a, b), 0.05);
  EXPECT_EQ(pair_friction(scene, a, t), 2.0);
  EXPECT_EQ(pair_friction(scene, b, t), 0.3);
  EXPECT_TRUE(may_touch(scene, a, b));  // an explicit pair overrides the exclusion, as in MuJoCo
  ASSERT_EQ(scene.excluded_pairs.size(), 1u);
  EXPECT_EQ(scene.excluded_pairs[0].a, BodyIndex(1));
}

TEST(MjcfReader, TinyThingsAreReadLikeLargeOnes) {
  // A cube of 0.1 mm has 1.7e-18 kg m^2, below what the engine accepts.
  const auto cubes = [](const std::string& size) {
    return read_mjcf(
        "<default><default class='light'><geom density='500'/></default></default><worldbody><body "
        "name='a'><freejoint/>"
        "<geom type='box' size='" +
        size + " " + size + " " + size + "'/></body><body name='b'><freejoint/><geom type='box' size='" +
        size + " " + size + " " + size +
        "' class='light'/></body><body name='c'><freejoint/><inertial pos='0 0 0' mass='2' "
        "diaginertia='1 2 3'/></body></worldbody>");
  };
  const Scene small = cubes("5e-5"), large = cubes("0.05");
  for (int i = 1; i <= 2; ++i) {
    EXPECT_NEAR(small.bodies[i].inertia.mass * 1e9, large.bodies[i].inertia.mass, 1e-14) << i;
    EXPECT_NEAR(small.bodies[i].inertia.I_com(0, 0) * 1e15, large.bodies[i].inertia.I_com(0, 0), 1e-16) << i;
  }
  EXPECT_EQ(small.bodies[3].inertia.mass, 2.0);
  EXPECT_EQ(small.bodies[3].inertia.I_com(2, 2), 3.0);
}

TEST(MjcfReader, GravityIsTheScenesOwn) {
  EXPECT_EQ(read_mjcf(R"(<option gravity="0 1 2"/>)").gravity_W, Eigen::Vector3d(0, 1, 2));
  EXPECT_EQ(read_mjcf("").gravity_W, Eigen::Vector3d(0, 0, -9.81));
  EXPECT_EQ(read_mjcf(R"(<option><flag gravity="disable"/></option>)").gravity_W, Eigen::Vector3d::Zero());
}

TEST(MjcfReader, FlagsSwitchOff) {
  const std::string inside =
      "<worldbody><geom type='plane' size='1 1 1'/><body name='a' pos='0 0 .1'><freejoint/><geom "
      "size='.1'/></body>"
      "<body name='b' pos='1 0 1'><joint name='h' range='0 90' limited='true' frictionloss='2'/><geom "
      "size='.1'/>"
      "</body></worldbody><actuator><motor joint='h'/></actuator><equality><weld body1='a' "
      "body2='b'/></equality>";
  const auto with = [&](const std::string& flag) {
    return read_mjcf("<option><flag " + flag + "/></option>" + inside);
  };
  const Scene plain = read_mjcf(inside);
  EXPECT_EQ(plain.bodies[0].geoms[0].contype, 1);
  EXPECT_EQ(plain.loop_joints.size(), 1u);
  EXPECT_TRUE(plain.joints.at(1).has_limits() && plain.joints[1].is_held() &&
              plain.joints[1].friction == 2.0);
  const Scene apart = with("contact='disable'");
  EXPECT_EQ(apart.bodies[0].geoms[0].contype | apart.bodies[0].geoms[0].conaffinity, 0);
  ASSERT_EQ(apart.problems.size(), plain.problems.size() + 1);
  EXPECT_NE(apart.problems.back().find("switches contacts off"), std::string::npos);
  EXPECT_TRUE(with("equality='disable'").loop_joints.empty());
  EXPECT_FALSE(with("limit='disable'").joints.at(1).has_limits());
  EXPECT_EQ(with("frictionloss='disable'").joints.at(1).friction, 0.0);
  EXPECT_FALSE(with("actuation='disable'").joints.at(1).is_held());
  const Scene loose = with("constraint='disable'");
  EXPECT_TRUE(loose.loop_joints.empty() && !loose.joints.at(1).has_limits());
}

TEST(MjcfReader, WhatIsNotKnownIsNamed) {
  const auto read = [](const std::string& body, const std::string& geom, const std::string& more) {
    return read_mjcf("<worldbody><site name='s'/><body name='a' pos='0 0 1' " + body +
                     "><freejoint/><geom size='.1' " + geom + "/><site name='t'/></body></worldbody>" + more);
  };
  EXPECT_TRUE(read("", "", "").problems.empty());
  const auto names = [](const std::vector<std::string>& sentences, const char* what) {
    return sentences.size() == 1 && sentences[0].find(what) != std::string::npos;
  };
  EXPECT_DOUBLE_EQ(read("gravcomp='.5'", "", "").bodies[1].carried_mass,
                   0.5 * read("", "", "").bodies[1].inertia.mass);
  EXPECT_TRUE(names(read("", "margin='.01' gap='.004'", "").notes, "margins of up to 10 mm"));
  const std::string sites = "<site site='s'/><site site='t'/></spatial></tendon>";
  const Scene roped = read("", "", "<tendon><spatial name='rope' range='0 1'>" + sites);
  EXPECT_TRUE(roped.problems.empty());
  ASSERT_EQ(roped.couplings.size(), 1u);
  EXPECT_EQ(roped.couplings[0].upper, 0.0);
  EXPECT_TRUE(std::isinf(roped.couplings[0].lower));
  EXPECT_TRUE(names(read("", "", "<tendon><spatial name='rope' range='0 1.01'>" + sites).problems,
                    "the tendon 'rope' is slack by 10 mm"));
  EXPECT_TRUE(read("", "", "<tendon><spatial name='rope'>" + sites).problems.empty());
  // The engine knows no site 'u'.
  EXPECT_TRUE(
      names(read("", "", "<tendon><spatial name='rope' range='0 1'><site site='u'/>" + sites).problems,
            "the tendon 'rope' on line"));
}

TEST(MjcfReader, FixedAndMovableByName) {
  const std::string text =
      R"(<worldbody><body name="a"><freejoint/><geom size=".1"/></body><body name="b"><geom size=".1"/></body></worldbody>)";
  EXPECT_FALSE(read_mjcf(text, {.fixed = {"a"}}).bodies[1].movable);
  EXPECT_TRUE(read_mjcf(text, {.movable = {"b"}}).bodies[2].movable);
}

TEST(MjcfReader, SoftBodiesAreLeftOutAndNamed) {
  const Scene scene = read_mjcf(
      R"(<worldbody><flexcomp name="f" type="grid" count="1000 1000 1000" spacing="1 1 1"/></worldbody>)");
  ASSERT_EQ(scene.problems.size(), 1u);
  EXPECT_NE(scene.problems[0].find("<flexcomp> on line 1 is left out"), std::string::npos);
}

TEST(MjcfReader, EngineLeavesNoLogFile) {
  EXPECT_ANY_THROW(read_mjcf(R"(<worldbody><body><freejoint/></body></worldbody>)"));
  EXPECT_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

TEST(MjcfReader, TheSameSentenceStandsOnce) {
  const std::string pair =
      "<pair geom1='a' geom2='b' friction='1 2'/><pair geom1='a' geom2='c' friction='1 2'/>";
  const Scene scene = read_scene_text(
      "<mujoco><worldbody><geom name='a' size='.1'/><body><joint/><geom name='b' "
      "size='.1'/></body><body><joint/><geom "
      "name='c' size='.1'/></body></worldbody><contact>" +
          pair + "</contact></mujoco>",
      SceneFormat::mjcf, "test.xml", {});
  EXPECT_EQ(scene.geom_pairs.size(), 2u);
  EXPECT_EQ(scene.problems.size(), 1u);
}

TEST(MjcfReader, FixedAndJointedBodiesNeedNoMass) {
  const Scene scene = read_scene_text(
      "<mujoco><worldbody><body name='plate'><inertial pos='0 0 0' mass='0' diaginertia='0 0 0'/><body "
      "name='arm'>"
      "<joint/><geom size='.1'/><body name='tool'><inertial pos='0 0 0' mass='0' diaginertia='0 0 "
      "0'/></body></body>"
      "</body></worldbody></mujoco>",
      SceneFormat::mjcf, "test.xml", {});
  EXPECT_EQ(scene.bodies.size(), 4u);
  EXPECT_TRUE(scene.problems.empty());
}

TEST(MjcfReader, AHeightFieldIsTheSolidUnderItsSurface) {
  const auto text = [](const std::string& heights) {
    return "<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='1 0.5 0.3 0.2'" + heights +
           "/></asset><worldbody><geom type='hfield' hfield='h' pos='0 0 1'/></worldbody></mujoco>";
  };
  const Scene scene = read_scene_text(text(" elevation='0 0 1 0 0 1'"), SceneFormat::mjcf, "test.xml", {});
  const Geom& geom = scene.bodies[0].geoms.at(0);
  EXPECT_TRUE(scene.problems.empty());
  EXPECT_EQ(geom.X_BG.p(), Eigen::Vector3d(0, 0, 1));
  // A base of 2 x 1 x 0.2 and a wedge of 1 x 1 / 2 x 0.3 on its half x > 0.
  const geometry::MassProperties solid = geometry::mass_properties(geom.mesh);
  EXPECT_EQ(solid.status, geometry::MassStatus::ok);
  EXPECT_NEAR(solid.volume, 0.4 + 0.15, 1e-7);  // heights are in single precision
  EXPECT_NEAR(solid.centroid.x(), 0.15 * (2.0 / 3.0) / 0.55, 1e-7);
  const Scene flat = read_scene_text(text(""), SceneFormat::mjcf, "test.xml", {});
  EXPECT_NEAR(geometry::mass_properties(flat.bodies[0].geoms.at(0).mesh).volume, 0.4, 1e-7);
  ASSERT_EQ(flat.problems.size(), 1u);
  EXPECT_NE(flat.problems[0].find("the height field 'h' has no heights"), std::string::npos);
}

}  // namespace
}  // namespace prehend::model
