#include <algorithm>
#include <cmath>
#include <set>

#include <prehend/model/house/decimal_step.h>

namespace prehend::model {

double decimal_step(std::span<const double> numbers) {
  constexpr std::size_t kLeast = 10;    // of four digits, ten numbers seem to have three once in 1e10
  constexpr double kRounding = 1e-4;    // of a step: digits of a double, after a unit's conversion as well
  constexpr int kFirst = 3, kLast = 6;  // digits
  for (int digits = kFirst; digits <= kLast; ++digits) {
    const double step = std::pow(10.0, -digits);
    std::set<double> different;
    const auto is_multiple = [&](double x) {
      if (x != 0.0 && std::abs(x) != 1.0 && different.size() < kLeast) different.insert(std::abs(x));
      return std::abs(x / step - std::round(x / step)) < kRounding;
    };
    if (std::all_of(numbers.begin(), numbers.end(), is_multiple))
      return different.size() < kLeast ? 0.0 : step;
  }
  return 0.0;
}

}  // namespace prehend::model
