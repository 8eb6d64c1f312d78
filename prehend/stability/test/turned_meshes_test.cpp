// Meshes of bowls, cones, bottles and rings: what they bear does not depend on how they were divided into facets, nor on how they are turned.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/test/turned_scenes.h>

namespace prehend::stability {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

void sweep(int scenes, std::uint64_t seed, double noise) {
  const std::vector<NamedOutline> outlines = turned_outlines();
  constexpr int kSides[] = {24, 32, 48, 64, 96, 128};
  for (int i = 0; i < scenes; ++i) {
    math::RandomStream random(seed, static_cast<std::uint64_t>(i));
    const NamedOutline& shape = outlines[static_cast<std::size_t>(i) % outlines.size()];
    TurnedMeshOptions options;
    options.sides = kSides[random.below(6)];
    options.twist = random.below(2) == 0 ? 0.0 : random.uniform(-1.0, 1.0) * math::kPi / options.sides;
    options.other_diagonal = random.below(2) == 0;
    options.flat_ends = random.below(2) == 0;
    options.noise = noise;
    const geometry::TriangleMesh mesh = turned_mesh(shape.outline, options, random);
    std::vector<TurnedRest> rests = turned_rests(shape.outline, random);
    if (noise > 0.0)
      std::erase_if(rests, [](const TurnedRest& rest) { return rest.kind == TurnedRest::Kind::point; });
    if (rests.empty()) continue;
    const TurnedRest rest = rests[random.below(static_cast<std::uint32_t>(rests.size()))];
    const Quaterniond q =
        Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
    const double mu = random.below(2) == 0 ? 0.2 : 1.5, roll = random.uniform(0.0, 2.0 * math::kPi);
    const TurnedScene made = turned_scene(mesh, rest, roll, mu, q, random, noise == 0.0);
    EXPECT_EQ(turned_fault(made), "") << i << ": " << shape.name << ", " << options.sides << " sides";
  }
}

TEST(TurnedMeshes, ClosedFormsHoldForEveryTessellation) { sweep(80, 3301, 0.0); }

TEST(TurnedMeshes, ScansOfAMicrometreAlike) { sweep(20, 3302, 1e-5); }

TEST(TurnedMeshes, LongSweep) {
  if (std::getenv("PREHEND_SLOW") == nullptr) GTEST_SKIP() << "set PREHEND_SLOW";
  sweep(2000, 3303, 0.0);
  sweep(500, 3304, 1e-6);
}

// The same verdict and the same values at every roll angle: a frustum on its side.
TEST(TurnedMeshes, AFrustumDoesNotKnowItsRollAngle) {
  const NamedOutline shape = turned_outlines()[4];
  ASSERT_EQ(shape.name, "frustum");
  math::RandomStream random(7, 7);
  std::vector<TurnedRest> rests = turned_rests(shape.outline, random);
  std::erase_if(rests, [](const TurnedRest& rest) { return rest.kind != TurnedRest::Kind::line; });
  ASSERT_EQ(rests.size(), 1u);
  for (const int sides : {24, 64}) {
    TurnedMeshOptions options;
    options.sides = sides;
    const geometry::TriangleMesh mesh = turned_mesh(shape.outline, options, random);
    for (int degree = 0; degree < 360; degree += 15) {
      const TurnedScene made =
          turned_scene(mesh, rests[0], degree * math::kDegree, 0.5, Quaterniond::Identity(), random);
      ASSERT_EQ(turned_fault(made), "") << sides << " sides at " << degree;
    }
  }
}

std::string standing(const char* name, double x, double z, const std::string& geom) {
  char text[300];
  std::snprintf(text, sizeof text,
                "<body name=\"%s\" pos=\"%.17g 0 %.17g\"><freejoint/><inertial pos=\"0 0 0.03\" mass=\"1\" "
                "diaginertia=\"0.01 0.01 0.01\"/><geom %s friction=\"0.5\"/></body>",
                name, x, z, geom.c_str());
  return text;
}

model::Scene scene_of(const std::string& assets, const std::string& bodies) {
  return model::read_scene_text(
      "<mujoco><asset>" + assets +
          "</asset><worldbody><geom type=\"plane\" size=\"1 1 1\" friction=\"0.5\"/>" + bodies +
          "</worldbody></mujoco>",
      model::SceneFormat::mjcf, "turned_pairs.xml");
}

geometry::TriangleMesh mesh_of(const char* name, int sides) {
  math::RandomStream random(1, 1);
  for (const NamedOutline& shape : turned_outlines()) {
    if (shape.name != name) continue;
    TurnedMeshOptions options;
    options.sides = sides;
    return turned_mesh(shape.outline, options, random);
  }
  return {};
}

double push_limit(const model::Scene& scene, const char* body, const Vector3d& p, const Vector3d& d) {
  RobustnessOptions options;
  options.check_points = false;
  const RobustnessResult result =
      robustness(scene, std::vector<Push>{{scene.find_body(body), p, d}}, options);
  EXPECT_EQ(result.status, RobustnessStatus::ok) << result.brief_report();
  return result.answers.empty() ? -1.0 : result.answers.front().robustness;
}

// A mug on a mug, off its axis: the foot's disc on the ring of the rim. Pushed low it slides at mu m g.
TEST(TurnedMeshes, StandOnEachOther) {
  for (const double aside : {0.0, 0.004}) {
    const model::Scene scene = scene_of(asset("m", mesh_of("mug", 32)),
                                        standing("low", 0.0, 0.0, "type=\"mesh\" mesh=\"m\"") +
                                            standing("high", aside, 0.1, "type=\"mesh\" mesh=\"m\""));
    const ContactForcesResult forces = contact_forces(scene);
    EXPECT_EQ(forces.status, ContactForcesStatus::stable) << forces.brief_report();
    EXPECT_TRUE(forces.problems.empty()) << forces.brief_report();
    EXPECT_NEAR(push_limit(scene, "high", {aside, 0.0, 0.1}, {0, 1, 0}), 0.5 * 9.81, 0.005 * 0.5 * 9.81);
  }
}

// A ball in a bowl rests on its floor and rolls.
TEST(TurnedMeshes, ABallInABowlRolls) {
  const model::Scene scene = scene_of(
      asset("b", mesh_of("bowl", 48)),
      standing("bowl", 0.0, 0.0, "type=\"mesh\" mesh=\"b\"") +
          "<body name=\"ball\" pos=\"0 0 0.0234\"><freejoint/><geom type=\"sphere\" size=\"0.02\" mass=\"1\" "
          "friction=\"0.5\"/></body>");
  const ContactForcesResult forces = contact_forces(scene);
  EXPECT_EQ(forces.status, ContactForcesStatus::stable) << forces.brief_report();
  EXPECT_LT(push_limit(scene, "ball", {0, 0, 0.0234}, {0, 1, 0}), 1e-4);
}

// A pan whose side rises from its foot, on the bars of a stove: their edges cross the rim of the foot, and carry it from below alone.
TEST(TurnedMeshes, EdgesThatCrossTheRimOfAFootCarryItFromBelow) {
  math::RandomStream random(3, 3);
  TurnedOutline outline(Eigen::Vector2d(0.0, 0.0));
  outline.line(0.09, 0.0).line(0.1, 0.06).line(0.0, 0.06);
  TurnedMeshOptions options;
  options.sides = 48;
  const std::string assets = asset("m", turned_mesh(outline, options, random));
  for (int k = 0; k < 12; ++k) {
    const double angle = random.uniform(0.0, 90.0), x = random.uniform(-0.03, 0.03);
    std::string bars;
    for (int bar = 0; bar < 4; ++bar) {
      const double turn = angle + 90.0 * bar;
      char text[300];
      std::snprintf(text, sizeof text,
                    "<body pos=\"%.17g %.17g 0.01\" euler=\"0 0 %.17g\"><geom type=\"box\" size=\"0.06 0.005 "
                    "0.01\" friction=\"0.5\"/></body>",
                    0.1 * std::cos(turn * math::kDegree), 0.1 * std::sin(turn * math::kDegree), turn);
      bars += text;
    }
    const model::Scene scene = scene_of(assets, bars + standing("pan", x, 0.02, "type=\"mesh\" mesh=\"m\""));
    const model::SceneContacts contacts = model::find_scene_contacts(scene);
    EXPECT_EQ(contacts.interfaces.size(), 4u) << contacts.brief_report();
    for (const model::SceneInterface& contact : contacts.interfaces)
      EXPECT_NEAR(contact.patch.n_W.z(), 1.0, 1e-6) << contacts.brief_report();
  }
}

// An egg on its side that is off by 0.05 degrees rolls back and rests; on a board that tilts about its long axis it rolls away.
TEST(TurnedMeshes, AnEggRestsOnItsSideAndRollsOffABoard) {
  math::RandomStream random(5, 5);
  TurnedOutline outline(Eigen::Vector2d(0.0, -0.03));
  outline.arc({0.0, 0.0}, {0.02, 0.03}, -90, 90);
  TurnedMeshOptions options;
  options.sides = 48;
  const std::string assets = asset("m", turned_mesh(outline, options, random));
  const auto stands = [&](const std::string& geom, double off, double tilt) {
    // The tray lies on a board; all of it is seen along a gravity that tilts about the egg's long axis.
    char gravity[100], egg[400];
    std::snprintf(gravity, sizeof gravity, "0 %.17g %.17g", 9.81 * std::sin(tilt * math::kDegree),
                  -9.81 * std::cos(tilt * math::kDegree));
    std::snprintf(
        egg, sizeof egg,
        "<body name=\"egg\" pos=\"0 0 0.02\" euler=\"0 %g 0\"><freejoint/>%s</body></worldbody></mujoco>",
        off, geom.c_str());
    const model::Scene scene = model::read_scene_text(
        std::string("<mujoco><compiler angle=\"degree\"/><option gravity=\"") + gravity + "\"/><asset>" +
            assets +
            "</asset><worldbody><geom type=\"box\" size=\"2 2 0.1\" pos=\"0 0 -0.12\"/><body name=\"tray\" "
            "pos=\"0 0 -0.01\"><freejoint/><geom type=\"box\" size=\"1 1 0.01\" mass=\"1\"/></body>" +
            egg,
        model::SceneFormat::mjcf, "egg.xml");
    return contact_forces(scene).status == ContactForcesStatus::stable;
  };
  for (const std::string geom : {"<geom type=\"mesh\" mesh=\"m\" euler=\"0 90 0\" mass=\"0.1\"/>",
                                 "<geom type=\"ellipsoid\" size=\"0.03 0.02 0.02\" mass=\"0.1\"/>"}) {
    EXPECT_TRUE(stands(geom, 0.0, 0.0)) << geom;
    EXPECT_TRUE(stands(geom, 0.05, 0.0)) << geom;
    EXPECT_FALSE(stands(geom, 20.0, 0.0)) << geom;
    EXPECT_FALSE(stands(geom, 0.0, 0.1)) << geom;
  }
}

// Noise larger than the bulge of a facet does not make facets of the profile: an egg stands on a point of it, and a push on its end tips it.
TEST(TurnedMeshes, EggsOfFineNoisyMeshesTouchInAPoint) {
  for (const int sides : {96, 200}) {
    math::RandomStream random(8, static_cast<std::uint64_t>(sides));
    TurnedOutline outline(Eigen::Vector2d(0.0, -0.03));
    outline.arc({0.0, 0.0}, {0.02, 0.03}, -90, 90);
    TurnedMeshOptions options;
    options.sides = sides;
    options.noise = 1e-4;
    const model::Scene scene =
        scene_of(asset("m", turned_mesh(outline, options, random)),
                 "<body name=\"egg\" pos=\"0 0 0.02\"><freejoint/><inertial pos=\"0 0 0\" mass=\"1\" "
                 "diaginertia=\"0.01 0.01 "
                 "0.01\"/><geom type=\"mesh\" mesh=\"m\" quat=\"1 0 1 0\" friction=\"0.5\"/></body>");
    const model::SceneContacts contacts = model::find_scene_contacts(scene);
    ASSERT_EQ(contacts.interfaces.size(), 1u) << contacts.brief_report();
    EXPECT_EQ(contacts.interfaces[0].patch.points_W.size(), 1u) << sides << "\n" << contacts.brief_report();
    EXPECT_LT(push_limit(scene, "egg", {0.03, 0, 0.02}, {0, 0, -1}), 1e-4) << sides;
  }
}

// A cone of 24 sides pressed as a mesh equals the cylinder primitive where it is nearly one: a can with tiny chamfers.
TEST(TurnedMeshes, ACanWithTinyChamfersEqualsTheCan) {
  math::RandomStream random(2, 2);
  TurnedOutline outline(Eigen::Vector2d(0.0, 0.0));
  outline.line(0.0499999, 0.0).line(0.05, 1e-5).line(0.05, 0.12).line(0.0, 0.12);
  for (const int sides : {24, 40}) {
    TurnedMeshOptions options;
    options.sides = sides;
    const model::Scene mesh = scene_of(asset("m", turned_mesh(outline, options, random)),
                                       standing("can", 0.0, 0.0, "type=\"mesh\" mesh=\"m\""));
    const model::Scene primitive =
        scene_of("", standing("can", 0.0, 0.0, "type=\"cylinder\" size=\"0.05 0.06\" pos=\"0 0 0.06\""));
    for (const double height : {0.01, 0.05, 0.1, 0.12}) {
      const double wanted = push_limit(primitive, "can", {0, 0, height}, {1, 0, 0});
      EXPECT_NEAR(push_limit(mesh, "can", {0, 0, height}, {1, 0, 0}), wanted, 0.002 * wanted) << sides;
    }
  }
}

TEST(TurnedMeshes, TheNoteSaysSoAndTheOptionKeepsFacets) {
  const std::string text = "<mujoco><asset>" + asset("m", geometry::make_cone(0.05, 0.1, 32)) +
                           "</asset><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>";
  const model::Scene scene = model::read_scene_text(text, model::SceneFormat::mjcf, "cone.xml");
  ASSERT_FALSE(scene.notes.empty());
  EXPECT_NE(scene.notes.front().find("is taken as the turned body"), std::string::npos)
      << scene.notes.front();
  EXPECT_TRUE(scene.bodies[0].geoms[0].turned);
  model::SceneOptions options;
  options.keep_facets = true;
  const model::Scene kept = model::read_scene_text(text, model::SceneFormat::mjcf, "cone.xml", options);
  EXPECT_FALSE(kept.bodies[0].geoms[0].turned);
}

}  // namespace
}  // namespace prehend::stability
