#include <cmath>

#include <gtest/gtest.h>

#include "random_scenes.h"
#include <prehend/stability/margins.h>

namespace prehend::stability {
namespace {

using namespace box_scenes;
using Eigen::Vector3d;

TEST(Margins, CubeByHand) {
  model::Scene scene;
  add_floor(scene, 0.5);
  const auto cube =
      add_box(scene, {.name = "cube", .X_WB = math::Pose::translation({0, 0, 0.5}), .mass = 2.0});
  const ContactSystem system = build_contact_system(scene);
  const double weight = 2 * 9.81;
  const std::vector<Load> loads{push_load(scene, system, {cube, {-0.5, 0, 0.1}, {1, 0, 0}}),
                                push_load(scene, system, {cube, {-0.5, 0, 1.0}, {1, 0, 0}})};
  GuaranteedLimits limits = guaranteed_limits(system, loads, {.friction = 0.1});
  ASSERT_EQ(limits.status, MarginStatus::ok);
  EXPECT_NEAR(limits.limits[0], 0.45 * weight, 1e-3);
  limits = guaranteed_limits(system, loads, {.mass = 0.2});
  EXPECT_TRUE(limits.ambiguous.empty());
  EXPECT_NEAR(limits.limits[0], 0.8 * 0.5 * weight, 1e-3);
  limits = guaranteed_limits(system, loads, {.position = 0.05});
  EXPECT_NEAR(limits.limits[0], 0.5 * weight, 2e-3);   // slipping does not mind
  EXPECT_NEAR(limits.limits[1], 0.45 * weight, 2e-3);  // toppling about an edge 5 cm further in
  EXPECT_EQ(guaranteed_limits(system, loads, {.position = 0.6}).status, MarginStatus::may_fall);
  EXPECT_THROW(guaranteed_limits(system, loads, {.mass = 1.5}), std::invalid_argument);
}

// A plank on a post, held by counterweights on both ends: each may help or hurt.
TEST(Margins, CounterweightsAreTriedAtBothEnds) {
  model::Scene scene;
  add_floor(scene, 0.6);
  add_box(scene, {.name = "post",
                  .size = {0.2, 0.2, 1.0},
                  .X_WB = math::Pose::translation({0, 0, 0.5}),
                  .movable = false});
  const auto plank = add_box(
      scene, {.name = "plank", .size = {2.0, 0.2, 0.1}, .X_WB = math::Pose::translation({0, 0, 1.05})});
  add_box(scene, {.name = "left", .size = {0.2, 0.2, 0.2}, .X_WB = math::Pose::translation({-0.8, 0, 1.2})});
  add_box(scene, {.name = "right", .size = {0.2, 0.2, 0.2}, .X_WB = math::Pose::translation({0.8, 0, 1.2})});
  const ContactSystem system = build_contact_system(scene);
  const std::vector<Load> loads{push_load(scene, system, {plank, {0.5, 0, 1.1}, {0, 0, -1}})};
  const GuaranteedLimits limits = guaranteed_limits(system, loads, {.mass = 0.05});
  ASSERT_EQ(limits.status, MarginStatus::ok) << limits.note;
  EXPECT_EQ(limits.ambiguous.size(), 2u);
  EXPECT_EQ(limits.combinations, 4);
  // Moments about the post's edge at x = 0.1, plank lightest, left light, right heavy:
  // 0.95 * 0.1 + 0.95 * 0.9 - 1.05 * 0.7 = R * 0.4 (in weights of 1 kg).
  EXPECT_NEAR(limits.limits[0], 9.81 * (0.95 * 0.1 + 0.95 * 0.9 - 1.05 * 0.7) / 0.4, 5e-3);
  EXPECT_EQ(guaranteed_limits(system, loads, {.mass = 0.3}).status, MarginStatus::may_fall);
}

// No combination inside the intervals goes below the guarantee.
TEST(Margins, HoldsForRandomCombinations) {
  int tried = 0;
  for (std::uint64_t seed = 7000; seed < 7120; ++seed) {
    const RandomScene made = random_scene(seed);
    const ContactSystem system = build_contact_system(made.scene);
    if (LimitAnalysis(system).stability() != Stability::stable) continue;
    math::RandomStream random(seed, 2);
    const Push push = random_push(made, random);
    const std::vector<Load> loads{push_load(made.scene, system, push)};
    const MarginOptions margins{.friction = 0.1, .mass = 0.1, .position = 0.003};
    const GuaranteedLimits limits = guaranteed_limits(system, loads, margins);
    if (limits.status != MarginStatus::ok) continue;
    for (int i = 0; i < 5; ++i) {
      ++tried;
      ContactSystem other = narrowed_system(system, {.friction = random.uniform(0, margins.friction),
                                                     .position = random.uniform(0, margins.position)});
      for (SystemBody& body : other.bodies) body.mass *= random.uniform(0.9, 1.1);
      EXPECT_GE(LimitAnalysis(other).ask(loads[0]).upper, limits.limits[0] * (1 - 1e-6)) << seed;
    }
  }
  EXPECT_GT(tried, 100);
}

}  // namespace
}  // namespace prehend::stability
