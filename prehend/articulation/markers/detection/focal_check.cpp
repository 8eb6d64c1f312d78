#include <algorithm>
#include <cmath>
#include <vector>

#include <prehend/articulation/markers/detection/focal_check.h>

namespace prehend::articulation {

FocalCheck check_focal_length(std::span<const SquareCorners> squares, double size, int limit) {
  FocalCheck check;
  std::vector<const SquareCorners*> asked;
  const std::size_t step =
      std::max<std::size_t>(1, squares.size() / static_cast<std::size_t>(std::max(1, limit)));
  for (std::size_t i = 0; i < squares.size(); i += step) asked.push_back(&squares[i]);
  check.squares = static_cast<int>(asked.size());
  if (asked.size() < 3) return check;
  // One bad square must not decide: misfits are bounded at a hundred times the median at the calibration's own length.
  const auto misfits = [&](double scale) {
    std::vector<double> all;
    for (const SquareCorners* square : asked) {
      const std::vector<SquarePose> poses = square_poses(*square, size, scale);
      all.push_back(poses.empty() ? 1e12 : poses.front().chi2);
    }
    return all;
  };
  std::vector<double> sorted = misfits(1.0);
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  const double bound = 100 * std::max(1.0, sorted[sorted.size() / 2]);
  const auto total = [&](double log_scale) {
    double sum = 0;
    for (const double misfit : misfits(std::exp(log_scale))) sum += std::min(misfit, bound);
    return sum;
  };
  const double at_one = total(0.0);
  double best = 0.0, least = at_one;
  const double width = std::log(2.0) / 6;
  for (int i = -6; i <= 6; ++i) {
    if (i == 0) continue;
    if (const double sum = total(i * width); sum < least) least = sum, best = i * width;
  }
  // Golden section around the best of the grid.
  const double golden = 0.6180339887498949;
  double a = best - width, b = best + width, x1 = b - golden * (b - a), x2 = a + golden * (b - a);
  double f1 = total(x1), f2 = total(x2);
  for (int i = 0; i < 8; ++i) {
    if (f1 < f2) {
      b = x2, x2 = x1, f2 = f1, x1 = b - golden * (b - a), f1 = total(x1);
    } else {
      a = x1, x1 = x2, f1 = f2, x2 = a + golden * (b - a), f2 = total(x2);
    }
  }
  if (std::min(f1, f2) < least) least = std::min(f1, f2), best = f1 < f2 ? x1 : x2;
  check.best_scale = std::exp(best);
  const double freedoms = 2.0 * static_cast<double>(asked.size()) - 1;
  check.gain = (at_one - least) / std::max(1e-300, least / freedoms);
  return check;
}

}  // namespace prehend::articulation
