#include <gtest/gtest.h>

#include "contact_scenes.h"
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

using namespace box_scenes;

TEST(PushesTogether, ShareWhatOneWouldHave) {
  model::Scene scene;
  add_floor(scene, 0.5);
  const auto cube =
      add_box(scene, {.name = "cube", .X_WB = math::Pose::translation({0, 0, 0.5}), .mass = 2.0});
  const double slip = 0.5 * 2.0 * 9.81;
  RobustnessOptions options;
  options.together = true;
  // Lengths 1 and 3 along one line: a quarter and three quarters.
  std::vector<Push> pushes{{cube, {-0.5, 0, 0.1}, {1, 0, 0}}, {cube, {-0.5, 0, 0.1}, {3, 0, 0}}};
  RobustnessResult result = robustness(scene, pushes, options);
  ASSERT_EQ(result.answers.size(), 2u);
  EXPECT_NEAR(result.answers[0].robustness, 0.25 * slip, 1e-3);
  EXPECT_NEAR(result.answers[1].robustness, 0.75 * slip, 1e-3);
  // Against each other they only squeeze.
  pushes[1] = {cube, {0.5, 0, 0.1}, {-1, 0, 0}};
  result = robustness(scene, pushes, options);
  EXPECT_TRUE(result.answers[0].unbounded);
  // A pair of forces turns the cube: corners slide on a circle of radius sqrt(1/2), each with a quarter of the friction.
  pushes[0] = {cube, {-0.5, 0.5, 0.1}, {1, 0, 0}};
  pushes[1] = {cube, {0.5, -0.5, 0.1}, {-1, 0, 0}};
  result = robustness(scene, pushes, options);
  EXPECT_NEAR(result.answers[0].robustness, slip * std::sqrt(0.5), 1e-3);
  options.method = Method::graph;
  EXPECT_THROW(robustness(scene, pushes, options), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::stability
