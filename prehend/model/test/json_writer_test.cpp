#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <prehend/math/random.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

TEST(JsonWriter, NestsAndSeparates) {
  JsonWriter json;
  json.object()
      .field("a", 1)
      .field("b", true)
      .key("c")
      .array()
      .value(1.5)
      .value("x")
      .null()
      .array()
      .end()
      .end();
  json.key("d").object().end().field("e", std::vector<std::string>{"p", "q"}).end();
  EXPECT_EQ(json.text(), R"({"a":1,"b":true,"c":[1.5,"x",null,[]],"d":{},"e":["p","q"]})");
}

TEST(JsonWriter, FormsOfTheDesign) {
  JsonWriter json;
  const math::Pose pose(Eigen::Quaterniond(0, 1, 0, 0), Eigen::Vector3d(1, 2, 3));
  json.object().field("X", pose).field("I", Eigen::Matrix3d(Eigen::Vector3d(1, 2, 3).asDiagonal())).end();
  EXPECT_EQ(
      json.text(),
      R"({"X":{"p":[1.0,2.0,3.0],"q":[0.0,1.0,0.0,0.0]},"I":[[1.0,0.0,0.0],[0.0,2.0,0.0],[0.0,0.0,3.0]]})");
}

TEST(JsonWriter, NumbersReadBackToTheSameBits) {
  math::RandomStream random(1);
  for (int i = 0; i < 1000; ++i) {
    const double number = random.normal() * std::pow(10.0, random.uniform(-300, 300));
    JsonWriter json;
    json.value(number);
    EXPECT_EQ(nlohmann::json::parse(json.text()).get<double>(), number);
  }
}

TEST(JsonWriter, WhatIsNotFiniteBecomesNull) {
  JsonWriter json;
  json.array().value(std::numeric_limits<double>::infinity()).value(std::nan("")).end();
  EXPECT_EQ(json.text(), "[null,null]");
}

TEST(JsonWriter, NoTextCanLeaveItsScriptElement) {
  JsonWriter writer;
  const std::string evil = "</script><!--]]>&\xe2\x80\xa8\xe2\x80\xa9";
  writer.value(evil);
  EXPECT_EQ(writer.text().find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(writer.text().find("\xe2\x80\xa8"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(writer.text()).get<std::string>(), evil);
}

// Random bytes against nlohmann's own replacement of invalid UTF-8.
TEST(JsonWriter, AnyBytesGiveValidUtf8) {
  math::RandomStream random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes;
    // Mostly lead and continuation bytes, so that nearly valid sequences are common.
    for (std::uint32_t n = random.below(12); n > 0; --n)
      bytes += static_cast<char>(random.below(2) ? 0x80 + random.below(0x80) : random.below(0x100));
    const nlohmann::json oracle = nlohmann::json::parse(
        nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    EXPECT_EQ(cleaned_utf8(bytes), oracle.get<std::string>());
    JsonWriter writer;
    writer.value(bytes);
    EXPECT_EQ(nlohmann::json::parse(writer.text()), oracle);
  }
}

TEST(JsonWriter, FinishedDocumentsAreSpliced) {
  JsonWriter own;
  own.object().field("a", 1).field("b", "x").end();
  JsonWriter writer;
  writer.object()
      .field("verb", "v")
      .members(own.text())
      .members("{}")
      .key("inner")
      .document(own.text())
      .end();
  EXPECT_EQ(writer.text(), R"({"verb":"v","a":1,"b":"x","inner":{"a":1,"b":"x"}})");
  EXPECT_THROW(JsonWriter().array().members(own.text()), std::logic_error);
  EXPECT_THROW(JsonWriter().object().members("[1]"), std::logic_error);
}

TEST(JsonWriter, IndentationChangesWhiteSpaceAlone) {
  const std::string flat =
      R"({"p":[1.0,2.5,null],"empty":{},"none":[],"text":"a,b{\"}[","list":[{"x":1},{"x":[[1,2],[3,4]]}]})";
  const std::string text = indented_json(flat);
  EXPECT_EQ(nlohmann::ordered_json::parse(text), nlohmann::ordered_json::parse(flat));
  EXPECT_EQ(text.substr(0, 26), "{\n  \"p\": [1.0, 2.5, null],");
  EXPECT_NE(text.find("\"text\": \"a,b{\\\"}[\""), std::string::npos);
  EXPECT_NE(text.find("\"empty\": {},\n"), std::string::npos);
}

TEST(JsonWriter, UnbalancedCallsAreDefects) {
  EXPECT_THROW(JsonWriter().object().value(1), std::logic_error);
  EXPECT_THROW(JsonWriter().array().key("a"), std::logic_error);
  EXPECT_THROW(JsonWriter().end(), std::logic_error);
  EXPECT_THROW(JsonWriter().object().text(), std::logic_error);
  EXPECT_THROW(JsonWriter().object().key("a").end(), std::logic_error);
  EXPECT_THROW(JsonWriter().value(1).value(2), std::logic_error);
}

}  // namespace
}  // namespace prehend::model
