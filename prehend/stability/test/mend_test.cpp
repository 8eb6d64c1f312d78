// Scenes with noise against the truth they were made from; exact cases; what cannot be mended.
#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include "mend_scenes.h"
#include <prehend/math/angles.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/mend.h>
#include <prehend/stability/test/turned_scenes.h>

namespace prehend::stability {
namespace {

using namespace mend_scenes;

bool mend_test_stands(const model::Scene& scene) {
  ContactForcesOptions options;
  options.check_prestress = false;
  return contact_forces(scene, options).status == ContactForcesStatus::stable;
}

// Shares of right contact graphs asked of stacks: all families of boxes together.
void check_share(const PoseNoise& noise, double wanted, std::uint64_t seed) {
  int scenes = 0, right = 0, overlapping = 0;
  for (const Family family :
       {Family::tower, Family::bridge, Family::pyramid, Family::columns, Family::heap}) {
    int made = 0;
    for (std::uint64_t k = 0; made < 8; ++k) {
      const model::Scene truth = Maker(family, seed + k).scene;
      if (truth.bodies.size() > 23 || !mend_test_stands(truth)) continue;
      ++made;
      MendOptions options;
      options.noise = noise;
      const MendResult result = mend(disturbed(truth, noise, seed + k), options);
      ++scenes;
      right += contact_graph(truth) == contact_graph(result.scene);
      overlapping += result.deepest_after > 1e-6;
    }
  }
  EXPECT_GE(right, wanted * scenes) << right << " of " << scenes;
  EXPECT_EQ(overlapping, 0);
}

TEST(Mend, FindsTheTrueContactsOfStacks) {
  check_share({3e-4, 0.2 * math::kDegree}, 0.95, 5000);
  check_share({1e-3, 0.5 * math::kDegree}, 0.90, 5000);
  check_share({3e-3, 1.0 * math::kDegree}, 0.70, 5000);
}

TEST(Mend, LeavesAnExactSceneAlone) {
  for (const Family family : {Family::tower, Family::columns, Family::round}) {
    const model::Scene truth = Maker(family, 3).scene;
    const MendResult result = mend(truth);
    EXPECT_EQ(result.status, MendStatus::ok) << result.brief_report();
    for (const MendedBody& body : result.bodies) {
      EXPECT_LT(body.moved, 1e-7) << name_of(family);
      EXPECT_LT(body.turned, 1e-6) << name_of(family);
    }
  }
}

// A bottle whose vertices are off by 1e-4 of its size, in a V: its contacts are as exact as the mesh.
TEST(Mend, LeavesWhatStandsAloneWhoseMeshIsNoisy) {
  math::RandomStream random(4, 4);
  TurnedOutline outline(Eigen::Vector2d(0.0, -0.1));
  outline.line(0.04, -0.1)
      .line(0.04, 0.04)
      .arc({0.016, 0.04}, {0.024, 0.02}, 0, 90)
      .line(0.016, 0.1)
      .line(0.0, 0.1);
  TurnedMeshOptions options;
  options.sides = 128;
  options.noise = 1e-4;
  const std::string board = "<geom type=\"box\" size=\"0.3 0.5 0.02\" friction=\"0.5\" ";
  const model::Scene scene = model::read_scene_text(
      "<mujoco><compiler angle=\"degree\"/><asset>" + asset("m", turned_mesh(outline, options, random)) +
          "</asset><worldbody><frame euler=\"0 -45 0\">" + board +
          "pos=\"0.3 0 -0.02\"/></frame><frame euler=\"0 45 0\">" + board +
          "pos=\"-0.3 0 -0.02\"/></frame><body name=\"bottle\" pos=\"0 0 0.056568542494923803\" euler=\"90 0 "
          "0\"><freejoint/>"
          "<geom type=\"mesh\" mesh=\"m\" mass=\"0.5\" friction=\"0.5\"/></body></worldbody></mujoco>",
      model::SceneFormat::mjcf, "v.xml");
  const MendResult result = mend(scene);
  EXPECT_EQ(result.status, MendStatus::ok) << result.brief_report();
  EXPECT_TRUE(result.holds);
  ASSERT_EQ(result.bodies.size(), 1u);
  EXPECT_LT(result.bodies[0].moved, 1e-9) << result.brief_report();
}

model::Scene box_above_floor(double gap) {
  model::Scene scene;
  add_floor(scene);
  add_box(scene, {.name = "box",
                  .size = {0.2, 0.2, 0.1},
                  .X_WB = math::Pose::translation({0, 0, 0.05 + gap}),
                  .mass = 2.0});
  return scene;
}

TEST(Mend, ClosesAGapByTheShortestWay) {
  const MendResult result = mend(box_above_floor(0.002));
  ASSERT_EQ(result.status, MendStatus::ok) << result.brief_report();
  EXPECT_NEAR(result.bodies.front().moved, 0.002, 1e-8);
  EXPECT_LT(result.bodies.front().turned, 1e-8);
  EXPECT_EQ(result.closed.size(), 1u);
  EXPECT_TRUE(result.holds);
}

TEST(Mend, OpensAnOverlapByTheShortestWay) {
  const MendResult result = mend(box_above_floor(-0.003));
  ASSERT_EQ(result.status, MendStatus::ok) << result.brief_report();
  EXPECT_NEAR(result.bodies.front().moved, 0.003, 1e-8);
  EXPECT_EQ(result.opened.size(), 1u);
  EXPECT_NEAR(result.deepest_before, 0.003, 1e-4);
}

TEST(Mend, RefusesWhatIsTooFar) {
  MendOptions options;
  options.noise = PoseNoise{1e-3, 0.005};
  const MendResult floating = mend(box_above_floor(0.5), options);
  EXPECT_EQ(floating.status, MendStatus::failed);
  ASSERT_FALSE(floating.problems.empty());
  EXPECT_NE(floating.problems.front().find("'box' floats"), std::string::npos) << floating.problems.front();
  options.most = 0.001;
  const MendResult deep = mend(box_above_floor(-0.003), options);
  EXPECT_EQ(deep.status, MendStatus::failed);
  EXPECT_NE(deep.brief_report().find("--most"), std::string::npos) << deep.brief_report();
}

// A board on edge on a block: once it stands flush, its lower edges run along the rims of the block's sides, far behind their planes. They do not touch them.
TEST(Mend, ABoardOnEdgeStaysOnItsBlock) {
  const PoseNoise noise{3e-3, 0.03};
  const int trials = prehend::test::sweep_size(40, 400);
  int right = 0;
  for (int trial = 0; trial < trials; ++trial) {
    math::RandomStream random(77, static_cast<std::uint64_t>(trial));
    const double wide = random.uniform(0.03, 0.08), thick = random.uniform(0.012, 0.5 * wide + 0.01);
    const Vector3d block(random.uniform(0.06, 0.15), wide, random.uniform(0.05, 0.15));
    const Vector3d board(random.uniform(0.05, 0.11), thick, random.uniform(0.04, 0.09));
    model::Scene truth;
    add_floor(truth);
    const math::Pose X_WB = upright({0, 0, 0.5 * block.z()}, random.uniform(0.0, 6.0));
    add_box(truth, {.name = "block", .size = block, .X_WB = X_WB, .mass = 1.0});
    const double aside = random.uniform(-0.5, 0.5) * (wide - thick), turn = random.uniform(-0.1, 0.1);
    add_box(truth, {.name = "board",
                    .size = board,
                    .X_WB = X_WB * upright({0, aside, 0.5 * (block.z() + board.z())}, turn),
                    .mass = 0.3});
    MendOptions options;
    options.noise = noise;
    const MendResult result = mend(disturbed(truth, noise, 700 + static_cast<std::uint64_t>(trial)), options);
    right += result.status == MendStatus::ok && result.holds &&
             contact_graph(truth) == contact_graph(result.scene);
  }
  EXPECT_GE(right, 0.99 * trials) << right << " of " << trials;  // 3 mm is a quarter of the thinnest board
}

// Curved bodies that fit nowhere: features come and go between the steps of the fit, and nothing ends deeper than it began.
TEST(Mend, WhatFitsNowhereIsNoWorse) {
  math::RandomStream random(5, 8);
  const int trials = prehend::test::sweep_size(3, 8);
  for (int trial = 0; trial < trials; ++trial) {
    model::Scene scene = box_above_floor(-0.002);
    for (const double x : {0.0, 0.02}) {
      model::Body body = scene.bodies.back();
      body.name = "ring" + std::to_string(scene.bodies.size());
      model::Geom& geom = body.geoms.front();
      geom.name = body.name;
      geom.shape = {};
      geom.mesh = geometry::make_torus(0.08, 0.03, 12 + trial, 8);
      body.X_WB = math::Pose(math::exp_so3(0.2 * random.normal3()), Vector3d(x, 0.01, 0.13 + x));
      scene.bodies.push_back(body);
    }
    const MendResult result = mend(scene);
    EXPECT_LE(result.deepest_after, std::max(result.deepest_before, 1e-6) + 1e-4);
    EXPECT_EQ(result.status == MendStatus::ok, result.problems.empty());
  }
}

// A chocked can whose contacts are exact: it has no noise, and nothing moves.
TEST(Mend, LeavesAChockedCanWhereItIs) {
  const model::Scene scene = model::read_scene_text(
      "<mujoco><worldbody><geom type='plane' size='2 2 1'/><body name='can' pos='0 0 0.05' euler='90 0 "
      "0'><freejoint/>"
      "<geom type='cylinder' size='0.05 0.1' mass='1'/></body><body name='block' pos='0.07 0 "
      "0.0125'><freejoint/>"
      "<geom type='box' size='0.0266987298107780677 0.1 0.0125' mass='1'/></body></worldbody></mujoco>",
      model::SceneFormat::mjcf, "chocked.xml");
  const MendResult result = mend(scene);
  EXPECT_EQ(result.status, MendStatus::ok) << result.brief_report();
  EXPECT_TRUE(result.holds);
  EXPECT_EQ(result.noise.position, 0.0);
  for (const MendedBody& body : result.bodies) EXPECT_EQ(body.moved, 0.0) << result.brief_report();
}

// Two contacts tell little of the noise: a can on a box, seen with 1 mm and half a degree, stood.
TEST(Mend, WhatWasSeenStood) {
  const model::Scene seen = model::read_scene_text(
      R"(<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
        <body name="box" pos=".00937 -.00033 .04685" quat="-.81268837 .0081844 -.0032006 .58263229"><freejoint/>
          <geom type="box" size=".065183 .067548 .046581" mass=".886"/></body>
        <body name="can" pos=".00489 -.0075 .15172" quat="-.30503207 .0074604 .0009814 .95231235"><freejoint/>
          <geom type="cylinder" size=".031564 .057669" mass=".297"/></body></worldbody></mujoco>)",
      model::SceneFormat::mjcf, "seen.xml");
  const MendResult result = mend(seen);
  EXPECT_EQ(result.status, MendStatus::ok);
  EXPECT_TRUE(result.holds);
  for (const MendedBody& body : result.bodies) EXPECT_LT(body.moved, 2e-3);
}

TEST(Mend, NamesBadOptions) {
  MendOptions options;
  options.most = -1.0;
  EXPECT_THROW(mend(box_above_floor(0.0), options), std::invalid_argument);
  options = {};
  options.noise = PoseNoise{0.0, 0.01};
  EXPECT_THROW(mend(box_above_floor(0.0), options), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::stability
