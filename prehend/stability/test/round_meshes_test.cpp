// Meshes of balls and cans: the same verdict and values as the round shapes they stand for, however they are turned; prisms stay prisms.
#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/robustness_map.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

std::string mesh_asset(const geometry::TriangleMesh& mesh) {
  std::string text = "<mesh name=\"m\" vertex=\"";
  for (const Vector3d& p : mesh.vertices)
    text += std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + " ";
  text += "\" face=\"";
  for (const Eigen::Vector3i& t : mesh.triangles)
    text += std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + " ";
  return text + "\"/>";
}

// A can of mass 1 lying along y, its centre at the height given, turned about its axis.
model::Scene lying_can(int sides, double roll, double height, const geometry::TriangleMesh* scanned = nullptr,
                       bool keep_facets = false) {
  const Eigen::Quaterniond q(Eigen::AngleAxisd(math::kPi / 2.0, Vector3d::UnitX()) *
                             Eigen::AngleAxisd(roll, Vector3d::UnitZ()));
  char pose[200];
  std::snprintf(pose, sizeof pose, "pos=\"0 0 %.12g\" quat=\"%.15g %.15g %.15g %.15g\"", height, q.w(), q.x(),
                q.y(), q.z());
  model::SceneOptions reading;
  reading.keep_facets = keep_facets;
  return model::read_scene_text(
      "<mujoco><asset>" + mesh_asset(scanned ? *scanned : geometry::make_cylinder(0.05, 0.2, sides)) +
          "</asset><worldbody><geom type=\"plane\" size=\"1 1 1\" friction=\"0.5\"/><body name=\"can\" " +
          pose +
          "><freejoint/><geom type=\"mesh\" mesh=\"m\" mass=\"1\" "
          "friction=\"0.5\"/></body></worldbody></mujoco>",
      model::SceneFormat::mjcf, "can.xml", reading);
}

double sideways_limit(const model::Scene& scene, const Vector3d& d = {0, 1, 0}) {
  RobustnessOptions options;
  options.check_points = false;
  const Push push{scene.find_body("can"), scene.bodies[scene.find_body("can")].X_WB.p(), d};
  const RobustnessResult result = robustness(scene, std::vector<Push>{push}, options);
  return result.answers.empty() ? -1.0 : result.answers.front().robustness;
}

TEST(RoundMeshes, LyingCanDoesNotKnowItsRollAngle) {
  for (const int sides : {32, 64}) {
    for (int degree = 0; degree < 360; degree += 7) {
      const model::Scene scene = lying_can(sides, degree * math::kDegree, 0.05);
      const ContactForcesResult forces = contact_forces(scene);
      ASSERT_EQ(forces.status, ContactForcesStatus::stable)
          << sides << " sides at " << degree << ": " << forces.brief_report();
      // Along its axis it slides at mu m g.
      ASSERT_NEAR(sideways_limit(scene), 0.5 * 9.81, 0.005 * 0.5 * 9.81) << sides << " sides at " << degree;
    }
  }
}

// A can of radius 0.05 and length 0.2 along z whose rims are cut off by 5 mm.
geometry::TriangleMesh rimmed_can(int sides) {
  const double rims[][2] = {{0.045, -0.1}, {0.05, -0.095}, {0.05, 0.095}, {0.045, 0.1}};
  geometry::TriangleMesh mesh;
  for (const auto& [radius, z] : rims) {
    for (int k = 0; k < sides; ++k) {
      const double angle = 2.0 * math::kPi * k / sides;
      mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  }
  for (int k = 0; k < sides; ++k) {
    const int next = (k + 1) % sides;
    for (int ring = 0; ring < 3; ++ring) {
      const int a = ring * sides + k, b = ring * sides + next;
      mesh.triangles.push_back({a, b, b + sides});
      mesh.triangles.push_back({a, b + sides, a + sides});
    }
    if (k == 0 || next == 0) continue;
    mesh.triangles.push_back({0, next, k});
    mesh.triangles.push_back({3 * sides, 3 * sides + k, 3 * sides + next});
  }
  return mesh;
}

// What is curved and keeps its facets says so where it touches with them.
TEST(RoundMeshes, FacetsOfOtherCurvedMeshesAreNamed) {
  const auto names_facets = [](const model::Scene& scene) {
    const ContactForcesResult forces = contact_forces(scene);
    return std::any_of(forces.problems.begin(), forces.problems.end(), [](const std::string& problem) {
      return problem.find("facets of a curved mesh") != std::string::npos;
    });
  };
  for (const int sides : {32, 64, 120}) {
    const geometry::TriangleMesh can = rimmed_can(sides);
    ASSERT_FALSE(geometry::recognise_round(can));
    const double half = math::kPi / sides;
    const double low = 0.05 * std::cos(half);
    EXPECT_TRUE(names_facets(lying_can(sides, half, low, &can, true))) << sides;
    EXPECT_TRUE(names_facets(lying_can(sides, 0.0, 0.05, &can, true))) << sides << ", on an edge";
    // Taken as the turned body that it stands for it has none, and rolls wherever it lies.
    for (const auto& [roll, height] :
         {std::pair(half, low), std::pair(0.0, 0.05), std::pair(0.3 * half, 0.05)}) {
      const model::Scene scene = lying_can(sides, roll, height, &can);
      EXPECT_FALSE(names_facets(scene)) << sides << " at " << roll;
      EXPECT_EQ(contact_forces(scene).status, ContactForcesStatus::stable) << sides << " at " << roll;
      EXPECT_LT(sideways_limit(scene, {1, 0, 0}), 1e-4) << sides << " at " << roll;
    }
    // On its flat end it is no different from any other prism.
    const model::Scene standing = model::read_scene_text(
        "<mujoco><asset>" + mesh_asset(can) +
            "</asset><worldbody><geom type=\"plane\" size=\"1 1 1\"/><body name=\"can\" pos=\"0 0 "
            "0.1\"><freejoint/><geom type=\"mesh\" mesh=\"m\" mass=\"1\"/></body></worldbody></mujoco>",
        model::SceneFormat::mjcf, "standing.xml");
    EXPECT_EQ(contact_forces(standing).status, ContactForcesStatus::stable);
    EXPECT_FALSE(names_facets(standing)) << sides;
  }
  const geometry::TriangleMesh post = geometry::make_cylinder(0.05, 0.2, 24);
  const double half = math::kPi / 24;
  EXPECT_FALSE(names_facets(lying_can(24, half, 0.05 * std::cos(half), &post)));
}

TEST(RoundMeshes, MayBeDrawnOnAFacet) {
  const int sides = 32;
  const model::Scene scene = lying_can(sides, math::kPi / sides, 0.05 * std::cos(math::kPi / sides));
  const ContactForcesResult forces = contact_forces(scene);
  EXPECT_EQ(forces.status, ContactForcesStatus::stable) << forces.brief_report();
  EXPECT_TRUE(forces.problems.empty()) << forces.brief_report();
}

// Whatever a push past the line of contact is asked with (alone, in a map), nothing holds the can.
TEST(RoundMeshes, MapsOfLyingCansRoll) {
  math::RandomStream random(5101, 1);
  for (int trial = 0; trial < 15; ++trial) {
    const int sides = trial % 3 == 0 ? 32 : 30 + static_cast<int>(random.below(170));
    const double roll = trial % 3 == 0 ? 0.0 : random.uniform(0.0, 2.0 * math::kPi);
    geometry::TriangleMesh mesh = geometry::make_cylinder(0.05, 0.2, sides);
    if (trial % 3 == 2) {  // a good scan
      for (Vector3d& p : mesh.vertices)
        p += 5e-5 * Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    }
    const model::Scene scene = lying_can(sides, roll, 0.05, &mesh);
    RobustnessMapOptions options;
    options.points = 60;
    const RobustnessResult map = robustness_map(scene, options);
    ASSERT_EQ(map.status, RobustnessStatus::ok) << sides << " sides at " << roll << map.brief_report();
    ASSERT_EQ(map.answers.size(), map.pushes.size());
    for (std::size_t i = 0; i < map.answers.size(); ++i) {
      const Push& push = map.pushes[i];
      ASSERT_EQ(map.answers[i].status, AnswerStatus::ok) << sides << " sides at " << roll << ", push " << i;
      const double lever = push.p_W.z() * push.d_W.x() - push.p_W.x() * push.d_W.z();
      if (std::abs(push.d_W.y()) > 0.5 || std::abs(lever) < 2e-5)
        continue;  // ends, and towards the line, which a scan has not exactly below
      ASSERT_LT(map.answers[i].robustness, 1e-6) << sides << " sides at " << roll << ", lever " << lever;
    }
  }
}

TEST(RoundMeshes, AreRecognisedWhateverTheirPoseAndNoise) {
  math::RandomStream random(11, 4);
  for (int trial = 0; trial < 60; ++trial) {
    const double r = std::exp(random.uniform(-5.0, 1.0)),
                 length = trial % 5 == 1 ? 2.0 * r : r * random.uniform(0.3, 8.0);
    const int sides = 30 + static_cast<int>(random.below(220));
    const bool is_ball = trial % 3 == 0;
    const math::Pose X(
        Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized(),
        10.0 * r * random.normal3());
    geometry::TriangleMesh mesh = geometry::transformed(
        is_ball ? geometry::make_icosphere(r, 3) : geometry::make_cylinder(r, length, sides), X);
    // 0.1 % of the radius: a good scan.
    for (Vector3d& p : mesh.vertices)
      p += 1e-3 * r * Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const auto found = geometry::recognise_round(mesh);
    ASSERT_TRUE(found) << trial << ": " << sides << " sides, length over radius " << length / r;
    EXPECT_EQ(found->shape.kind(), is_ball ? geometry::RoundKind::sphere : geometry::RoundKind::cylinder);
    EXPECT_NEAR(found->shape.size()[0], r, 2e-3 * r);
    EXPECT_LT((found->X_MS.p() - X.p()).norm(), 2e-3 * r);
    if (is_ball) continue;
    EXPECT_NEAR(2.0 * found->shape.size()[1], length, 3e-3 * r);
    const Vector3d axis = found->X_MS.q() * Vector3d::UnitZ();
    EXPECT_GT(std::abs(axis.dot(X.q() * Vector3d::UnitZ())), std::cos(0.01));
  }
}

TEST(RoundMeshes, PrismsAndOthersAreNoCans) {
  for (const int sides : {3, 4, 6, 8, 12, 16, 20, 24})
    EXPECT_FALSE(geometry::recognise_round(geometry::make_cylinder(0.05, 0.2, sides))) << sides;
  EXPECT_FALSE(geometry::recognise_round(geometry::make_cone(0.05, 0.2, 64)));
  EXPECT_FALSE(geometry::recognise_round(geometry::make_capsule(0.05, 0.2, 64)));
  EXPECT_FALSE(geometry::recognise_round(geometry::make_torus(0.1, 0.03, 64, 32)));
  EXPECT_FALSE(geometry::recognise_round(geometry::make_ellipsoid({0.05, 0.05, 0.06}, 3)));
  EXPECT_FALSE(geometry::recognise_round(geometry::make_icosphere(0.05, 1)));
  // Half a ball, and a ball with a hole's volume missing, are no balls.
  geometry::TriangleMesh bowl = geometry::make_icosphere(0.05, 3);
  for (Vector3d& p : bowl.vertices) p.z() = std::abs(p.z());
  EXPECT_FALSE(geometry::recognise_round(bowl));
}

TEST(RoundMeshes, TheNoteSaysSoAndTheOptionKeepsFacets) {
  const model::Scene scene = lying_can(64, 0.3, 0.05);
  ASSERT_FALSE(scene.notes.empty());
  EXPECT_NE(scene.notes.front().find("is taken as the cylinder"), std::string::npos) << scene.notes.front();
  EXPECT_NE(scene.notes.front().find("--keep-facets"), std::string::npos) << scene.notes.front();
}

}  // namespace
}  // namespace prehend::stability
