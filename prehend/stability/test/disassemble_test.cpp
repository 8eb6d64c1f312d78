#include <generated/benchmark_scenes.h>
#include <gtest/gtest.h>

#include <prehend/stability/disassemble.h>

namespace prehend::stability {
namespace {

std::string order_text(const model::Scene& scene, const DisassembleResult& result) {
  std::string text;
  for (const model::BodyIndex b : result.order) text += scene.bodies[b].name + " ";
  return text;
}

TEST(Disassemble, BalancedPlank) {
  const model::Scene scene = disassembly_scene();
  const DisassembleResult result = disassemble(scene);
  ASSERT_EQ(result.status, DisassembleStatus::ok) << result.note;
  EXPECT_EQ(order_text(scene, result), "C D B A ");
  // By hand: lifting D by s weights lets C tip the plank about the post's edge when 0.10 = 0.05 + (1 - s) 0.13.
  EXPECT_NEAR(result.steps[0].candidates[3].score, 1 - 0.05 / 0.13, 1e-3);
  EXPECT_NEAR(result.steps[0].candidates[2].score, 1.0, 1e-3);
  EXPECT_GT(result.steps[0].candidates[1].score, 1.5);
  EXPECT_FALSE(result.steps[0].candidates[3].is_free);
}

TEST(Disassemble, StackFromTheTopAndTwinsByName) {
  const model::Scene stack = cube_stack_scene(4);
  EXPECT_EQ(order_text(stack, disassemble(stack)), "cube4 cube3 cube2 cube1 ");
  // In a stack a lower cube is lifted together with all above it: its score counts them.
  const DisassembleResult result = disassemble(stack);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(result.steps[0].candidates[static_cast<std::size_t>(i)].score, 4 - i, 1e-3 * (4 - i));
  }
  const model::Scene table = table_scene();
  EXPECT_EQ(order_text(table, disassemble(table)), "slab leg1 leg2 ");
}

TEST(Disassemble, HighestFirstThenByName) {
  model::Scene scene = cube_stack_scene(3);
  scene.bodies[3].X_WB = math::Pose::translation({0.3, 0, 0.05});  // beside the others: cube2 is the highest
  EXPECT_EQ(order_text(scene, disassemble(scene)), "cube2 cube1 cube3 ");
  scene.bodies[3].name = "another";
  EXPECT_EQ(order_text(scene, disassemble(scene)), "cube2 another cube1 ");
}

// Two blocks far out on both sides of the plank: lifting either lets the other tip it.
TEST(Disassemble, SaysWhenNothingMayGo) {
  model::Scene scene = disassembly_scene();
  scene.bodies[scene.find_body("D")].X_WB = math::Pose::translation({-0.15, 0, 0.25});
  const DisassembleResult result = disassemble(scene);
  EXPECT_EQ(result.status, DisassembleStatus::incomplete) << result.brief_report();
  EXPECT_TRUE(result.order.empty());
  ASSERT_EQ(result.steps.size(), 1u);
  EXPECT_FALSE(result.steps[0].removed.is_valid());
  EXPECT_NE(result.brief_report().find("none of the bodies left"), std::string::npos);
  EXPECT_NE(result.to_json().find("\"removed\":null"), std::string::npos);
}

TEST(Disassemble, NoGravityNoAnswer) {
  model::Scene scene = cube_scene();
  scene.gravity_W.setZero();
  EXPECT_EQ(disassemble(scene).status, DisassembleStatus::undetermined);
  scene.gravity_W = {9.0, 0, -9.81};
  EXPECT_EQ(disassemble(scene).status, DisassembleStatus::unstable);
  DisassembleOptions options;
  options.tolerance = 0.0;
  EXPECT_THROW(disassemble(scene, options), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::stability
