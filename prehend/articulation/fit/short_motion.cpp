#include <algorithm>
#include <array>
#include <cmath>

#include <prehend/articulation/fit/short_motion.h>

namespace prehend::articulation {

std::vector<math::Vector6d> without_spikes(std::span<const math::Vector6d> residuals) {
  constexpr std::size_t kReach = 3;
  std::vector<math::Vector6d> middle(residuals.begin(), residuals.end());
  std::array<double, 2 * kReach + 1> row{};
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    const std::size_t reach = std::min({kReach, i, residuals.size() - 1 - i});
    for (int k = 0; k < 6; ++k) {
      for (std::size_t j = 0; j <= 2 * reach; ++j) row[j] = residuals[i - reach + j][k];
      std::nth_element(row.begin(), row.begin() + reach, row.begin() + 2 * reach + 1);
      middle[i][k] = row[reach];
    }
  }
  return middle;
}

bool moves_away(std::span<const math::Vector6d> measured, const std::vector<bool>& far) {
  // Fewer do not tell a way from a jump with noise on it.
  constexpr std::size_t kLeastRun = 4;
  // Of the largest distance in the run: a flip is reached in one step, half a second of a stroke at 10 frames a second in five.
  constexpr double kStep = 0.5;
  const std::size_t n = measured.size();
  std::size_t run = 0, longest = 0;
  for (std::size_t i = 0; i < n; ++i) longest = std::max(longest, run = far[i] ? run + 1 : 0);
  if (longest < kLeastRun || longest == n) return false;
  const std::vector<math::Vector6d> residuals = without_spikes(measured);
  for (std::size_t first = 0; first < n; ++first) {
    if (!far[first]) continue;
    std::size_t end = first;
    double way = 0, step = 0;
    for (; end < n && far[end]; ++end) {
      way = std::max(way, residuals[end].norm());
      if (end > 0) step = std::max(step, (residuals[end] - residuals[end - 1]).norm());
    }
    if (end < n) step = std::max(step, (residuals[end] - residuals[end - 1]).norm());
    if (end - first >= kLeastRun && end - first < n && step < kStep * way) return true;
    first = end;
  }
  return false;
}

bool moves_for_a_while(std::span<const double> states) {
  constexpr double kFar = 4.0;  // [noise] as far as noise hardly reaches in four frames in a row
  std::vector<math::Vector6d> measured(states.size(), math::Vector6d::Zero());
  std::vector<double> sorted(states.begin(), states.end());
  const auto half = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, half);
  for (std::size_t i = 0; i < states.size(); ++i) measured[i][0] = states[i] - *half;
  std::vector<bool> far;
  for (const math::Vector6d& z : without_spikes(measured)) far.push_back(std::abs(z[0]) > kFar);
  return moves_away(measured, far);
}

}  // namespace prehend::articulation
