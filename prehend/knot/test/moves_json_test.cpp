#include <map>
#include <string>

#include <gtest/gtest.h>

#include <prehend/knot/moves_json.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/plan.h>
#include <prehend/knot/recognition.h>
#include <prehend/model/input_error.h>

namespace prehend::knot {
namespace {

std::string text(const Move& move) {
  model::JsonWriter json;
  write_json(json, move);
  return json.text();
}

TEST(MovesJson, TheDesignsForms) {
  EXPECT_EQ(text({MoveKind::r1, true, RopeEnd::none, {3, 0, 0}, true, false, -1}),
            R"({"move":"R1","adds":true,"end":null,"parameters":{"segment":3,"attr":[1,2]},"sign":-1})");
  EXPECT_EQ(text({MoveKind::r1, false, RopeEnd::none, {3, 0, 0}, false, false, 1}),
            R"({"move":"R1","adds":false,"end":null,"parameters":{"segment":3,"attr":[4,3]},"sign":1})");
  EXPECT_EQ(
      text({MoveKind::r2, true, RopeEnd::none, {3, 6, 0}, false, true, 1}),
      R"({"move":"R2","adds":true,"end":null,"parameters":{"segments":[3,6],"over":"second","same_direction":true},"sign":1})");
  EXPECT_EQ(text({MoveKind::r3, false, RopeEnd::none, {3, 8, 5}, false, false, 0}),
            R"({"move":"R3","adds":false,"end":null,"parameters":{"segments":[3,8,5]},"sign":null})");
  EXPECT_EQ(text({MoveKind::cross, true, RopeEnd::last, {2, 0, 0}, true, false, 1}),
            R"({"move":"cross","adds":true,"end":"last","parameters":{"segment":2,"over":true},"sign":1})");
}

TEST(MovesJson, SequencesAndPlans) {
  const PData loop{{2, 1}, {1, 2}};
  const std::string sequence = recognise(std::vector<PData>{{}, loop}).to_json();
  EXPECT_EQ(
      sequence.find(
          R"({"status":"ok","first_swapped":false,"swaps":0,"transitions":[{"swapped":false,"status":"ok","moves":1,"candidates":[{"move":"R1")"),
      0U)
      << sequence;
  EXPECT_NE(sequence.find(R"("between":[])"), std::string::npos);
  const std::string plan = plan_knot(loop).to_json();
  EXPECT_NE(
      plan.find(R"("states":[{"sigma":[],"attr":[]},{"sigma":[2,1],"attr":[1,2]}],"proven_shortest":true)"),
      std::string::npos)
      << plan;
}

// The parameters alone do not always tell the state after the move; with the sign they do.
TEST(MovesJson, EveryMoveCanBeMadeAgainFromItsJson) {
  int shared = 0;
  for (const NamedKnot& knot : named_knots()) {
    for (const PData& state : knot.tying_states) {
      std::map<std::string, PData> by_parameters;
      for (const Move& move : all_moves(state)) {
        const std::string json = text(move);
        EXPECT_EQ(parse_move(json, "move"), move) << json;
        const PData after = apply(state, move);
        const auto [at, is_new] = by_parameters.try_emplace(json.substr(0, json.find(",\"sign\"")), after);
        shared += !is_new && at->second != after ? 1 : 0;
      }
    }
  }
  EXPECT_GT(shared, 0);
}

TEST(MovesJson, PlansAreFollowedFromTheirJsonAlone) {
  for (const NamedKnot& knot : named_knots()) {
    PData state;
    for (const Move& move : parse_moves(plan_knot(knot.p_data).to_json(), "plan")) state = apply(state, move);
    EXPECT_EQ(state, knot.p_data) << knot.name;
  }
}

TEST(MovesJson, WrongMovesAreNamed) {
  const auto complaint = [](const std::string& json) -> std::string {
    try {
      parse_move(json, "move.json");
    } catch (const model::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("{\n\"move\":\"R4\",\"adds\":true,\"parameters\":{}}"),
            "move.json:2: error: 'move' is 'R4'; it must be 'R1' or 'R2' or 'R3' or 'cross'");
  EXPECT_NE(complaint(R"({"move":"cross","adds":true,"end":"first","parameters":{"segment":2,"over":true}})")
                .find("there is no 'sign'"),
            std::string::npos);
  EXPECT_NE(
      complaint(R"({"move":"cross","adds":true,"end":null,"parameters":{"segment":2,"over":true},"sign":1})")
          .find("'end' is null; it must be 'first' or 'last'"),
      std::string::npos);
  EXPECT_NE(
      complaint(
          R"({"move":"R2","adds":true,"parameters":{"segments":[1],"over":"first","same_direction":true}})")
          .find("'segments' has 1 numbers; it must have 2"),
      std::string::npos);
  EXPECT_NE(
      complaint(R"({"move":"R1","adds":true,"parameters":{"segment":1,"attr":[1,3]}})").find("[1,2], [2,1]"),
      std::string::npos);
  EXPECT_NE(complaint(R"({"move":"R1","adds":true,"parameters":{"segment":0,"attr":[1,2]}})")
                .find("'segment' is 0; it must be between 1 and"),
            std::string::npos);
  EXPECT_NE(complaint("[]").find("expected an object"), std::string::npos);
}

}  // namespace
}  // namespace prehend::knot
