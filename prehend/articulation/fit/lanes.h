// Four numbers that are computed with at once: inner loops over frames take four frames at a time. Not part of the public interface.
//
// A scalar type for Eigen's small matrices, so that formulas are written once for `double` and for four. Where a formula branches (rare: a
// residual that is no small turn), lanes are treated one by one. Aligned like two numbers: memory from anywhere will do.
#pragma once

#include <cmath>

#include <Eigen/Core>

#include <prehend/math/angles.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // all is inlined: nothing is passed in registers

namespace prehend::articulation::engine {

inline constexpr int kLanes = 4;

struct Lanes {
  using V __attribute__((vector_size(8 * kLanes), aligned(16))) =
      double;  // of the name: clang lowers no type's alignment
  V v;

  Lanes() = default;
  Lanes(double x) : v{x, x, x, x} {}  // NOLINT: numbers are lanes that agree
  explicit Lanes(const V& lanes) : v(lanes) {}
  double operator[](int k) const { return v[k]; }
  void set(int k, double x) { v[k] = x; }

  Lanes operator-() const { return Lanes(-v); }
  Lanes& operator+=(const Lanes& b) { return v += b.v, *this; }
  Lanes& operator-=(const Lanes& b) { return v -= b.v, *this; }
  Lanes& operator*=(const Lanes& b) { return v *= b.v, *this; }
  Lanes& operator/=(const Lanes& b) { return v /= b.v, *this; }
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.v / b.v); }
};

template <class T>
inline constexpr int kWidth = 1;
template <>
inline constexpr int kWidth<Lanes> = kLanes;

inline double lane(double x, int) { return x; }
inline double lane(const Lanes& x, int k) { return x[k]; }
inline void set_lane(double& x, int, double value) { x = value; }
inline void set_lane(Lanes& x, int k, double value) { x.set(k, value); }
// f(0), f(1), ... as lanes.
template <class T, class F>
T gathered(const F& f) {
  if constexpr (kWidth<T> == 1)
    return f(0);
  else
    return Lanes(Lanes::V{f(0), f(1), f(2), f(3)});
}

inline double sum(double x) { return x; }
inline double sum(const Lanes& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

inline bool all_below(double x, double bound) { return x < bound; }
inline bool all_below(const Lanes& x, double bound) {
  return x[0] < bound && x[1] < bound && x[2] < bound && x[3] < bound;
}
inline bool all_above(double x, double bound) { return x > bound; }
inline bool all_above(const Lanes& x, double bound) {
  return x[0] > bound && x[1] > bound && x[2] > bound && x[3] > bound;
}

// Zero where it is not finite.
inline double finite_or_zero(double x) { return x - x == 0 ? x : 0.0; }
inline Lanes finite_or_zero(const Lanes& x) {
  return Lanes(Lanes::V((x.v - x.v == 0.0) ? x.v : Lanes::V{0, 0, 0, 0}));
}

// f of every lane, one by one.
template <class F>
Lanes each(const Lanes& x, F f) {
  return Lanes(Lanes::V{f(x[0]), f(x[1]), f(x[2]), f(x[3])});
}
#if defined(__has_builtin) && __has_builtin(__builtin_elementwise_sqrt)
inline Lanes sqrt(const Lanes& x) { return Lanes(Lanes::V(__builtin_elementwise_sqrt(x.v))); }
#else
inline Lanes sqrt(const Lanes& x) {
  return each(x, [](double y) { return std::sqrt(y); });
}
#endif
inline Lanes log(const Lanes& x) {
  return each(x, [](double y) { return std::log(y); });
}

// Sine and cosine by their series on [-pi/4, pi/4], errors below 2e-16; beyond 1e6 quarter turns the reduction loses digits, which angles
// of joints never reach.
struct SineCosine {
  Lanes sine, cosine;
};
inline SineCosine sine_cosine(const Lanes& x) {
  constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  const Lanes::V shifted = x.v * M_2_PI + kRound;
  const Lanes::V quarter = shifted - kRound;
  // pi/2 in two parts, the first with 33 bits.
  const Lanes::V t = (x.v - quarter * 1.57079632673412561417e+00) - quarter * 6.07710050650619224932e-11;
  const Lanes::V u = t * t;
  const Lanes::V s =
      t + t * u *
              (-1.0 / 6 +
               u * (1.0 / 120 +
                    u * (-1.0 / 5040 +
                         u * (1.0 / 362880 + u * (-1.0 / 39916800 +
                                                  u * (1.0 / 6227020800.0 - u * (1.0 / 1307674368000.0)))))));
  const Lanes::V c =
      1.0 +
      u * (-0.5 + u * (1.0 / 24 +
                       u * (-1.0 / 720 +
                            u * (1.0 / 40320 +
                                 u * (-1.0 / 3628800 + u * (1.0 / 479001600 - u * (1.0 / 87178291200.0)))))));
  // Which quarter: odd ones exchange the two, two of four turn signs.
  const Lanes::V half = quarter * 0.5;
  const Lanes::V odd = quarter - 2.0 * ((half + kRound) - kRound);                 // 0 or +-1
  const Lanes::V quadrant = quarter - 4.0 * ((quarter * 0.25 + kRound) - kRound);  // -2 .. 2
  const Lanes::V sine = (odd != 0.0) ? c : s, cosine = (odd != 0.0) ? s : c;
  const auto sine_turns = (quadrant == 2.0) | (quadrant == -2.0) | (quadrant == -1.0);
  const auto cosine_turns = (quadrant == 2.0) | (quadrant == -2.0) | (quadrant == 1.0);
  return {Lanes(Lanes::V(sine_turns ? -sine : sine)), Lanes(Lanes::V(cosine_turns ? -cosine : cosine))};
}

struct SineCosineOfOne {
  double sine, cosine;
};
inline SineCosineOfOne sine_cosine(double x) { return {std::sin(x), std::cos(x)}; }

// An angle for a start, to 2e-6 rad.
inline double rough_angle(double y, double x) { return std::atan2(y, x); }
inline Lanes rough_angle(const Lanes& y, const Lanes& x) {
  const Lanes::V zero{0, 0, 0, 0};
  const Lanes::V ax = x.v < zero ? -x.v : x.v, ay = y.v < zero ? -y.v : y.v;
  const Lanes::V large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
  const Lanes::V z = small / (large + 1e-300), u = z * z;
  Lanes::V angle =
      z * (0.99997726 +
           u * (-0.33262347 + u * (0.19354346 + u * (-0.11643287 + u * (0.05265332 - u * 0.01172120)))));
  angle = ay > ax ? 0.5 * math::kPi - angle : angle;
  angle = x.v < zero ? math::kPi - angle : angle;
  return Lanes(Lanes::V(y.v < zero ? -angle : angle));
}

// An angle to rounding: by how much the rough one misses is seen from there.
inline double angle_of(double y, double x) { return std::atan2(y, x); }
inline Lanes angle_of(const Lanes& y, const Lanes& x) {
  const Lanes rough = rough_angle(y, x);
  const auto [s, c] = sine_cosine(rough);
  return rough + (y * c - x * s) / sqrt(x * x + y * y + 1e-300);
}

// Of t^2: sin t / t, (1 - cos t) / t^2 and (t - sin t) / t^3.
struct TurnTerms {
  Lanes sinc, cosc, cubic;
};
inline TurnTerms turn_terms(const Lanes& t2) {
  constexpr double kSeries =
      0.04;  // six terms leave less than rounding; above, quotients lose no more than two digits
  const Lanes::V t = t2.v;
  TurnTerms terms{
      Lanes(Lanes::V(
          1.0 - t * (1.0 / 6) *
                    (1.0 - t * (1.0 / 20) *
                               (1.0 - t * (1.0 / 42) * (1.0 - t * (1.0 / 72) * (1.0 - t * (1.0 / 110))))))),
      Lanes(Lanes::V(
          0.5 - t * (1.0 / 24) *
                    (1.0 - t * (1.0 / 30) *
                               (1.0 - t * (1.0 / 56) * (1.0 - t * (1.0 / 90) * (1.0 - t * (1.0 / 132))))))),
      Lanes(Lanes::V(
          1.0 / 6 -
          t * (1.0 / 120) *
              (1.0 - t * (1.0 / 42) *
                         (1.0 - t * (1.0 / 72) * (1.0 - t * (1.0 / 110) * (1.0 - t * (1.0 / 156)))))))};
  if (all_below(t2, kSeries)) return terms;
  const Lanes angle = sqrt(t2);
  const auto [s, c] = sine_cosine(angle);
  const Lanes::V sinc = s.v / angle.v;
  terms.sinc.v = t < kSeries ? terms.sinc.v : sinc;
  terms.cosc.v = t < kSeries ? terms.cosc.v : (1.0 - c.v) / t;
  terms.cubic.v = t < kSeries ? terms.cubic.v : (1.0 - sinc) / t;
  return terms;
}
// (1 - t/2 cot(t/2)) / t^2.
inline Lanes inverse_turn_term(const Lanes& t2) {
  constexpr double kSeries = 0.04;
  const Lanes::V t = t2.v;
  const Lanes::V series =
      1.0 / 12 + t * (1.0 / 720 + t * (1.0 / 30240 + t * (1.0 / 1209600 + t * (1.0 / 47900160))));
  if (all_below(t2, kSeries)) return Lanes(series);
  const Lanes half = 0.5 * sqrt(t2);
  const auto [s, c] = sine_cosine(half);
  return Lanes(Lanes::V(t < kSeries ? series : (1.0 - half.v * c.v / s.v) / t));
}

}  // namespace prehend::articulation::engine

namespace Eigen {
template <>
struct NumTraits<prehend::articulation::engine::Lanes> : NumTraits<double> {
  using Real = prehend::articulation::engine::Lanes;
  using NonInteger = Real;
  using Literal = Real;
  using Nested = Real;
  enum { RequireInitialization = 0 };
};
}  // namespace Eigen

#pragma GCC diagnostic pop
