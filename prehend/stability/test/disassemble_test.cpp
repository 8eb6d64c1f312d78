#include <cmath>

#include <generated/benchmark_scenes.h>
#include <gtest/gtest.h>

#include "random_scenes.h"
#include <prehend/stability/disassemble.h>
#include <prehend/stability/limit/lift_limits.h>

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

// In a lift all weights are larger by one factor; on ground that moves off sideways the top one is still the one to take.
TEST(Disassemble, WeightsAreTheApparentOnes) {
  const model::Scene stack = cube_stack_scene(3);
  DisassembleOptions options;
  options.system.acceleration_W = {0, 0, 3};
  const DisassembleResult lifted = disassemble(stack, options);
  EXPECT_EQ(order_text(stack, lifted), "cube3 cube2 cube1 ") << lifted.brief_report();
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(lifted.steps[0].candidates[static_cast<std::size_t>(i)].score, 3 - i, 1e-3 * (3 - i));
  options.system.acceleration_W = {0.6, -0.3, 0};
  EXPECT_EQ(order_text(stack, disassemble(stack, options)), "cube3 cube2 cube1 ");
  options.system.acceleration_W = stack.gravity_W;
  EXPECT_EQ(disassemble(stack, options).status, DisassembleStatus::undetermined);
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

// What was proven before a body was taken is proven again for the rest; the general solver asks everything anew.
void expect_as_if_asked_anew(const model::Scene& scene) {
  DisassembleOptions anew;
  anew.limit.general_only = true;
  const DisassembleResult kept = disassemble(scene), asked = disassemble(scene, anew);
  ASSERT_EQ(kept.status, asked.status) << scene.name;
  ASSERT_EQ(order_text(scene, kept), order_text(scene, asked)) << scene.name;
  for (std::size_t s = 0; s < asked.steps.size(); ++s) {
    ASSERT_EQ(kept.steps[s].candidates.size(), asked.steps[s].candidates.size());
    for (std::size_t c = 0; c < asked.steps[s].candidates.size(); ++c) {
      const DisassembleCandidate &a = kept.steps[s].candidates[c], &b = asked.steps[s].candidates[c];
      ASSERT_EQ(a.body, b.body);
      EXPECT_EQ(a.is_free, b.is_free) << scene.name << " step " << s << " body " << c << " " << a.score;
      ASSERT_EQ(std::isinf(a.score), std::isinf(b.score));
      if (!std::isinf(b.score)) {
        EXPECT_NEAR(a.score, b.score, 1e-4 * b.score);  // the accuracy of limits
      }
    }
  }
}

TEST(Disassemble, KeptProofsAnswerAsIfAskedAnew) {
  expect_as_if_asked_anew(wall_scene(24));
  expect_as_if_asked_anew(pile_scene(15));
  expect_as_if_asked_anew(pile_scene(15, 7));
  for (std::uint64_t seed = 8100; seed < 8120; ++seed)
    expect_as_if_asked_anew(box_scenes::random_scene(seed).scene);
}

TEST(LiftLimits, SolvesOnlyWhatABodyThatIsGoneChanged) {
  model::Scene scene = wall_scene(30);
  const auto lifting = [&](const ContactSystem& system) {
    std::vector<Load> loads;
    for (NodeIndex b(0); b < system.bodies.size(); ++b) {
      const SystemBody& body = system.bodies[b];
      loads.push_back({{b, -system.force_wrench(body.mass * system.gravity_W, body.com_W)}});
    }
    return loads;
  };
  const ContactSystem whole = build_contact_system(scene);
  const auto limits = LiftLimits::create(whole, {});
  ASSERT_NE(limits, nullptr);
  limits->ask(lifting(whole));
  EXPECT_EQ(limits->solved(), 30);
  // The last brick lies at the end of the highest course; the first carries the wall.
  EXPECT_TRUE(limits->rest_without(NodeIndex(29)));
  scene.bodies.pop_back();
  const ContactSystem rest = build_contact_system(scene);
  const auto left = limits->of_rest(rest);
  ASSERT_NE(left, nullptr);
  const std::vector<Load> loads = lifting(rest);
  const auto answers = left->ask(loads);
  EXPECT_LT(left->solved(), 20);
  const LimitAnalysis anew(rest, {.keep_proofs = false});
  for (std::size_t i = 0; i < loads.size(); ++i) {
    ASSERT_TRUE(answers[i]);
    const PushAnswer single = anew.ask(loads[i]);
    EXPECT_LE(answers[i]->lower, single.upper * (1 + 1e-9));
    EXPECT_GE(answers[i]->upper, single.lower * (1 - 1e-9));
    EXPECT_LE(answers[i]->upper, answers[i]->lower * (1 + 1.001e-4));
  }
}

// A cantilever held by a counterweight falls without it: no proof, and the body is not free.
TEST(LiftLimits, NoProofWhereTheRestFalls) {
  const model::Scene scene = disassembly_scene();
  const ContactSystem system = build_contact_system(scene);
  const auto limits = LiftLimits::create(system, {});
  if (!limits) GTEST_SKIP() << "no interior";
  std::vector<Load> loads;
  for (NodeIndex b(0); b < system.bodies.size(); ++b) {
    const SystemBody& body = system.bodies[b];
    loads.push_back({{b, -system.force_wrench(body.mass * system.gravity_W, body.com_W)}});
  }
  limits->ask(loads);
  EXPECT_FALSE(limits->rest_without(system.node_of_body[scene.find_body("D")]));
}

}  // namespace
}  // namespace prehend::stability
