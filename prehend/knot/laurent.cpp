#include <algorithm>
#include <stdexcept>

#include <prehend/knot/laurent.h>

namespace prehend::knot {

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  if (__builtin_add_overflow(a, b, &sum))
    throw std::overflow_error("a coefficient does not fit into 64 bits");
  return sum;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    throw std::overflow_error("a coefficient does not fit into 64 bits");
  return product;
}

Laurent Laurent::monomial(std::int64_t coefficient, int power) {
  if (coefficient == 0) return {};
  return {power, {coefficient}};
}

std::int64_t Laurent::at_one() const {
  std::int64_t sum = 0;
  for (const std::int64_t c : coefficients) sum = checked_sum(sum, c);
  return sum;
}

std::int64_t Laurent::at_minus_one() const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const bool odd = (low + static_cast<int>(i)) % 2 != 0;
    sum = checked_sum(sum, odd ? checked_product(-1, coefficients[i]) : coefficients[i]);
  }
  return sum;
}

void Laurent::add(const Laurent& factor, int power) {
  if (factor.coefficients.empty()) return;
  if (coefficients.empty()) {
    *this = factor;
    low += power;
    return;
  }
  const int first = std::min(low, factor.low + power), last = std::max(high(), factor.high() + power);
  coefficients.insert(coefficients.begin(), static_cast<std::size_t>(low - first), 0);
  low = first;
  coefficients.resize(static_cast<std::size_t>(last - first + 1), 0);
  const std::size_t shift = static_cast<std::size_t>(factor.low + power - first);
  for (std::size_t i = 0; i < factor.coefficients.size(); ++i) {
    coefficients[shift + i] = checked_sum(coefficients[shift + i], factor.coefficients[i]);
  }
  trim();
}

Laurent Laurent::inverted() const {
  if (coefficients.empty()) return {};
  Laurent result{-high(), coefficients};
  std::reverse(result.coefficients.begin(), result.coefficients.end());
  return result;
}

void Laurent::trim() {
  while (!coefficients.empty() && coefficients.back() == 0) coefficients.pop_back();
  const auto first =
      std::find_if(coefficients.begin(), coefficients.end(), [](std::int64_t c) { return c != 0; });
  low += static_cast<int>(first - coefficients.begin());
  coefficients.erase(coefficients.begin(), first);
  if (coefficients.empty()) low = 0;
}

Laurent operator*(const Laurent& a, const Laurent& b) {
  if (a.coefficients.empty() || b.coefficients.empty()) return {};
  Laurent product{a.low + b.low,
                  std::vector<std::int64_t>(a.coefficients.size() + b.coefficients.size() - 1, 0)};
  for (std::size_t i = 0; i < a.coefficients.size(); ++i) {
    for (std::size_t j = 0; j < b.coefficients.size(); ++j) {
      std::int64_t& c = product.coefficients[i + j];
      c = checked_sum(c, checked_product(a.coefficients[i], b.coefficients[j]));
    }
  }
  product.trim();
  return product;
}

std::string Laurent::to_text(const std::string& variable) const {
  if (coefficients.empty()) return "0";
  std::string text;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const std::int64_t c = coefficients[i];
    const int power = low + static_cast<int>(i);
    if (c == 0) continue;
    text += text.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
    std::string size = std::to_string(c);
    if (c < 0) size.erase(0, 1);
    if (power == 0 || size != "1") text += size;
    if (power != 0 && size != "1") text += "*";
    if (power != 0) text += variable;
    if (power != 0 && power != 1) text += "^" + std::to_string(power);
  }
  return text;
}

}  // namespace prehend::knot
