#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <Eigen/Core>

#include <prehend/inertia/diagnosis/misplaced_poses.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

// As for wrenches (usable_rows.cpp): e^-50 for noise. Smaller jumps of single poses are smoothed away [m] [rad].
constexpr double kJumpDeviations = 10.0, kLeastShift = 2e-3, kLeastTurn = 0.01;
constexpr double kMostMisplaced = 0.05;  // of the rows: more is no exception
constexpr std::size_t kAbout = 10;       // rows on either side for the usual distance

struct Track {
  std::vector<double> t;
  std::vector<Eigen::Vector3d> x;
};

// From the cubic through the two rows on either side, at any steps; `without` has no say, and the next row takes its place.
double bend_at(const Track& track, std::size_t k, std::size_t without) {
  const auto count = static_cast<std::ptrdiff_t>(track.t.size());
  std::array<std::size_t, 4> about{};
  std::size_t found = 0;
  for (const int side : {-1, 1}) {
    int taken = 0;
    for (std::ptrdiff_t j = static_cast<std::ptrdiff_t>(k) + side; j >= 0 && j < count && taken < 2;
         j += side) {
      if (static_cast<std::size_t>(j) == without) continue;
      about[found++] = static_cast<std::size_t>(j);
      ++taken;
    }
    if (taken < 2) return 0.0;
  }
  Eigen::Vector3d cubic = Eigen::Vector3d::Zero();
  for (const std::size_t i : about) {
    double weight = 1.0;
    for (const std::size_t j : about)
      if (j != i) weight *= (track.t[k] - track.t[j]) / (track.t[i] - track.t[j]);
    cubic += weight * track.x[i];
  }
  return (track.x[k] - cubic).norm();
}

double median_bend(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

// Indices into the track.
std::vector<std::size_t> jumps_of(const Track& track, double least, double& largest) {
  const std::size_t n = track.t.size(), nobody = n;
  std::vector<double> bend(n);
  for (std::size_t k = 0; k < n; ++k) bend[k] = bend_at(track, k, nobody);
  const double usual = median_bend(bend);
  std::vector<std::size_t> found;
  for (std::size_t k = 2; k + 2 < n; ++k) {
    if (!(bend[k] > least) || bend[k] < *std::max_element(&bend[k - 2], &bend[k + 2] + 1)) continue;
    const std::size_t from = k > kAbout ? k - kAbout : 0, to = std::min(n, k + kAbout + 1);
    const double here = median_bend(std::span(bend).subspan(from, to - from));
    const double threshold = std::max(least, kJumpDeviations * 1.4826 * std::max(usual, here));
    if (!(bend[k] > threshold)) continue;
    // Where it stayed, both rows beside it stay apart from those behind it; another jump is on one side.
    const double rest = std::min(bend_at(track, k - 1, k), bend_at(track, k + 1, k));
    if (rest > 0.3 * bend[k]) continue;
    found.push_back(k);
    largest = std::max(largest, bend[k]);
  }
  return found;
}

}  // namespace

Misplaced misplaced_poses(const model::WrenchLog& log, const std::vector<bool>& lost) {
  Misplaced result{std::vector<bool>(log.rows(), false)};
  constexpr int kRounds = 3;  // a jump beside another one shows once that is out
  for (int round = 0; round < kRounds; ++round) {
    Track places, turns;
    std::vector<std::size_t> kept;
    Eigen::Vector3d turned = Eigen::Vector3d::Zero();  // sum of increments: a row that jumps jumps back
    for (std::size_t k = 0; k < log.rows(); ++k) {
      if (lost[k] || result.rows[k] || (!kept.empty() && !(log.t[k] > log.t[kept.back()]))) continue;
      if (!kept.empty())
        turned += math::log_so3((log.X_WS[k].q() * log.X_WS[kept.back()].q().conjugate()).normalized());
      kept.push_back(k);
      places.t.push_back(log.t[k]);
      turns.t.push_back(log.t[k]);
      places.x.push_back(log.X_WS[k].p());
      turns.x.push_back(turned);
    }
    if (kept.size() < 2 * kAbout) return result;
    const std::vector<std::size_t> shifted = jumps_of(places, kLeastShift, result.position),
                                   tilted = jumps_of(turns, kLeastTurn, result.rotation);
    for (const std::size_t k : shifted) result.rows[kept[k]] = true;
    for (const std::size_t k : tilted) result.rows[kept[k]] = true;
    if (shifted.empty() && tilted.empty()) break;
  }
  const auto count = std::count(result.rows.begin(), result.rows.end(), true);
  if (static_cast<double>(count) > kMostMisplaced * static_cast<double>(log.rows()))
    result = {std::vector<bool>(log.rows(), false)};
  return result;
}

}  // namespace prehend::inertia
