#include <charconv>
#include <cmath>
#include <stdexcept>

#include <prehend/math/house/option_check.h>

namespace prehend::math {
namespace {

std::string with_unit(double value, std::string_view unit) {
  // The fewest digits that tell the whole value: 0.1, not 0.10000000000000001.
  char digits[32];
  const bool is_count = std::abs(value) < 1e15 && value == std::floor(value);  // 100000, not 1e+05
  const auto [end, error] = is_count
                                ? std::to_chars(digits, digits + sizeof digits, static_cast<long long>(value))
                                : std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end);
  return unit.empty() ? text : text + " " + std::string(unit);
}

}  // namespace

void OptionCheck::holds(bool condition, std::string_view field, std::string_view value,
                        std::string_view must_be) const {
  if (condition) return;
  throw std::invalid_argument(owner_ + "::" + std::string(field) + " is " + std::string(value) +
                              "; it must be " + std::string(must_be));
}

void OptionCheck::finite(std::string_view field, double value, std::string_view unit) const {
  holds(std::isfinite(value), field, with_unit(value, unit), "finite");
}

void OptionCheck::above(std::string_view field, double value, double bound, std::string_view unit) const {
  holds(std::isfinite(value) && value > bound, field, with_unit(value, unit),
        "finite and above " + with_unit(bound, unit));
}

void OptionCheck::at_least(std::string_view field, double value, double bound, std::string_view unit) const {
  holds(std::isfinite(value) && value >= bound, field, with_unit(value, unit),
        "finite and at least " + with_unit(bound, unit));
}

void OptionCheck::between(std::string_view field, double value, double low, double high,
                          std::string_view unit) const {
  holds(std::isfinite(value) && value >= low && value <= high, field, with_unit(value, unit),
        "between " + with_unit(low, unit) + " and " + with_unit(high, unit));
}

void OptionCheck::strictly_between(std::string_view field, double value, double low, double high,
                                   std::string_view unit) const {
  holds(std::isfinite(value) && value > low && value < high, field, with_unit(value, unit),
        "strictly between " + with_unit(low, unit) + " and " + with_unit(high, unit));
}

}  // namespace prehend::math
