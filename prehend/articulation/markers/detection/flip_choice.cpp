#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/articulation/markers/detection/flip_choice.h>

namespace prehend::articulation {
namespace {

// Misfits are larger than the corners' covariance tells when the lens model is a little off: the median of the better candidates
// sets their scale (the median of chi-squared with two degrees of freedom is 2 ln 2).
double misfit_scale(std::span<const PoseCandidates> track) {
  std::vector<double> best;
  for (const PoseCandidates& seen : track) best.push_back(seen.poses.front().chi2);
  if (best.empty()) return 1.0;
  std::nth_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(best.size() / 2), best.end());
  return std::max(1.0, best[best.size() / 2] / (2 * std::log(2.0)));
}

}  // namespace

std::vector<FlipChoice> choose_flips(std::span<const PoseCandidates> track, const FlipOptions& options) {
  options.validate();
  const std::size_t n = track.size();
  std::vector<FlipChoice> choices(n);
  if (n == 0) return choices;
  for (const PoseCandidates& seen : track)
    if (seen.poses.empty()) throw std::invalid_argument("a time without a candidate has no place in a track");
  const double scale = misfit_scale(track);
  const auto misfit = [&](std::size_t k, std::size_t c) { return 0.5 * track[k].poses[c].chi2 / scale; };
  const auto turn = [&](std::size_t k, std::size_t a, std::size_t b) {  // from k, a to k + 1, b
    const SquarePose &from = track[k].poses[a], &to = track[k + 1].poses[b];
    const double dt = track[k + 1].t - track[k].t, angle = from.X_CM.q().angularDistance(to.X_CM.q());
    const double variance =
        options.turn_rate * options.turn_rate * dt * dt +
        scale *
            (from.covariance.topLeftCorner<3, 3>().trace() + to.covariance.topLeftCorner<3, 3>().trace()) / 3;
    return std::min(options.max_step, 0.5 * angle * angle / variance);
  };
  // Least cost of what lies before (with k itself) and after.
  std::vector<std::vector<double>> before(n), after(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t c = 0; c < track[k].poses.size(); ++c) {
      double least = k == 0 ? 0.0 : std::numeric_limits<double>::infinity();
      for (std::size_t a = 0; k > 0 && a < track[k - 1].poses.size(); ++a)
        least = std::min(least, before[k - 1][a] + turn(k - 1, a, c));
      before[k].push_back(least + misfit(k, c));
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t c = 0; c < track[k].poses.size(); ++c) {
      double least = k + 1 == n ? 0.0 : std::numeric_limits<double>::infinity();
      for (std::size_t b = 0; k + 1 < n && b < track[k + 1].poses.size(); ++b)
        least = std::min(least, turn(k, c, b) + misfit(k + 1, b) + after[k + 1][b]);
      after[k].push_back(least);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (track[k].poses.size() < 2) continue;
    const double first = before[k][0] + after[k][0], second = before[k][1] + after[k][1];
    choices[k].candidate = second < first ? 1 : 0;
    choices[k].margin = std::abs(first - second);
  }
  return choices;
}

}  // namespace prehend::articulation
