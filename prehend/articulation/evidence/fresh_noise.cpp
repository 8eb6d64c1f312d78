#include <algorithm>
#include <cmath>

#include <prehend/articulation/evidence/fresh_noise.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

// Per axis, absent where deviations do not change sign as noise does. Flips and their neighbours spoil means, not medians.
std::optional<double> white_deviation(const std::vector<Eigen::Vector3d>& deviations) {
  constexpr double kMedian = 2.366;  // of a Gaussian's squared length, in variances per axis
  constexpr double kFarOut = 16.0;   // times the median square
  // -0.8 for white noise, near 1 for motion. Poses that were interpolated between rows have less: beyond -0.72 their noise would come out
  // half too small (a third of the way between rows; half-way, -0.54).
  constexpr double kChangesSign = -0.72;
  std::vector<double> squares;
  for (const Eigen::Vector3d& d : deviations) squares.push_back(d.squaredNorm());
  std::nth_element(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2),
                   squares.end());
  const double median = squares[squares.size() / 2];
  double products = 0, sum = 0;
  for (std::size_t i = 1; i < deviations.size(); ++i) {
    if (std::max(deviations[i].squaredNorm(), deviations[i - 1].squaredNorm()) > kFarOut * median) continue;
    products += deviations[i].dot(deviations[i - 1]);
    sum += deviations[i].squaredNorm();
  }
  if (!(sum > 0) || !(products < kChangesSign * sum)) return std::nullopt;
  return std::sqrt(median / (kMedian * kFreshVariance));
}

}  // namespace

FreshDeviations fresh_deviations(std::span<const double> t, std::span<const math::Pose> X_WP) {
  constexpr double kEvenGaps = 1.2;  // the longest of four over the shortest
  FreshDeviations result;
  for (std::size_t k = 2; k + 2 < t.size(); ++k) {
    double shortest = t[k - 1] - t[k - 2], longest = shortest;
    for (std::size_t j = k; j <= k + 2; ++j) {
      shortest = std::min(shortest, t[j] - t[j - 1]);
      longest = std::max(longest, t[j] - t[j - 1]);
    }
    if (!(shortest > 0) || longest > kEvenGaps * shortest) continue;
    const Eigen::Quaterniond q = X_WP[k].q();
    const auto turn = [&](std::size_t j) {
      return math::log_so3((q.conjugate() * X_WP[j].q()).normalized());
    };
    const Eigen::Vector3d a = (4 * (turn(k - 1) + turn(k + 1)) - (turn(k - 2) + turn(k + 2))) / 6;
    const Eigen::Vector3d e =
        (4 * (X_WP[k - 1].p() + X_WP[k + 1].p()) - (X_WP[k - 2].p() + X_WP[k + 2].p())) / 6 - X_WP[k].p();
    result.turns_P.push_back(a);
    result.turns_W.push_back(q * a);
    result.shifts_W.push_back(e);
    result.shifts_P.push_back(q.conjugate() * e);
  }
  return result;
}

std::optional<PoseNoise> fresh_noise(const FreshDeviations& deviations) {
  constexpr std::size_t kLeastDeviations = 40;  // a deviation of as many is known to a tenth
  if (deviations.turns_P.size() < kLeastDeviations) return std::nullopt;
  const std::optional<double> turn = white_deviation(deviations.turns_P),
                              shift = white_deviation(deviations.shifts_P);
  if (!turn || !shift) return std::nullopt;
  return PoseNoise{*shift, *turn};
}

std::vector<std::optional<PoseNoise>> fresh_noise(const PartTracks& tracks) {
  std::vector<std::optional<PoseNoise>> result;
  for (const PartTrack& part : tracks.parts) {
    std::vector<double> times;
    std::vector<math::Pose> poses;
    for (std::size_t i = 0; i < part.X_WP.size(); ++i) {
      if (!part.X_WP[i]) continue;
      times.push_back(tracks.times[i]);
      poses.push_back(*part.X_WP[i]);
    }
    result.push_back(fresh_noise(fresh_deviations(times, poses)));
  }
  return result;
}

double fresh_share(const std::optional<PoseNoise>& fixed, const std::optional<PoseNoise>& moving,
                   double expected) {
  constexpr double kHalfMore = 1.5;  // ratio of deviations; what differs by less is as good as expected
  if (!fixed || !moving) return expected;
  const double odds = std::pow(fixed->angle / moving->angle, 2), guess = expected / (1.0 - expected);
  const double apart = std::max(odds / guess, guess / odds);
  return apart > kHalfMore * kHalfMore ? odds / (1.0 + odds) : expected;
}

}  // namespace prehend::articulation
