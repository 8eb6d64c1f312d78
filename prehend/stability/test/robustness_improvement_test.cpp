#include <cmath>

#include <gtest/gtest.h>

#include "graph_scenes.h"
#include <prehend/stability/robustness_improvement.h>
#include <prehend/stability/statics/force_distribution.h>
#include <prehend/stability/test/unit_weight.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

RobustnessImprovement improvement(const model::Scene& scene, const std::string& body, const Vector3d& p,
                                  const Vector3d& d, double at = 0.0) {
  return robustness_improvement(scene, build_contact_system(scene), {scene.find_body(body), p, d}, at);
}

TEST(RobustnessImprovement, PressingOnACubeHelpsLiftingHurts) {
  const model::Scene scene = graph_scenes::cubes(1, 0.5);
  const RobustnessImprovement down = improvement(scene, "cube0", {0, 0, 1}, {0, 0, -1});
  ASSERT_EQ(down.status, AnswerStatus::ok);
  EXPECT_NEAR(down.slip, 4 * 0.5, 1e-9);  // mu at each of four corners
  // Four edges, torque W/2, arm 1/2 against the turn: -2 (W/2)(-1/2) each. Spinning is not touched.
  EXPECT_NEAR(down.topple, 4 * 0.5 * kWeight, 1e-6);
  const RobustnessImprovement up = improvement(scene, "cube0", {0, 0, 1}, {0, 0, 1});
  EXPECT_NEAR(up.slip, -down.slip, 1e-9);
  EXPECT_NEAR(up.topple, -down.topple, 1e-6);
  const RobustnessImprovement aside = improvement(scene, "cube0", {-0.5, 0, 0.5}, {1, 0, 0});
  EXPECT_NEAR(aside.slip, -4.0, 1e-9);
}

// (4.43) is the derivative of (4.41): by differences in the force.
TEST(RobustnessImprovement, ToppleIsTheSlopeOfTheSquaredMargins) {
  const model::Scene scene = graph_scenes::cubes(2, 0.5);
  const Vector3d p(0.2, 0.1, 2), d(0.1, 0.2, -1);
  const double h = 1e-3;
  const double at0 = improvement(scene, "cube1", p, d, 1.0).topple,
               at1 = improvement(scene, "cube1", p, d, 1.0 + h).topple,
               at2 = improvement(scene, "cube1", p, d, 1.0 + 2 * h).topple;
  EXPECT_NEAR(at2 - at1, at1 - at0, 1e-9);  // linear in the force, with a positive factor: sum of 2 tau_e^2
  EXPECT_GT(at1, at0);
}

// (4.27) against differences of the contact condition, where the slope loads the contacts along the face.
TEST(RobustnessImprovement, SlipIsTheSlopeOfTheContactCondition) {
  graph_scenes::SceneBuilder builder(0.8);
  builder.frame = math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(0.2, Vector3d::UnitY())));
  builder.add_floor();
  builder.add("box", {1, 1, 0.4}, {0, 0, 0.2}, 1.0);
  const ContactSystem system = build_contact_system(builder.scene);
  const ForceDistribution resting = least_cone_forces(system);
  const Vector3d d = Vector3d(0.3, 0.5, -0.4).normalized(), p = builder.frame * Vector3d(0, 0, 0.4);
  const auto condition = [&](double s) {
    double sum = 0.0;
    for (std::size_t k = 0; k < system.contacts.size(); ++k) {
      const Vector3d f =
          resting.forces_W[k] - s * d;  // the box is body b: its contacts' force loses the push
      const double f_n = f.dot(system.contacts[k].n_W());
      sum += system.contacts[k].mu * f_n - (f - f_n * system.contacts[k].n_W()).norm();
    }
    return sum;
  };
  ASSERT_TRUE(system.contacts[0].b.is_valid());
  for (const double at : {0.0, 0.4}) {
    const double h = 1e-5, slope = (condition(at + h) - condition(at)) / h;
    EXPECT_NEAR(improvement(builder.scene, "box", p, d, at).slip, slope, 1e-3);
  }
}

TEST(RobustnessImprovement, OnlyInterfacesOnTheWayToTheGroundCount) {
  const model::Scene scene = graph_scenes::cubes(3, 0.5);
  EXPECT_NEAR(improvement(scene, "cube0", {0, 0, 1}, {0, 0, -1}).slip, 4 * 0.5, 1e-9);
  EXPECT_NEAR(improvement(scene, "cube2", {0, 0, 3}, {0, 0, -1}).slip, 12 * 0.5, 1e-9);
}

TEST(RobustnessImprovement, BadInput) {
  const model::Scene scene = graph_scenes::cubes(1, 0.5);
  EXPECT_THROW(improvement(scene, "cube0", {0, 0, 1}, {0, 0, -1}, -1.0), std::invalid_argument);
  EXPECT_THROW(improvement(scene, "floor", {0, 0, 0}, {0, 0, -1}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::stability
