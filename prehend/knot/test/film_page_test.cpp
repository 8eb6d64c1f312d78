#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/knot/film_page.h>
#include <prehend/knot/named_knots.h>

namespace prehend::knot {
namespace {

TEST(FilmPage, ALineIsInterruptedAtEveryUnderPassage) {
  for (const NamedKnot& knot : named_knots()) {
    const report::Plot plot = diagram_plot(knot.p_data, "it");
    ASSERT_EQ(plot.series.size(), 2U);
    const std::vector<double>& y = plot.series[0].y;
    EXPECT_EQ(std::count_if(y.begin(), y.end(), [](double v) { return std::isnan(v); }),
              knot.p_data.crossings());
    EXPECT_EQ(plot.series[1].x.front(), plot.series[0].x.front());
  }
  EXPECT_NE(diagram_plot({{1, 2}, {1, 2}}, "it").title.find("column 1"), std::string::npos);
}

TEST(FilmPage, OneDrawingPerState) {
  const auto plots = [](const report::Page& page) {
    int count = 0;
    for (const auto& section : page.sections()) {
      for (const auto& block : section.blocks)
        count += std::holds_alternative<report::Plot>(block.content) ? 1 : 0;
    }
    return count;
  };
  const NamedKnot& bowline = named_knot("bowline");
  EXPECT_EQ(plots(recognition_page(recognise(bowline.tying_states))), 8);
  EXPECT_EQ(plots(plan_page(plan_knot(bowline.p_data))), 6);
  const report::Page unknown =
      recognition_page(recognise(std::vector<PData>{{}, bowline.p_data}, {.search = {.max_moves = 2}}));
  EXPECT_EQ(unknown.verdict(), report::Verdict::kBad);
}

}  // namespace
}  // namespace prehend::knot
