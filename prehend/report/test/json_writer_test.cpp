#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <prehend/math/random.h>
#include <prehend/report/json_writer.h>

namespace prehend::report {
namespace {

using nlohmann::json;

TEST(JsonWriter, WritesWhatAnIndependentParserReads) {
  JsonWriter writer;
  writer.begin_object().member("a", 1.5).member("b", true).member("c", "x\"\\\n\t").key("d").begin_array();
  writer.value(1).null().begin_object().end_object().begin_array().end_array().end_array();
  writer.member_unless_empty("gone", "").member_unless_empty("here", "y").end_object();
  const json read = json::parse(writer.text());
  EXPECT_EQ(read, (json{{"a", 1.5},
                        {"b", true},
                        {"c", "x\"\\\n\t"},
                        {"d", {1, nullptr, json::object(), json::array()}},
                        {"here", "y"}}));
}

TEST(JsonWriter, NumbersReadBackExactly) {
  math::RandomStream random(3);
  for (int i = 0; i < 1000; ++i) {
    const double number = random.normal() * std::pow(10.0, random.uniform(-300.0, 300.0));
    JsonWriter writer;
    writer.value(number);
    EXPECT_EQ(json::parse(writer.text()).get<double>(), number);
  }
}

TEST(JsonWriter, NotFiniteIsNull) {
  JsonWriter writer;
  writer.begin_array()
      .value(std::nan(""))
      .value(std::numeric_limits<double>::infinity())
      .value(-1.0 / 0.0)
      .end_array();
  EXPECT_EQ(writer.text(), "[null,null,null]");
}

TEST(JsonWriter, AnUnfinishedDocumentIsADefect) {
  JsonWriter writer;
  writer.begin_object().key("a");
  EXPECT_THROW(writer.text(), std::logic_error);
}

TEST(JsonWriter, NoTextCanLeaveItsScriptElement) {
  JsonWriter writer;
  const std::string evil = "</script><!--]]>&\xe2\x80\xa8\xe2\x80\xa9";
  writer.value(evil);
  EXPECT_EQ(writer.text().find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(writer.text().find("\xe2\x80\xa8"), std::string::npos);
  EXPECT_EQ(json::parse(writer.text()).get<std::string>(), evil);
}

// Random bytes against nlohmann's own replacement of invalid UTF-8.
TEST(JsonWriter, AnyBytesGiveValidUtf8) {
  math::RandomStream random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes;
    // Mostly lead and continuation bytes, so that nearly valid sequences are common.
    for (std::uint32_t n = random.below(12); n > 0; --n)
      bytes += static_cast<char>(random.below(2) ? 0x80 + random.below(0x80) : random.below(0x100));
    const json oracle = json::parse(json(bytes).dump(-1, ' ', false, json::error_handler_t::replace));
    EXPECT_EQ(cleaned_utf8(bytes), oracle.get<std::string>());
    JsonWriter writer;
    writer.value(bytes);
    EXPECT_EQ(json::parse(writer.text()), oracle);
  }
}

TEST(EscapedHtml, HoldsNoMarkupAndNoControlCharacter) {
  EXPECT_EQ(escaped_html("<b a=\"1\" c='2'>&\x01\xff"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(escaped_html("Gelände\n"), "Gelände\n");
}

}  // namespace
}  // namespace prehend::report
