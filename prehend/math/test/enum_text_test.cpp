#include <gtest/gtest.h>

#include <prehend/math/enum_text.h>

namespace prehend {
namespace {

enum class Fruit { apple, ripe_pear, fig2 };
enum class Lone { one };

TEST(EnumText, NamesAreTheEnumerators) {
  EXPECT_STREQ(enum_text(Fruit::apple), "apple");
  EXPECT_STREQ(enum_text(Fruit::ripe_pear), "ripe_pear");
  EXPECT_STREQ(enum_text(Fruit::fig2), "fig2");
  EXPECT_STREQ(enum_text(static_cast<Fruit>(3)), "");
  EXPECT_STREQ(enum_text(static_cast<Fruit>(-1)), "");
}

TEST(EnumText, NamesReadBack) {
  for (const Fruit fruit : {Fruit::apple, Fruit::ripe_pear, Fruit::fig2})
    EXPECT_EQ(from_string<Fruit>(enum_text(fruit)), fruit);
  EXPECT_FALSE(from_string<Fruit>("Apple"));
  EXPECT_FALSE(from_string<Fruit>(""));
  EXPECT_FALSE(from_string<Fruit>("apple "));
}

TEST(EnumText, ChoicesAreASentencePart) {
  EXPECT_EQ(enum_choices<Fruit>(), "apple, ripe_pear or fig2");
  EXPECT_EQ(enum_choices<Lone>(), "one");
}

}  // namespace
}  // namespace prehend
