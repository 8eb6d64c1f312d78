#include <gtest/gtest.h>

#include <prehend/report/html/html_text.h>

namespace prehend::report {
namespace {

TEST(EscapedHtml, HoldsNoMarkupAndNoControlCharacter) {
  EXPECT_EQ(escaped_html("<b a=\"1\" c='2'>&\x01\xff"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(escaped_html("Gelände\n"), "Gelände\n");
}

}  // namespace
}  // namespace prehend::report
