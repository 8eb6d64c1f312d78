// Laurent polynomials in one variable with whole coefficients, as knot invariants are: c_0 t^low + c_1 t^(low+1) + ...
//
// 64-bit arithmetic that notices: std::overflow_error instead of a wrong coefficient.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace prehend::knot {

struct Laurent {
  int low{0};                              // power of the first coefficient
  std::vector<std::int64_t> coefficients;  // no zero first or last; none for the polynomial 0

  static Laurent monomial(std::int64_t coefficient, int power);

  int high() const { return low + static_cast<int>(coefficients.size()) - 1; }
  int span() const { return high() - low; }
  bool is_one() const { return low == 0 && coefficients.size() == 1 && coefficients[0] == 1; }
  std::int64_t at_one() const;
  std::int64_t at_minus_one() const;

  // this += factor t^power
  void add(const Laurent& factor, int power = 0);
  // t -> 1/t
  Laurent inverted() const;
  // Zeros at both ends removed.
  void trim();
  // "t + t^3 - t^4", "-t^-1 + 3 - 2*t", "0"
  std::string to_text(const std::string& variable = "t") const;

  friend Laurent operator*(const Laurent& a, const Laurent& b);
  friend bool operator==(const Laurent&, const Laurent&) = default;
  friend auto operator<=>(const Laurent&, const Laurent&) = default;
};

// Throw std::overflow_error.
std::int64_t checked_sum(std::int64_t a, std::int64_t b);
std::int64_t checked_product(std::int64_t a, std::int64_t b);

}  // namespace prehend::knot
