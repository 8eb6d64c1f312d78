// Every kind of bad scene gives one sentence with file, line, what is wrong and what to do, in bounded time
// and memory.
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>

namespace prehend::model {
namespace {

struct BadScene {
  const char* name;
  SceneFormat format;
  std::string text;
  int line;
  std::string message;  // part of the sentence

  friend void PrintTo(const BadScene& scene, std::ostream* out) { *out << scene.name; }
};

std::string repeated(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

const std::string kMjcfBody = "<mujoco>\n<worldbody>\n<body name='a'>\n";
const std::string kMjcfEnd = "</body></worldbody></mujoco>";

std::vector<BadScene> bad_scenes() {
  const auto mjcf = SceneFormat::mjcf;
  const auto urdf = SceneFormat::urdf;
  const auto sdf = SceneFormat::sdf;
  const auto body = [](const std::string& inside) { return kMjcfBody + inside + kMjcfEnd; };
  const std::string two_links = "<robot>\n<link name='a'/>\n<link name='b'/>\n";
  const auto joint = [](const char* name, const char* parent, const char* child) {
    return "<joint name='" + std::string(name) + "' type='fixed'><parent link='" + parent +
           "'/><child link='" + child + "'/></joint>\n";
  };
  return {
      {"Empty", mjcf, "", 0, "the file is empty"},
      {"Truncated", mjcf, "<mujoco>\n<worldbody>\n<body>", 3, "not well-formed XML"},
      {"Binary", mjcf, std::string("<mu\0joco>", 9), 0, "binary"},
      {"WrongRoot", mjcf, "<robot/>", 1, "MJCF starts with <mujoco>"},
      {"EntityBomb", mjcf, "<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY b 'bb'>]>\n<mujoco/>", 2,
       "document type declaration"},
      {"DeepNesting", mjcf, "<mujoco><worldbody>" + repeated("<body>", 100000), 1,
       "nested deeper than 200 levels"},
      {"TooManyElements", mjcf, "<mujoco>" + repeated("<a/>", 300000), 1, "more than 200000 elements"},
      {"ReplicateBomb", mjcf,
       "<mujoco><worldbody>\n" + repeated("<replicate count='1000' offset='1 0 0'>", 20) +
           "<geom size='1'/>" + repeated("</replicate>", 20) + "</worldbody></mujoco>",
       2, "<replicate> makes"},
      {"NotANumber", mjcf, body("<geom size='.1' pos='0 nan 0'/>"), 4,
       "holds 'nan'; it must be a finite number"},
      {"Infinite", mjcf, body("<geom size='-inf'/>"), 4, "holds '-inf'"},
      {"Overflow", mjcf, body("<geom size='1e999'/>"), 4, "holds '1e999'"},
      {"NegativeFriction", mjcf, body("<geom size='.1' friction='-0.5'/>"), 4,
       "the friction coefficient -0.5 is negative"},
      {"NegativeFrictionInADefault", mjcf, "<mujoco>\n<default>\n<geom friction='-1'/></default></mujoco>", 3,
       "negative"},
      {"NegativeMass", mjcf, body("<freejoint/><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/>"), 4,
       "the mass -1 kg is negative"},
      {"ZeroMass", mjcf, body("<freejoint/>\n<inertial pos='0 0 0' mass='0' diaginertia='1 1 1'/>"), 3,
       "mass and inertia of moving bodies"},
      {"NoMass", mjcf, body("<freejoint/>"), 3,
       "MuJoCo refuses the model: Error: mass and inertia of moving bodies"},
      {"InconsistentInertia", mjcf, body("<freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 5'/>"),
       3, "A + B >= C"},
      {"DuplicateBody", mjcf, "<mujoco><worldbody>\n<body name='a'/>\n<body name='a'/></worldbody></mujoco>",
       3, "two bodies are named 'a' (the first on line 2)"},
      {"DuplicateGeom", mjcf, body("<geom name='g' size='1'/>\n<geom name='g' size='1'/>"), 5,
       "two geoms are named 'g'"},
      {"MissingMesh", mjcf, "<mujoco>\n<asset>\n<mesh name='m' file='no.stl'/></asset></mujoco>", 3,
       "the mesh file 'no.stl' does not exist; looked for dir/no.stl"},
      {"MissingInclude", mjcf, "<mujoco>\n<include file='no.xml'/></mujoco>", 2,
       "the included file 'no.xml' does not exist"},
      {"UnknownReference", mjcf, body("<geom type='mesh' mesh='no'/>"), 4, "MuJoCo refuses the model"},
      {"AbsurdScale", mjcf, body("<geom size='1e30'/>"), 3, "check the units"},
      {"JointFriction", mjcf,
       "<mujoco><worldbody><body><joint frictionloss='-1'/><geom size='.1'/></body></worldbody></mujoco>", 1,
       "frictionloss is -1; it must not be negative"},
      {"EqualityOfOneBody", mjcf,
       "<mujoco><worldbody><body name='a'><joint/><geom size='.1'/></body></worldbody>\n<equality><weld "
       "body1='a' "
       "body2='a'/></equality></mujoco>",
       2, "connects the body 'a' with itself"},
      {"EqualityOfNoBody", mjcf,
       "<mujoco><worldbody><body name='a'><joint/><geom size='.1'/></body></worldbody>\n<equality><weld "
       "body1='a' "
       "body2='z'/></equality></mujoco>",
       2, "names the body 'z', which does not exist"},
      {"UrdfXacroText", urdf,
       "<robot><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/><child "
       "link='b'/>\n<origin xyz='${x} 0 0'/></joint></robot>",
       3, "needs xacro"},
      {"HeightField", mjcf, body("<geom type='hfield' hfield='h'/>"), 4, "MuJoCo refuses the model"},
      {"ZeroAxis", mjcf, body("<geom type='ellipsoid' size='.1 0 .1'/>"), 4,
       "is an ellipsoid of size '0.1 0 0.1': its three half-axes must be positive"},
      {"BadSize", mjcf, body("<geom type='box' size='1 0 1'/>"), 4,
       "is a box of size '1 0 1': half of its three sides must be positive"},

      {"UrdfNoLinks", urdf, "<robot name='r'/>", 1, "no <link>"},
      {"UrdfMissingLink", urdf, two_links + joint("j", "a", "c") + "</robot>", 4,
       "names the link 'c', which does not exist"},
      {"UrdfTwoRoots", urdf, two_links + "</robot>", 3, "both have no parent"},
      {"UrdfCycle", urdf, two_links + joint("j", "a", "b") + joint("k", "b", "a") + "</robot>", 2, "cycle"},
      {"UrdfCycleBesideTheRoot", urdf,
       two_links + "<link name='c'/>\n" + joint("j", "b", "c") + joint("k", "c", "b") + "</robot>", 3,
       "its joints form a cycle"},
      {"UrdfLoop", urdf, two_links + joint("j", "a", "b") + joint("k", "a", "b") + "</robot>", 5,
       "the child of two joints"},
      {"UrdfDuplicateLink", urdf, "<robot>\n<link name='a'/>\n<link name='a'/></robot>", 3,
       "two links are named 'a' (the first on line 2)"},
      {"UrdfNegativeMass", urdf,
       "<robot><link name='a'><inertial>\n<mass value='-2'/><inertia ixx='1' iyy='1' "
       "izz='1'/></inertial></link></robot>",
       2, "the mass -2 kg is negative"},
      {"UrdfFreeWithoutMass", urdf,
       two_links +
           "<link name='c'><inertial><mass value='0'/><inertia ixx='0' iyy='0' "
           "izz='0'/></inertial></link>\n" +
           joint("j", "a", "b") +
           "<joint name='k' type='floating'><parent link='a'/><child link='c'/></joint></robot>",
       4, "body 'c': a movable body needs a positive mass"},
      {"UrdfFreeWithoutInertia", urdf,
       two_links +
           "<link name='c'><inertial><mass value='1'/><inertia ixx='0' iyy='0' "
           "izz='0'/></inertial></link>\n" +
           joint("j", "a", "b") +
           "<joint name='k' type='floating'><parent link='a'/><child link='c'/></joint></robot>",
       4, "body 'c': a movable body needs an inertia above zero"},
      {"UrdfJointToItself", urdf, two_links + joint("j", "a", "b") + joint("k", "b", "b") + "</robot>", 5,
       "joint 'k' connects the link 'b' with itself"},
      {"UrdfInertia", urdf,
       "<robot><link name='a'><inertial><mass value='2'/>\n<inertia ixx='1' iyy='1' "
       "izz='5'/></inertial></link></robot>",
       2, "break the triangle inequality"},
      {"UrdfNan", urdf,
       "<robot><link name='a'>\n<inertial><mass value='nan'/><inertia ixx='1' iyy='1' "
       "izz='1'/></inertial></link></robot>",
       2, "'nan' is not a finite number"},
      {"UrdfMissingMesh", urdf,
       "<robot><link name='a'><collision><geometry>\n<mesh "
       "filename='package://p/no.stl'/></geometry></collision></link></robot>",
       2, "the file 'package://p/no.stl' does not exist"},
      {"UrdfNetwork", urdf,
       "<robot><link name='a'><collision><geometry>\n<mesh "
       "filename='http://x/no.stl'/></geometry></collision></link></robot>",
       2, "cannot be opened"},
      {"UrdfZeroAxis", urdf,
       two_links + "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 "
                   "0'/></joint></robot>",
       4, "the axis has no length"},
      {"UrdfAbsurd", urdf,
       "<robot><link name='a'><collision>\n<geometry><sphere "
       "radius='1e-12'/></geometry></collision></link></robot>",
       2, "check the units"},

      {"SdfPoseCycle", sdf,
       "<sdf><model name='m'>\n<link name='a'><pose relative_to='b'/></link><link name='b'><pose "
       "relative_to='a'/></link></model></sdf>",
       2, "depends on itself"},
      {"SdfUnknownFrame", sdf,
       "<sdf><model name='m'>\n<link name='a'><pose relative_to='x'>0 0 0 0 0 0</pose></link></model></sdf>",
       2, "'x' is no link, joint, model or frame of 'm'"},
      {"SdfMass", sdf,
       "<sdf><model name='m'><link name='a'>\n<inertial><mass>0</mass></inertial></link></model></sdf>", 1,
       "body 'a': a movable body needs a positive mass"},
      {"SdfZeroAxis", sdf,
       "<sdf><model name='m'><link name='a'><collision name='c'>\n<geometry><ellipsoid><radii>1 0 "
       "1</radii></ellipsoid></geometry></collision></link></model></sdf>",
       2, "ellipsoid 'c' has the size 0 m"},
      {"SdfRing", sdf,
       "<sdf><model name='m'>\n<link name='a'/><link name='b'/><joint name='j' "
       "type='fixed'><parent>a</parent><child>b</child></joint><joint name='k' "
       "type='fixed'><parent>b</parent><child>a</child></joint></model></sdf>",
       2, "its joints form a loop"},
      {"SdfPose", sdf, "<sdf><model name='m'><link name='a'>\n<pose>1 2 3</pose></link></model></sdf>", 2,
       "<pose> holds 3 values; expected 6"},
      {"SdfFriction", sdf,
       "<sdf><model name='m'><link name='a'><collision "
       "name='c'><geometry><sphere><radius>1</radius></sphere></geometry><surface><friction><ode>\n<mu>-1</"
       "mu></ode></friction></surface></collision></link></model></sdf>",
       2, "is negative"},
      {"SdfDuplicate", sdf, "<sdf><model name='m'>\n<link name='a'/>\n<link name='a'/></model></sdf>", 3,
       "used twice"},

      {"CompasNotJson", SceneFormat::compas, "{\n\"data\": }", 2, "not well-formed JSON"},
      {"CompasOther", SceneFormat::compas, "{\"data\": 3}", 0, "expected a COMPAS assembly"},
      {"CompasTwice", SceneFormat::compas, R"({"data":{"graph":{"data":{"node":{"1":{},"1":{}}}}}})", 0,
       "the key '1' appears twice"},
      {"CompasOpen", SceneFormat::compas,
       R"({"data":{"graph":{"data":{"node":{"1":{"block":{"data":{"vertex":{"0":{"x":0},"1":{"x":1},"2":{"y":1}},"face":{"0":[0,1,2]}}}}}}}}})",
       0, "block '1' is no closed solid"},
      {"CompasVertex", SceneFormat::compas,
       R"({"data":{"graph":{"data":{"node":{"1":{"block":{"data":{"vertex":{"0":{"x":0}},"face":{"0":[0,1,2]}}}}}}}}})",
       0, "uses the vertex 1, which does not exist"},
      {"CompasDeep", SceneFormat::compas, repeated("[", 100000), 0, "nested deeper"},

      {"YamlBroken", SceneFormat::arrangement, "arrangements:\n  a: [", 2, "not well-formed YAML"},
      {"YamlParent", SceneFormat::arrangement,
       "arrangements:\n  a:\n    objects:\n    - {name: x, type: ee, parent: y}\nobjects:\n  ee: {shape: "
       "cuboid, side_lengths: [1, 1, 1]}\n",
       4, "the parent 'y' of 'x' is unknown"},
      {"YamlType", SceneFormat::arrangement,
       "arrangements:\n  a:\n    objects:\n    - {name: x, type: t, parent: ee}\nobjects:\n  ee: {shape: "
       "cuboid, side_lengths: [1, 1, 1]}\n",
       4, "the object type 't' is not described"},
      {"YamlMass", SceneFormat::arrangement,
       "arrangements:\n  a:\n    objects:\n    - {name: x, type: t, parent: ee}\nobjects:\n  ee: {shape: "
       "cuboid, side_lengths: [1, 1, 1]}\n  t: {shape: cuboid, side_lengths: [1, 1, 1], mass: 0}\n",
       7, "the mass 0 kg is not positive"},
      {"YamlNan", SceneFormat::arrangement,
       "arrangements:\n  a:\n    objects: []\nobjects:\n  ee: {shape: cuboid, side_lengths: [.nan, 1, 1]}\n",
       5, "no finite number"},
  };
}

class BadSceneTest : public testing::TestWithParam<BadScene> {};

TEST_P(BadSceneTest, GivesOneClearSentence) {
  const BadScene& bad = GetParam();
  const auto start = std::chrono::steady_clock::now();
  try {
    read_scene_text(bad.text, bad.format, "dir/scene", {});
    FAIL() << "it was read";
  } catch (const InputError& error) {
    EXPECT_NE(error.message().find(bad.message), std::string::npos) << error.what();
    EXPECT_EQ(error.line(), bad.line) << error.what();
    EXPECT_EQ(error.file(), "dir/scene");
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

INSTANTIATE_TEST_SUITE_P(Scenes, BadSceneTest, testing::ValuesIn(bad_scenes()),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST(BadSceneFile, UnknownKindsAndFoldersAreRefused) {
  EXPECT_THROW(read_scene("/nonexistent.xml"), InputError);
  EXPECT_THROW(read_scene("/tmp"), InputError);
}

TEST(BadSceneFile, UnknownFixedNameListsWhatThereIs) {
  try {
    read_scene_text("<mujoco><worldbody><body name='a'/></worldbody></mujoco>", SceneFormat::mjcf, "s.xml",
                    {.fixed = {"b"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "s.xml: error: the scene has no body 'b'; it has: 'world', 'a'");
  }
}

// Loaders that are given a root folder take meshes from there: urdf/table/leg.urdf names ../mesh/leg.obj, which is mesh/leg.obj beside urdf/.
TEST(BadSceneFile, MeshesAreAlsoSoughtFromTheFoldersAbove) {
  std::string folder = std::filesystem::temp_directory_path() / "prehend_above_XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::filesystem::create_directories(folder + "/urdf/table");
  std::filesystem::create_directories(folder + "/mesh");
  const auto robot = [](const std::string& mesh) {
    return "<robot name='r'><link name='l'><collision><geometry><mesh filename='" + mesh +
           "'/></geometry></collision></link></robot>";
  };
  write_file(folder + "/mesh/leg.obj",
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  write_file(folder + "/urdf/table/leg.urdf", robot("../mesh/leg.obj"));
  EXPECT_EQ(read_scene(folder + "/urdf/table/leg.urdf").triangle_count(), 4u);
  write_file(folder + "/urdf/table/no.urdf", robot("../mesh/no.obj"));
  try {
    read_scene(folder + "/urdf/table/no.urdf");
    ADD_FAILURE() << "it was read";
  } catch (const InputError& error) {
    EXPECT_NE(error.message().find("does not exist; looked for " + folder + "/urdf/table/../mesh/no.obj"),
              std::string::npos)
        << error.what();
    EXPECT_NE(error.message().find("and in the folders above"), std::string::npos) << error.what();
  }
  std::filesystem::remove_all(folder);
}

TEST(BadSceneFile, IncludeCyclesAreFound) {
  std::string folder = std::filesystem::temp_directory_path() / "prehend_cycle_XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  write_file(folder + "/a.xml", "<mujoco>\n<include file='b.xml'/></mujoco>");
  write_file(folder + "/b.xml", "<mujoco>\n\n<include file='a.xml'/></mujoco>");
  try {
    read_scene(folder + "/a.xml");
    ADD_FAILURE() << "it was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), folder + "/b.xml");
    EXPECT_EQ(error.line(), 3);
    EXPECT_NE(error.message().find("includes itself"), std::string::npos) << error.what();
  }
  // An error inside an included file is reported there, also when the engine finds it.
  write_file(folder + "/b.xml",
             "<mujoco>\n<worldbody>\n<geom type='box' size='1 -1 1'/>\n</worldbody></mujoco>");
  try {
    read_scene(folder + "/a.xml");
    ADD_FAILURE() << "it was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), folder + "/b.xml");
    EXPECT_EQ(error.line(), 3) << error.what();
  }
  write_file(folder + "/a.sdf", "<sdf><include><uri>a.sdf</uri></include></sdf>");
  EXPECT_THROW(read_scene(folder + "/a.sdf"), InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace prehend::model
