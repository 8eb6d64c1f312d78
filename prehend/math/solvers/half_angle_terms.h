// Coefficients of the logarithm and the exponential of SE(3) without trigonometric calls, for turns up to pi.
//
// With t the angle of turn and c = cos(t/2) >= 0 (the scalar part of a unit quaternion), the logarithm needs
//   half_angle_ratio(c)  = (t/2) / sin(t/2)            (the rotation vector is 2 ratio times the vector part),
//   inverse_by_cosine(c) = (1 - (t/2) cot(t/2)) / t^2  (detail::inverse_term of so3.h).
// Both are analytic in c except at c = -1: a quotient of polynomials of degree six is exact to rounding
// (6e-17 and 5e-17, relative) on [0, 1], the identity and the half turn included.
//
// The exponential's coefficients are entire functions of t^2: for t^2 <= kPolynomialBelow the Taylor
// polynomials are exact to 1e-17, without division or square root.
#pragma once

#include <array>
#include <cstddef>

namespace prehend::math::detail {

// A little above pi^2: logarithms never give more.
inline constexpr double kPolynomialBelow = 10.0;

// Even and odd powers side by side: two short chains of dependent operations instead of a long one.
template <std::size_t Terms>
double polynomial(const std::array<double, Terms>& coefficients, double x) {
  static_assert(Terms >= 4);
  const double x2 = x * x;
  constexpr std::size_t even_top = (Terms - 1) / 2 * 2, odd_top = Terms / 2 * 2 - 1;
  double even = coefficients[even_top], odd = coefficients[odd_top];
  for (std::size_t k = even_top; k >= 2; k -= 2) even = even * x2 + coefficients[k - 2];
  for (std::size_t k = odd_top; k >= 3; k -= 2) odd = odd * x2 + coefficients[k - 2];
  return even + x * odd;
}

// Coefficients of both quotients interpolate the function at the 13 Chebyshev points of [0, 1], computed with 80 digits;
// all are positive, so nothing cancels.
inline double half_angle_ratio(double c) {
  constexpr std::array<double, 7> p = {
      1.5707963267948965303,  3.7714243879056081612,   3.2578992365116643288,     1.22433941850200049,
      0.19051684381249966465, 0.009188301638923484142, 0.000026897910831215644061};
  constexpr std::array<double, 7> q = {1.0,
                                       3.037583107697575066,
                                       3.5078285369157535775,
                                       1.9182133142852881278,
                                       0.50273535618310697152,
                                       0.055999612048894398116,
                                       0.001831485945805727494};
  return polynomial(p, c) / polynomial(q, c);
}

inline double inverse_by_cosine(double c) {
  constexpr std::array<double, 7> p = {
      0.10132118364233776668,  0.26342636385140410038,   0.25302427366156684742,    0.11039878040668724543,
      0.021615998421091670855, 0.0015950736469632449825, 0.000025758685618543345742};
  constexpr std::array<double, 7> q = {1.0,
                                       2.8974707820905025161,
                                       3.1435573632364799666,
                                       1.5773100968568080254,
                                       0.36457959059856368818,
                                       0.033228402727220286287,
                                       0.00074295227845854198758};
  return polynomial(p, c) / polynomial(q, c);
}

// (-1)^k / (2k + First)! / Shrink^k for k = 0, 1, ...: the tail of sine or cosine that starts at power First, in t^2.
template <int First, int Shrink, std::size_t Terms>
constexpr std::array<double, Terms> alternating_factorials() {
  std::array<double, Terms> coefficients{};
  long double term = 1.0L;
  for (int i = 2; i <= First; ++i) term /= i;
  for (std::size_t k = 0; k < Terms; ++k) {
    coefficients[k] = static_cast<double>(term);
    const long double next = 2.0L * static_cast<long double>(k) + First;
    term /= -(next + 1.0L) * (next + 2.0L) * Shrink;
  }
  return coefficients;
}

// sin(t/2) / (t/2), cos(t/2) and (t - sin t) / t^3 as polynomials in t^2.
inline constexpr auto kHalfSinc = alternating_factorials<1, 4, 12>();
inline constexpr auto kHalfCosine = alternating_factorials<0, 4, 13>();
inline constexpr auto kCubic = alternating_factorials<3, 1, 14>();

}  // namespace prehend::math::detail
