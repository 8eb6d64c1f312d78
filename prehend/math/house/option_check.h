// One sentence for every option that is out of bounds: "PushOptions::margin is -0.1; it must be at least 0".
//
//   OptionCheck check("PushOptions");
//   check.at_least("margin", margin, 0.0);
//   check.above("length", length, 0.0, "m");
//
// Each call throws std::invalid_argument with that sentence where its bound is broken; a number that is not finite breaks every
// bound. Python and the command line show the sentence as it is.
#pragma once

#include <string>
#include <string_view>

namespace prehend::math {

class OptionCheck {
 public:
  explicit OptionCheck(std::string_view owner) : owner_(owner) {}

  void finite(std::string_view field, double value, std::string_view unit = "") const;
  void above(std::string_view field, double value, double bound, std::string_view unit = "") const;
  void at_least(std::string_view field, double value, double bound, std::string_view unit = "") const;
  void between(std::string_view field, double value, double low, double high,
               std::string_view unit = "") const;
  void strictly_between(std::string_view field, double value, double low, double high,
                        std::string_view unit = "") const;
  // For what the others cannot say: the value as text and what it must be, "a direction, not zero".
  void holds(bool condition, std::string_view field, std::string_view value, std::string_view must_be) const;

 private:
  std::string owner_;
};

}  // namespace prehend::math
