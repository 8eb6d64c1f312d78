#include <gtest/gtest.h>

#include <prehend/knot/named_knots.h>
#include <prehend/knot/pages.h>

namespace prehend::knot {
namespace {

TEST(FilmPage, OneDrawingPerState) {
  const auto pictures = [](const report::Page& page) {
    std::size_t count = 0;
    for (const auto& section : page.sections()) {
      for (const auto& block : section.blocks) {
        if (const auto* strip = std::get_if<report::Pictures>(&block.content))
          count += strip->pictures.size();
      }
    }
    return count;
  };
  const NamedKnot& bowline = named_knot("bowline");
  EXPECT_EQ(pictures(recognition_page(recognise(bowline.tying_states))), 8u);
  EXPECT_EQ(pictures(plan_page(plan_knot(bowline.p_data))), 6u);
  const report::Page unknown =
      recognition_page(recognise(std::vector<PData>{{}, bowline.p_data}, {.search = {.max_moves = 2}}));
  EXPECT_EQ(unknown.verdict(), report::Verdict::bad);
}

}  // namespace
}  // namespace prehend::knot
