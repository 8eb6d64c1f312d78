#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/math/house/option_check.h>

namespace prehend::math {
namespace {

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(OptionCheck, SentencesNameFieldValueAndBound) {
  const OptionCheck check("PushOptions");
  EXPECT_EQ(refusal([&] { check.at_least("margin", -0.1, 0.0); }),
            "PushOptions::margin is -0.1; it must be finite and at least 0");
  EXPECT_EQ(refusal([&] { check.above("length", 0.0, 0.0, "m"); }),
            "PushOptions::length is 0 m; it must be finite and above 0 m");
  EXPECT_EQ(refusal([&] { check.between("share", 1.5, 0.0, 1.0); }),
            "PushOptions::share is 1.5; it must be between 0 and 1");
  EXPECT_EQ(refusal([&] { check.strictly_between("share", 0.0, 0.0, 1.0); }),
            "PushOptions::share is 0; it must be strictly between 0 and 1");
  EXPECT_EQ(refusal([&] { check.holds(false, "axis", "(0, 0, 0)", "a direction"); }),
            "PushOptions::axis is (0, 0, 0); it must be a direction");
}

TEST(OptionCheck, ValuesHaveTheFewestDigitsThatTellThem) {
  const OptionCheck check("PushOptions");
  EXPECT_EQ(refusal([&] { check.at_least("x", -0.1, 123456789.0, "N"); }),
            "PushOptions::x is -0.1 N; it must be finite and at least 123456789 N");
  EXPECT_EQ(refusal([&] { check.at_least("x", -0.1 - 0.2, 0.0); }),
            "PushOptions::x is -0.30000000000000004; it must be finite and at least 0");
  EXPECT_EQ(refusal([&] { check.finite("x", std::nan("")); }), "PushOptions::x is nan; it must be finite");
}

TEST(OptionCheck, BoundsAreInclusiveWhereTheySaySo) {
  const OptionCheck check("PushOptions");
  EXPECT_EQ(refusal([&] { check.at_least("x", 0.0, 0.0); }), "");
  EXPECT_NE(refusal([&] { check.above("x", 0.0, 0.0); }), "");
  EXPECT_EQ(refusal([&] { check.between("x", 1.0, 0.0, 1.0); }), "");
}

TEST(OptionCheck, WhatIsNotFiniteBreaksEveryBound) {
  const OptionCheck check("PushOptions");
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(refusal([&] { check.finite("x", bad); }), "");
    EXPECT_NE(refusal([&] { check.above("x", bad, 0.0); }), "");
    EXPECT_NE(refusal([&] { check.at_least("x", bad, 0.0); }), "");
    EXPECT_NE(refusal([&] { check.between("x", bad, 0.0, 1e308); }), "");
    EXPECT_NE(refusal([&] { check.strictly_between("x", bad, 0.0, 1e308); }), "");
  }
}

}  // namespace
}  // namespace prehend::math
