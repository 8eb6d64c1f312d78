#include <gtest/gtest.h>

#include <prehend/knot/named_knots.h>
#include <prehend/knot/pages.h>

namespace prehend::knot {
namespace {

std::size_t pictures(const report::Page& page) {
  std::size_t count = 0;
  for (const auto& section : page.sections()) {
    for (const auto& block : section.blocks) {
      if (const auto* strip = std::get_if<report::Pictures>(&block.content)) count += strip->pictures.size();
    }
  }
  return count;
}

TEST(NamingPage, TheRopeTheLoopAndWhatIsLeft) {
  const PData& bowline = named_knot("bowline").p_data;
  const report::Page page = naming_page(bowline, name_rope(bowline), {}, "bowline.json");
  EXPECT_EQ(
      page.verdict_sentence(),
      "Bowline. Joined end to end: knot 6_3, closed over everything; knot 8_20, closed under everything.");
  EXPECT_EQ(pictures(page), 4u);  // rope, over, under, reduced
  const PData& slip = named_knot("slip_knot").p_data;
  const report::Page slipped = naming_page(mirrored(slip), name_rope(mirrored(slip)), {}, "");
  EXPECT_EQ(slipped.verdict_sentence(),
            "Slip knot. Joined end to end: no knot (0_1), closed over everything.");
  EXPECT_EQ(pictures(slipped), 3u);  // rope, reduced, and the slip knot of the collection
}

TEST(NamingPage, AStraightRope) {
  const report::Page page = naming_page({}, name_rope({}), {}, "");
  EXPECT_EQ(page.verdict_sentence(), "Joined end to end: no knot (0_1), closed over everything.");
  EXPECT_EQ(pictures(page), 2u);
}

}  // namespace
}  // namespace prehend::knot
