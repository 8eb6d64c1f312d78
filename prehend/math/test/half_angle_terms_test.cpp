#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/math/se3.h>
#include <prehend/math/solvers/half_angle_terms.h>

namespace prehend::math {
namespace {

constexpr long double kLongPi = std::numbers::pi_v<long double>;
// Two polynomials of seven terms and a quotient round to a few units of 2^-53.
constexpr long double kRounding = 1e-15L;

// Angles of turn from tiny to half a turn, dense, with the ends.
std::vector<long double> angles() {
  std::vector<long double> turns = {1e-300L,          1e-20L,          1e-9L,  1e-5L,
                                    kLongPi - 1e-15L, kLongPi - 1e-9L, kLongPi};
  for (int k = 1; k < 5000; ++k) turns.push_back(kLongPi * k / 5000);
  return turns;
}

// (1 - (t/2) cot(t/2)) / t^2; by its series where extended precision would cancel.
long double inverse_coefficient(long double t) {
  const long double x = t * t;
  if (t > 0.1L) return (1.0L - 0.5L * t / std::tan(0.5L * t)) / x;
  return 1.0L / 12 + x * (1.0L / 720 + x * (1.0L / 30240 + x * (1.0L / 1209600 + x * (1.0L / 47900160))));
}

long double cubic_coefficient(long double t) {
  const long double x = t * t;
  if (t > 0.1L) return (t - std::sin(t)) / (t * x);
  return 1.0L / 6 - x * (1.0L / 120 - x * (1.0L / 5040 - x * (1.0L / 362880 - x * (1.0L / 39916800))));
}

TEST(HalfAngleTerms, LogarithmCoefficientsAreExactToRounding) {
  for (long double turn : angles()) {
    // The argument is a double, so compare at the angle whose half has exactly this cosine.
    const double c = static_cast<double>(std::cos(0.5L * turn));
    const long double half = c == 1.0 ? 0.0L : std::acos(static_cast<long double>(c));
    const long double ratio = half == 0.0L ? 1.0L : half / std::sin(half);
    EXPECT_LE(std::abs(detail::half_angle_ratio(c) - ratio), kRounding * ratio) << c;
    const long double inverse = inverse_coefficient(2.0L * half);
    EXPECT_LE(std::abs(detail::inverse_by_cosine(c) - inverse), kRounding * inverse) << c;
  }
}

TEST(HalfAngleTerms, ExponentialCoefficientsAreExactToRounding) {
  for (long double turn : angles()) {
    for (const long double t : {turn, std::min(turn * 1.0065L, std::sqrt(10.0L))}) {
      const double t2 = static_cast<double>(t * t);
      const long double exact = std::sqrt(static_cast<long double>(t2)), half = 0.5L * exact;
      const long double sinc = half == 0.0L ? 1.0L : std::sin(half) / half;
      EXPECT_LE(std::abs(detail::polynomial(detail::kHalfSinc, t2) - sinc), kRounding) << t2;
      EXPECT_LE(std::abs(detail::polynomial(detail::kHalfCosine, t2) - std::cos(half)), kRounding) << t2;
      EXPECT_LE(std::abs(detail::polynomial(detail::kCubic, t2) - cubic_coefficient(exact)), 0.2L * kRounding)
          << t2;
    }
  }
}

// Past half a turn the exponential takes another road: both meet, and two turns of half the angle make one.
TEST(HalfAngleTerms, ExponentialPastHalfATurn) {
  RandomStream random(31);
  for (double angle : {3.0, 3.16, std::sqrt(10.0), 3.1623, 3.17, 5.0, 6.3, 20.0}) {
    for (int trial = 0; trial < 20; ++trial) {
      const Vector6d V = (Vector6d() << angle * random.unit_vector(), random.normal3()).finished();
      const Pose quarter = exp_se3(0.125 * V), half = quarter * quarter * quarter * quarter;
      EXPECT_TRUE(exp_se3(V).is_approx(half * half, 1e-13)) << V.transpose();
      EXPECT_NEAR(exp_se3(V).q().norm(), 1.0, 1e-15);
    }
  }
}

}  // namespace
}  // namespace prehend::math
