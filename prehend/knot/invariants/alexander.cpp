#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <prehend/knot/invariants/alexander.h>
#include <prehend/knot/layout/closed_faces.h>
#include <prehend/math/interrupt.h>

namespace prehend::knot {
namespace {

using Residue = std::uint64_t;  // below a prime below 2^31, so that products fit

Residue power(Residue base, Residue exponent, Residue prime) {
  Residue result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % prime) {
    if (exponent % 2 == 1) result = result * base % prime;
  }
  return result;
}

Residue inverse(Residue value, Residue prime) { return power(value, prime - 2, prime); }

bool is_prime(Residue number) {
  for (Residue d = 2; d * d <= number; ++d) {
    if (number % d == 0) return false;
  }
  return true;
}

// The largest primes below 2^31.
std::vector<Residue> large_primes(std::size_t count) {
  std::vector<Residue> primes;
  for (Residue candidate = (Residue{1} << 31) - 1; primes.size() < count; candidate -= 2) {
    if (is_prime(candidate)) primes.push_back(candidate);
  }
  return primes;
}

// Determinant of the reduced matrix at t.
Residue determinant_at(const std::vector<UnderPassage>& passages, Residue t, Residue prime) {
  const std::size_t order = passages.size() - 1;
  std::vector<Residue> m(order * order, 0);
  for (std::size_t row = 0; row < order; ++row) {
    const UnderPassage& u = passages[row];
    const auto add = [&](int arc, Residue value) {
      if (static_cast<std::size_t>(arc) == order) return;
      Residue& entry = m[row * order + static_cast<std::size_t>(arc)];
      entry = (entry + value) % prime;
    };
    add(u.over, (1 + prime - t) % prime);
    add(u.sign > 0 ? u.in : u.out, t);
    add(u.sign > 0 ? u.out : u.in, prime - 1);
  }
  Residue determinant = 1;
  for (std::size_t k = 0; k < order; ++k) {
    std::size_t pivot = k;
    while (pivot < order && m[pivot * order + k] == 0) ++pivot;
    if (pivot == order) return 0;
    if (pivot != k) {
      for (std::size_t j = k; j < order; ++j) std::swap(m[pivot * order + j], m[k * order + j]);
      determinant = (prime - determinant) % prime;
    }
    determinant = determinant * m[k * order + k] % prime;
    const Residue scale = inverse(m[k * order + k], prime);
    for (std::size_t i = k + 1; i < order; ++i) {
      if (m[i * order + k] == 0) continue;
      const Residue factor = prime - m[i * order + k] * scale % prime;
      for (std::size_t j = k; j < order; ++j) {
        if (m[k * order + j] != 0) m[i * order + j] = (m[i * order + j] + factor * m[k * order + j]) % prime;
      }
    }
  }
  return determinant;
}

// Coefficients of the polynomial with these values at 0, 1, 2, ... (Newton's divided differences).
std::vector<Residue> interpolated(std::vector<Residue> values, Residue prime) {
  const std::size_t n = values.size();
  for (std::size_t level = 1; level < n; ++level) {
    const Residue scale = inverse(level, prime);
    for (std::size_t i = n; i-- > level;) {
      values[i] = (values[i] + prime - values[i - 1]) % prime * scale % prime;
    }
  }
  std::vector<Residue> polynomial(n, 0);
  for (std::size_t k = n; k-- > 0;) {  // Horner: polynomial (t - k) + values[k]
    for (std::size_t i = n; i-- > 0;) {
      const Residue shifted = i > 0 ? polynomial[i - 1] : 0;
      polynomial[i] = (shifted + (prime - k) * polynomial[i]) % prime;
    }
    polynomial[0] = (polynomial[0] + values[k]) % prime;
  }
  return polynomial;
}

// The number of least size with these residues, from the first three primes; the others must agree.
std::int64_t combined(const std::vector<Residue>& residues, const std::vector<Residue>& primes) {
  __int128 value = 0, modulus = 1;
  const auto residue_of_value = [&](Residue prime) {
    const __int128 r = value % static_cast<__int128>(prime);
    return static_cast<Residue>(r < 0 ? r + static_cast<__int128>(prime) : r);
  };
  for (std::size_t k = 0; k < primes.size(); ++k) {
    const Residue prime = primes[k], missing = (residues[k] + prime - residue_of_value(prime)) % prime;
    if (k < 3) {
      const Residue step = missing * inverse(static_cast<Residue>(modulus % prime), prime) % prime;
      value += modulus * static_cast<__int128>(step);
      modulus *= static_cast<__int128>(prime);
      if (k + 1 == std::min<std::size_t>(3, primes.size()) && value > modulus / 2) value -= modulus;
    } else if (missing != 0) {
      throw std::overflow_error("a coefficient of the Alexander polynomial does not fit into 64 bits");
    }
  }
  if (value > std::numeric_limits<std::int64_t>::max() || value < -std::numeric_limits<std::int64_t>::max())
    throw std::overflow_error("a coefficient of the Alexander polynomial does not fit into 64 bits");
  return static_cast<std::int64_t>(value);
}

}  // namespace

Laurent alexander_polynomial(const ClosedDiagram& diagram) {
  const std::vector<UnderPassage> passages = under_passages(diagram);
  const std::size_t n = passages.size();
  if (n <= 1) return Laurent::monomial(1, 0);
  const double bits = 0.5 * std::log2(6.0) * static_cast<double>(n - 1) + 2.0;  // sign, and a bit to spare
  const std::vector<Residue> primes = large_primes(static_cast<std::size_t>(bits / 30.9) + 1);
  std::vector<std::vector<Residue>> modular;
  for (const Residue prime : primes) {
    std::vector<Residue> values;
    for (Residue t = 0; t < n; ++t) {
      math::check_interrupt();
      values.push_back(determinant_at(passages, t, prime));
    }
    modular.push_back(interpolated(std::move(values), prime));
  }
  Laurent polynomial;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Residue> residues;
    for (const auto& coefficients : modular) residues.push_back(coefficients[i]);
    polynomial.coefficients.push_back(combined(residues, primes));
  }
  polynomial.trim();
  polynomial.low = 0;
  if (!polynomial.coefficients.empty() && polynomial.coefficients.back() < 0) {
    for (std::int64_t& c : polynomial.coefficients) c = -c;
  }
  return polynomial;
}

}  // namespace prehend::knot
