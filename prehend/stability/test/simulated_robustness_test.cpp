#include <generated/benchmark_scenes.h>
#include <generated/table_4_1_truth.h>
#include <gtest/gtest.h>

#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using model::BodyIndex;

RobustnessOptions options_for(int steps = RobustnessOptions{}.simulate_steps) {
  RobustnessOptions options;
  options.method = Method::simulate;
  options.simulate_steps = steps;
  return options;
}

TEST(SimulatedRobustness, CubeSlidesTopplesAndTurns) {
  const model::Scene scene = cube_scene();
  const ContactSystem system = build_contact_system(scene);
  const BodyIndex cube(1);
  const std::vector<Push> pushes{{cube, {-0.05, 0, 0.02}, Vector3d::UnitX()},
                                 {cube, {-0.05, 0, 0.09}, Vector3d::UnitX()},
                                 {cube, {0.04, -0.05, 0.03}, Vector3d::UnitY()},
                                 {cube, {0.01, 0.02, 0.1}, -Vector3d::UnitZ()}};
  const std::vector<PushAnswer> answers = simulated_robustness(scene, system, pushes, options_for());
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    ASSERT_EQ(answers[k].status, AnswerStatus::ok) << answers[k].note;
    EXPECT_FALSE(answers[k].unbounded);
    // Soft contacts, a finite wait, an energy threshold: a few per cent.
    EXPECT_NEAR(answers[k].robustness / cube_stack_limit(scene, pushes[k]), 1.0, 0.04) << i;
    EXPECT_TRUE(std::isnan(answers[k].lower)) << "a simulation proves nothing";
  }
  EXPECT_TRUE(answers[3].unbounded);
  EXPECT_NE(answers[3].note.find("nothing moved at"), std::string::npos);
  // The source's single step a round does not converge here.
  const std::vector<PushAnswer> one_step =
      simulated_robustness(scene, system, {&pushes[0], 1}, options_for(1));
  EXPECT_GT(one_step[0].robustness / cube_stack_limit(scene, pushes[0]), 1.5);
}

TEST(SimulatedRobustness, SameForAnyNumberOfThreads) {
  const model::Scene scene = cube_scene();
  const ContactSystem system = build_contact_system(scene);
  std::vector<Push> pushes;
  for (int i = 0; i < 20; ++i)
    pushes.push_back({BodyIndex(1), {-0.05, 0.002 * i, 0.003 * i}, Vector3d::UnitX()});
  RobustnessOptions options = options_for(50);
  options.simulate_rounds = 8;
  const std::vector<PushAnswer> one = simulated_robustness(scene, system, pushes, options);
  options.threads = 2;
  const std::vector<PushAnswer> two = simulated_robustness(scene, system, pushes, options);
  for (std::size_t i = 0; i < pushes.size(); ++i) EXPECT_EQ(one[i].robustness, two[i].robustness);
}

TEST(SimulatedRobustness, WhatSlidesByItselfIsUnstable) {
  model::Scene scene = cube_scene();
  scene.gravity_W = {9.0, 0, -9.81};
  const ContactSystem system = build_contact_system(scene);
  const Push push{BodyIndex(1), {-0.05, 0, 0.02}, Vector3d::UnitX()};
  const std::vector<PushAnswer> answers = simulated_robustness(scene, system, {&push, 1}, options_for());
  EXPECT_EQ(answers[0].status, AnswerStatus::unstable);
  EXPECT_NE(answers[0].note.find("does not come to rest"), std::string::npos);
}

}  // namespace
}  // namespace prehend::stability
