#include "part_agreement.h"

#include <algorithm>
#include <map>
#include <utility>

namespace prehend::generated {

Agreement agreement(const std::vector<int>& found, const std::vector<int>& truth) {
  std::map<std::pair<int, int>, double> both;
  std::map<int, double> of_found, of_truth, most;
  double n = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] < 0) continue;
    both[{found[i], truth[i]}] += 1.0;
    of_found[found[i]] += 1.0;
    of_truth[truth[i]] += 1.0;
    n += 1.0;
  }
  Agreement result;
  if (n < 2.0) return result;
  const auto pairs = [](double x) { return 0.5 * x * (x - 1.0); };
  double finer = 0.0, coarser = 0.0, together = 0.0, a = 0.0, b = 0.0, pure = 0.0;
  for (const auto& [key, count] : both) {
    const double f = of_found[key.first], t = of_truth[key.second];
    most[key.first] = std::max(most[key.first], count);
    finer += count * (f - count) / f;
    coarser += count * (t - count) / t;
    together += pairs(count);
  }
  for (const auto& [label, count] : most) pure += count;
  for (const auto& [label, count] : of_found) a += pairs(count);
  for (const auto& [label, count] : of_truth) b += pairs(count);
  result.use = 1.0 - pure / n;
  result.gce = std::min(finer, coarser) / n;
  const double expected = a * b / pairs(n), highest = 0.5 * (a + b);
  result.ari = highest == expected ? 1.0 : (together - expected) / (highest - expected);
  return result;
}

}  // namespace prehend::generated
