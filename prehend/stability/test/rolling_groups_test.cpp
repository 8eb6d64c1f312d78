// Bodies that lean on each other and can roll together: noise of meshes and poses does not decide whether they rest, and slopes still do.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/stability/contact_forces.h>
#include <prehend/stability/test/turned_scenes.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

std::string ball_body(const std::string& name, const Vector3d& p, double r, bool is_free = true) {
  char text[300];
  std::snprintf(text, sizeof text,
                "<body name=\"%s\" pos=\"%.17g %.17g %.17g\">%s<geom type=\"sphere\" size=\"%.17g\" "
                "mass=\"0.5\" friction=\"0.6\"/></body>",
                name.c_str(), p.x(), p.y(), p.z(), is_free ? "<freejoint/>" : "", r);
  return text;
}

model::Scene rolling_scene(const std::string& assets, const std::string& bodies, double tilt = 0.0) {
  char gravity[100];
  std::snprintf(gravity, sizeof gravity, "<option gravity=\"0 %.17g %.17g\"/>", 9.81 * std::sin(tilt),
                -9.81 * std::cos(tilt));
  return model::read_scene_text(std::string("<mujoco>") + gravity + "<asset>" + assets +
                                    "</asset><worldbody>" + bodies + "</worldbody></mujoco>",
                                model::SceneFormat::mjcf, "balls.xml");
}

// Balls of 20 mm that lean on each other in a hollow of 100 mm.
model::Scene balls_in_hollow(int balls, double noise_of_mesh, double noise_of_poses, std::uint64_t seed,
                             double tilt = 0.0) {
  constexpr double kHollow = 0.1, kBall = 0.02;
  math::RandomStream random(seed, 1);
  TurnedOutline outline(Eigen::Vector2d(0.0, -0.11));
  outline.line(0.11, -0.11).line(0.11, -0.029).arc({0, 0}, {kHollow, kHollow}, -17, -90);
  TurnedMeshOptions options;
  options.sides = 96;
  options.noise = noise_of_mesh;
  const geometry::TriangleMesh mesh = turned_mesh(outline, options, random);
  std::string bodies = "<body name=\"bowl\"><geom type=\"mesh\" mesh=\"m\" friction=\"0.6\"/></body>";
  const double out = kBall / std::sin(math::kPi / balls), turn = random.uniform(0.0, 6.0),
               down = std::sqrt((kHollow - kBall) * (kHollow - kBall) - out * out);
  for (int k = 0; k < balls; ++k) {
    const double angle = turn + 2.0 * math::kPi * k / balls;
    const Vector3d off(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    bodies += ball_body("ball" + std::to_string(k),
                        Vector3d(out * std::cos(angle), out * std::sin(angle), -down) + noise_of_poses * off,
                        kBall);
  }
  return rolling_scene(asset("m", mesh), bodies, tilt);
}

// Pushes on the first ball at its height: towards the others, and across.
std::vector<double> limits_of_first(const model::Scene& scene) {
  const model::BodyIndex pushed = scene.find_body("ball0");
  const Vector3d p = scene.bodies[pushed].X_WB.p(), out = Vector3d(p.x(), p.y(), 0.0).normalized(),
                 across = out.cross(Vector3d::UnitZ());
  const std::vector<Push> pushes{{pushed, p + 0.02 * out, -out}, {pushed, p - 0.02 * across, across}};
  std::vector<double> limits;
  for (const PushAnswer& answer : robustness(scene, pushes).answers) limits.push_back(answer.robustness);
  return limits;
}

TEST(RollingGroups, NoiseDoesNotDecideWhetherBallsInABowlRest) {
  for (const int balls : {2, 3}) {
    for (const auto& [mesh, poses] :
         {std::pair(0.0, 0.0), {1e-6, 0.0}, {1e-4, 0.0}, {0.0, 2e-5}, {1e-4, 2e-5}}) {
      for (const std::uint64_t seed : {1, 2}) {
        const model::Scene scene = balls_in_hollow(balls, mesh, poses, seed);
        const ContactForcesResult forces = contact_forces(scene);
        EXPECT_EQ(forces.status, ContactForcesStatus::stable)
            << balls << " balls, " << mesh << ", " << poses << "\n"
            << forces.brief_report();
        EXPECT_LT(forces.equilibrium_residual, 1e-7);
        const std::vector<double> limits = limits_of_first(scene),
                                  exact = limits_of_first(balls_in_hollow(balls, 0.0, 0.0, seed));
        // Towards the others is a knife edge where poses are off: beside the line of both balls they roll.
        for (std::size_t i = poses > 0.0 ? 1 : 0; i < exact.size(); ++i)
          EXPECT_NEAR(limits[i], exact[i], 0.02 * exact[i] + 1e-4) << i << ", " << balls;
        EXPECT_GT(exact[0], 1.0);
        if (balls == 2) EXPECT_LT(exact[1], 1e-4);  // both roll together
      }
    }
  }
}

TEST(RollingGroups, BallsThatWouldRollFartherFall) {
  // 0.1 rad: the rest would be 10 mm away, half a facet is 4 mm. (Three hold each other by friction.)
  EXPECT_EQ(contact_forces(balls_in_hollow(2, 1e-4, 0.0, 7, 0.1)).status, ContactForcesStatus::unstable);
}

// A ball on two fixed ones, over the line through both contacts and beside it; on two rails that are level, and that are not.
TEST(RollingGroups, WhereRollingDoesNotRestoreRoundingAloneIsForgiven) {
  const double h = 0.04 * std::sqrt(3.0);
  const auto on_two = [&](double aside) {
    return rolling_scene("", ball_body("a", {-0.04, 0, 0}, 0.04, false) +
                                 ball_body("b", {0.04, 0, 0}, 0.04, false) +
                                 ball_body("c", {0, aside, std::sqrt(h * h - aside * aside)}, 0.04));
  };
  EXPECT_EQ(contact_forces(on_two(0.0)).status, ContactForcesStatus::stable);
  EXPECT_EQ(contact_forces(on_two(1e-8)).status, ContactForcesStatus::stable);
  EXPECT_EQ(contact_forces(on_two(1e-5)).status, ContactForcesStatus::unstable);
  const auto on_rails = [&](double tilt) {
    const std::string rail =
        "<geom type=\"capsule\" size=\"0.01 0.3\" quat=\"1 1 0 0\" friction=\"0.6\" pos=\"";
    const double side = 0.02, r = 0.03;
    return rolling_scene("",
                         "<body name=\"rails\">" + rail + "-0.02 0 0\"/>" + rail + "0.02 0 0\"/></body>" +
                             ball_body("c", {0, 0, std::sqrt((r + 0.01) * (r + 0.01) - side * side)}, r),
                         tilt);
  };
  EXPECT_EQ(contact_forces(on_rails(0.0)).status, ContactForcesStatus::stable);
  EXPECT_EQ(contact_forces(on_rails(0.1 * math::kDegree)).status, ContactForcesStatus::unstable);
}

}  // namespace
}  // namespace prehend::stability
