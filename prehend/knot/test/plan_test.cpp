#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/knot/plan.h>
#include <prehend/knot/test/reachable_states.h>

namespace prehend::knot {
namespace {

void expect_plan_ties(const KnotPlan& plan, const PData& wanted) {
  ASSERT_EQ(plan.states.size(), plan.moves.size() + 1);
  EXPECT_EQ(plan.states.front(), PData{});
  EXPECT_EQ(plan.states.back(), wanted);
  for (std::size_t k = 0; k < plan.moves.size(); ++k)
    ASSERT_EQ(apply(plan.states[k], plan.moves[k]), plan.states[k + 1]);
}

TEST(Plan, StraightRopeAndTrefoil) {
  EXPECT_TRUE(plan_knot({}).moves.empty());
  EXPECT_TRUE(plan_knot({}).proven_shortest);
  const PData trefoil{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}};
  const KnotPlan plan = plan_knot(trefoil);
  expect_plan_ties(plan, trefoil);
  EXPECT_EQ(plan.moves.size(), 3U);  // three crossings of one sign: no R2 can help
  EXPECT_TRUE(plan.proven_shortest);
  EXPECT_NE(plan.brief_report().find("no shorter sequence exists"), std::string::npos);
}

TEST(Plan, ShortestAgainstPlainBreadthFirst) {
  const std::vector<ReachedState> near = reachable_states(3, 6);
  for (std::size_t k = 0; k < near.size(); k += k < 200 ? 1 : 499) {
    const KnotPlan plan = plan_knot(near[k].state);
    expect_plan_ties(plan, near[k].state);
    ASSERT_TRUE(plan.proven_shortest);
    ASSERT_EQ(static_cast<int>(plan.moves.size()), near[k].depth) << to_text(near[k].state);
  }
}

TEST(Plan, LargeStatesStillGetAPlan) {
  math::RandomStream random(11);
  PData state;
  while (state.crossings() < 30) state = random_state(random, 25, 30);
  const KnotPlan plan = plan_knot(state, {.max_states = 2000});
  expect_plan_ties(plan, state);
  EXPECT_LE(plan.lower_bound, static_cast<int>(plan.moves.size()));
  EXPECT_LE(plan.moves.size(), 30U);  // drawing an end back through every crossing always works
}

TEST(Plan, BadInputIsNamed) {
  EXPECT_THROW(plan_knot({{1, 2}, {1, 2}}), std::invalid_argument);
  EXPECT_THROW(plan_knot({}, {.beam_width = 0}), std::invalid_argument);
  EXPECT_THROW(plan_knot({}, {.max_states = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::knot
