#include <algorithm>
#include <cmath>

#include <prehend/inertia/motion/differenced_columns.h>

namespace prehend::inertia {
namespace {

using RateColumns = std::vector<Eigen::Vector3d>;

// Rows 1 .. n - 2 by the slopes of the steps before and after each row: share 0 backward, 1 forward, -1 the parabola through three rows.
RateColumns slopes_between_rows(const RateColumns& values, const std::vector<double>& t, double forward) {
  RateColumns result;
  for (std::size_t k = 1; k + 1 < values.size(); ++k) {
    const double before = t[k] - t[k - 1], after = t[k + 1] - t[k];
    const double share = forward < 0.0 ? before / (before + after) : forward;
    result.push_back(share * (values[k + 1] - values[k]) / after +
                     (1.0 - share) * (values[k] - values[k - 1]) / before);
  }
  return result;
}

// Standard deviation of white noise with the same third differences: motion has hardly any.
double roughness(const RateColumns& values) {
  constexpr double kGain = 20.0;  // 1 + 9 + 9 + 1
  double sum = 0.0;
  for (std::size_t k = 3; k < values.size(); ++k)
    sum += (values[k] - 3.0 * values[k - 1] + 3.0 * values[k - 2] - values[k - 3]).squaredNorm() / kGain;
  return std::sqrt(sum / static_cast<double>(values.size() - 3));
}

}  // namespace

bool is_difference_of(const std::vector<Eigen::Vector3d>& rates, const std::vector<Eigen::Vector3d>& values,
                      const std::vector<double>& t) {
  constexpr std::size_t kFewest = 20;
  constexpr double kShareOfNoise = 0.1;
  if (rates.size() != values.size() || rates.size() != t.size() || t.size() < kFewest) return false;
  for (std::size_t k = 1; k < t.size(); ++k)
    if (!(t[k] > t[k - 1])) return false;
  return std::ranges::any_of(std::initializer_list<double>{-1.0, 0.5, 0.0, 1.0}, [&](double forward) {
    const RateColumns own = slopes_between_rows(values, t, forward);
    double off = 0.0;
    for (std::size_t k = 0; k < own.size(); ++k) off += (rates[k + 1] - own[k]).squaredNorm();
    return std::sqrt(off / static_cast<double>(own.size())) < kShareOfNoise * roughness(own);
  });
}

}  // namespace prehend::inertia
