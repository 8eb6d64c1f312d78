#include <gtest/gtest.h>

#include <prehend/simulate/settle.h>
#include <prehend/simulate/test/test_scenes.h>

namespace prehend::simulate {
namespace {

TEST(Settle, StackStaysWhereItIs) {
  model::Scene scene;
  add_floor(scene);
  for (int i = 0; i < 3; ++i) {
    add_box(scene, "box" + std::to_string(i), 1.0, {0.1, 0.1, 0.1},
            math::Pose::translation({0, 0, 0.05 + 0.1 * i}));
  }
  const SettleResult result = settle(scene);
  EXPECT_EQ(result.status, SettleStatus::settled) << result.brief_report();
  ASSERT_EQ(result.motions.size(), 3u);
  for (const BodyMotion& motion : result.motions) {
    EXPECT_LT(motion.distance, 1e-3);
    EXPECT_LT(motion.angle, 1e-3);
  }
}

TEST(Settle, DroppedBoxLandsOnTheFloor) {
  model::Scene scene;
  add_floor(scene);
  const model::BodyIndex box =
      add_box(scene, "box", 1.0, {0.1, 0.1, 0.1}, math::Pose::translation({0, 0, 0.2}));
  const SettleResult result = settle(scene);
  EXPECT_EQ(result.status, SettleStatus::settled) << result.brief_report();
  EXPECT_NEAR(result.scene.bodies[box].X_WB.p().z(), 0.05, 1e-3);
}

TEST(Settle, NothingBelowIsAFallAndNamesTheBody) {
  model::Scene scene;
  add_box(scene, "lonely", 1.0, {0.1, 0.1, 0.1}, {});
  const SettleResult result = settle(scene);
  EXPECT_EQ(result.status, SettleStatus::fell);
  EXPECT_EQ(result.message, "body 'lonely' falls out of the scene");
}

TEST(Settle, ASlidingBlockDoesNotComeToRest) {
  model::Scene scene;
  add_floor(scene, 0.1, tilted(0.3));
  add_box(scene, "sledge", 1.0, {0.1, 0.1, 0.05}, tilted(0.3) * math::Pose::translation({-4, 0, 0.025}), 0.1);
  SettleOptions options;
  options.max_time = 0.5;
  const SettleResult result = settle(scene, options);
  EXPECT_EQ(result.status, SettleStatus::still_moving);
  EXPECT_EQ(result.message, "body 'sledge' does not come to rest");
}

}  // namespace
}  // namespace prehend::simulate
