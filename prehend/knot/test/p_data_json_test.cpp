#include <gtest/gtest.h>

#include <prehend/knot/p_data_json.h>
#include <prehend/knot/test/random_code.h>
#include <prehend/model/input_error.h>

namespace prehend::knot {
namespace {

std::string message_of(const std::string& text, bool sequence = false) {
  try {
    if (sequence) {
      parse_p_data_sequence(text, "p.json");
    } else {
      parse_p_data(text, "p.json");
    }
  } catch (const model::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PDataJson, ReadsBackWhatItWrites) {
  math::RandomStream random(5);
  std::vector<PData> states;
  for (int i = 0; i < 50; ++i) {
    states.push_back(random_code(static_cast<int>(random.below(20)), random));
    EXPECT_EQ(parse_p_data(to_json(states.back()), "x"), states.back());
  }
  EXPECT_EQ(parse_p_data_sequence(to_json(states), "x"), states);
  EXPECT_EQ(to_json(PData{{2, 1}, {1, 2}}), R"({"sigma":[2,1],"attr":[1,2]})");
}

TEST(PDataJson, ReadsTheAnswerOfKnotRead) {
  const std::string answer = R"({"verb":"knot read","view":[0,0,-1],"frames":[
    {"frame":0,"p_data":{"sigma":[],"attr":[]},"crossings":0},
    {"frame":1,"p_data":{"sigma":[2,1],"attr":[1,2]},"crossings":1}]})";
  EXPECT_EQ(parse_p_data_sequence(answer, "x"), (std::vector<PData>{{}, {{2, 1}, {1, 2}}}));
  EXPECT_NE(message_of(answer).find("holds 2 states"), std::string::npos);
}

TEST(PDataJson, ReadsClosedKnots) {
  const PData trefoil{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}};
  EXPECT_EQ(parse_p_data(R"({"dt":[4,6,2]})", "x"), trefoil);
  EXPECT_EQ(parse_p_data(R"({"gauss":"O1+U2+O3+U1+O2+U3+"})", "x"), trefoil);
  EXPECT_EQ(parse_p_data(R"({"pd":[[2,6,3,5],[4,2,5,1],[6,4,1,3]]})", "x"), trefoil);
  EXPECT_NE(message_of(R"({"dt":[4,6,3]})").find("p.json:1: error: the DT code is not one: entry 3 is 3"),
            std::string::npos);
  EXPECT_NE(message_of(R"({"pd":[[2,6,3]]})").find("has 3 labels"), std::string::npos);
}

TEST(PDataJson, ErrorsNameFileAndLine) {
  EXPECT_EQ(message_of(""), "p.json: error: the file is empty; expected JSON");
  EXPECT_EQ(message_of("{\n\"sigma\":[1,\n"),
            "p.json:2: error: this is not well-formed JSON; check the text around this line");
  EXPECT_EQ(message_of("[1]"),
            "p.json:1: error: this is a list; expected P-data, {\"sigma\":[...],\"attr\":[...]}");
  EXPECT_EQ(message_of("{\n\"sigma\":[2,1]}"),
            "p.json:1: error: there is no 'attr'; expected P-data, {\"sigma\":[...],\"attr\":[...]}");
  EXPECT_EQ(message_of("{\"sigma\":[2,\n1.5\n],\"attr\":[1,2]}"),
            "p.json:2: error: column 2 of 'sigma' is a number that is not whole or is out of range; it must "
            "be a whole number");
  EXPECT_EQ(message_of("{\"sigma\":[2,\n\n0\n\n],\"attr\":[1,2]}"),
            "p.json:3: error: column 2 of 'sigma' is 0; it must be between 1 and 1000000000");
  EXPECT_EQ(message_of("{\"sigma\":3,\"attr\":[1,2]}"),
            "p.json:1: error: 'sigma' is a whole number; it must be a list of whole numbers");
  EXPECT_EQ(message_of("{\"sigma\":[],\n\"attr\":[],\n\"sigma\":[]}"),
            "p.json:3: error: the key 'sigma' appears twice in one object");
  EXPECT_NE(message_of("{\"sigma\":[2,1,3],\"attr\":[1,2,1]}").find("the number is even"), std::string::npos);
  EXPECT_NE(message_of("{\"sigma\":[3,4,1,2],\"attr\":[1,1,2,2]}").find("no drawing in the plane"),
            std::string::npos);
  EXPECT_NE(message_of(std::string(100, '[')).find("nested deeper than 32"), std::string::npos);
  std::string wide = "{";
  for (int i = 0; i < 1001; ++i) wide += "\"" + std::to_string(i) + "\":0,\n";
  EXPECT_NE(message_of(wide).find("p.json:1001: error: an object has more than 1000 keys"),
            std::string::npos);
}

TEST(PDataJson, ErrorsOfSequencesNameTheState) {
  EXPECT_EQ(
      message_of("{\"states\":[\n{\"sigma\":[],\"attr\":[]},\n{\"sigma\":[2,1],\"attr\":[1,1]}]}", true),
      "p.json:3: error: state 2: columns 1 and 2: one passage of a crossing must be over, the other under");
  EXPECT_NE(message_of("{\"sigma\":[],\"attr\":[]}", true).find("there are no 'states'"), std::string::npos);
  EXPECT_NE(message_of("{\"states\":[]}", true).find("there is no state"), std::string::npos);
}

}  // namespace
}  // namespace prehend::knot
