#include <gtest/gtest.h>

#include <prehend/knot/moves_json.h>

namespace prehend::knot {
namespace {

std::string text(const Move& move) {
  model::JsonWriter json;
  write_json(json, move);
  return json.text();
}

TEST(MovesJson, TheDesignsForms) {
  EXPECT_EQ(text({MoveKind::r1, true, RopeEnd::none, {3, 0, 0}, true, false, -1}),
            R"({"move":"R1","adds":true,"end":null,"parameters":{"segment":3,"attr":[1,2]}})");
  EXPECT_EQ(text({MoveKind::r1, false, RopeEnd::none, {3, 0, 0}, false, false, 1}),
            R"({"move":"R1","adds":false,"end":null,"parameters":{"segment":3,"attr":[4,3]}})");
  EXPECT_EQ(
      text({MoveKind::r2, true, RopeEnd::none, {3, 6, 0}, false, true, 1}),
      R"({"move":"R2","adds":true,"end":null,"parameters":{"segments":[3,6],"over":"second","same_direction":true}})");
  EXPECT_EQ(text({MoveKind::r3, false, RopeEnd::none, {3, 8, 5}, false, false, 0}),
            R"({"move":"R3","adds":false,"end":null,"parameters":{"segments":[3,8,5]}})");
  EXPECT_EQ(text({MoveKind::cross, true, RopeEnd::last, {2, 0, 0}, true, false, 1}),
            R"({"move":"cross","adds":true,"end":"last","parameters":{"segment":2,"over":true}})");
}

TEST(MovesJson, SequencesAndPlans) {
  const PData loop{{2, 1}, {1, 2}};
  const std::string sequence = to_json(recognise(std::vector<PData>{{}, loop}));
  EXPECT_EQ(
      sequence.find(
          R"({"first_swapped":false,"swaps":0,"transitions":[{"swapped":false,"status":"found","moves":1,"candidates":[{"move":"R1")"),
      0U)
      << sequence;
  EXPECT_NE(sequence.find(R"("between":[])"), std::string::npos);
  const std::string plan = to_json(plan_knot(loop));
  EXPECT_NE(
      plan.find(R"("states":[{"sigma":[],"attr":[]},{"sigma":[2,1],"attr":[1,2]}],"proven_shortest":true)"),
      std::string::npos)
      << plan;
}

}  // namespace
}  // namespace prehend::knot
