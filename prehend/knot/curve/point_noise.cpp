#include <algorithm>
#include <cmath>

#include <prehend/knot/curve/point_noise.h>
#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

// Fewer points do not show their noise: with 40, the correlation is known to 0.06.
constexpr std::size_t kFewestPoints = 40;
// Correlation of neighbouring second differences: noise -2/3, a random walk -1/2. Coils of two or three points per turn
// are below.
constexpr double kLeastSwing = -0.8, kMostSwing = -0.6;
// The same across the rope, along a chord of this many points to either side. Of 300 lines each with 60 to 400 points, noise of 0.3 to 2
// steps is recognised in 98 %, random walks, curves and points at uneven steps on them are never taken for it.
constexpr double kMostSwingAcross = -0.4;
constexpr long kChord = 3;
// A jump: the rope turns back there, and both steps are longer than this many usual ones.
constexpr double kJumpTurn = 2.2, kJumpSteps = 2.5;  // [rad]
constexpr std::size_t kFewestForJumps = 12;

Vector3d at(const RopeLine& line, bool closed, long k) {
  const long n = static_cast<long>(line.size());
  return line[static_cast<std::size_t>(closed ? (k % n + n) % n : k)];
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<std::size_t> mend_jumps(RopeLine& line, bool closed) {
  std::vector<std::size_t> jumps;
  const long n = static_cast<long>(line.size());
  if (line.size() < kFewestForJumps) return jumps;
  std::vector<double> steps;
  for (long i = 1; i < n; ++i) steps.push_back((at(line, false, i) - at(line, false, i - 1)).norm());
  const double far = kJumpSteps * median(steps);
  const RopeLine given = line;
  for (long i = closed ? 0 : 1; i < (closed ? n : n - 1); ++i) {
    const Vector3d before = at(given, closed, i) - at(given, closed, i - 1),
                   after = at(given, closed, i + 1) - at(given, closed, i);
    if (std::min(before.norm(), after.norm()) <= far) continue;
    if (std::atan2(before.cross(after).norm(), before.dot(after)) < kJumpTurn) continue;
    line[static_cast<std::size_t>(i)] = 0.5 * (at(given, closed, i - 1) + at(given, closed, i + 1));
    jumps.push_back(static_cast<std::size_t>(i));
  }
  return jumps;
}

RopeLine without_repetitions(const RopeLine& line) {
  RopeLine distinct;
  for (const Vector3d& p : line)
    if (distinct.empty() || p != distinct.back()) distinct.push_back(p);
  return distinct;
}

// Of neighbouring second differences: the sum of their products, and of their squares.
struct Swing {
  double products{0}, squares{0};
  double correlation() const { return squares > 0 ? products / squares : 0.0; }

  void add(const RopeLine& differences) {
    for (std::size_t i = 0; i + 1 < differences.size(); ++i) {
      products += differences[i].dot(differences[i + 1]);
      squares += differences[i].squaredNorm();
    }
  }
};

RopeLine second_differences(const RopeLine& line, bool closed) {
  const long n = static_cast<long>(line.size());
  RopeLine second;
  for (long i = 0; i < (closed ? n : n - 2); ++i)
    second.push_back(at(line, closed, i) - 2 * at(line, closed, i + 1) + at(line, closed, i + 2));
  return second;
}

RopeLine across(const RopeLine& second, const RopeLine& line, bool closed) {
  const long last = static_cast<long>(line.size()) - 1;
  RopeLine only = second;
  for (std::size_t k = 0; k < second.size(); ++k) {
    const long i = static_cast<long>(k) + 1, low = i - kChord, high = i + kChord;
    const Vector3d chord = at(line, closed, closed ? high : std::min(high, last)) -
                           at(line, closed, closed ? low : std::max(low, 0L));
    if (chord.norm() > 0) only[k] -= second[k].dot(chord.normalized()) * chord.normalized();
  }
  return only;
}

// [m] Zero where noise does not show.
double estimated(const std::vector<RopeLine>& given, bool closed) {
  Swing swing, swing_across;
  std::size_t points = 0;
  std::vector<RopeLine> lines, seconds;
  for (const RopeLine& line : given) {
    lines.push_back(without_repetitions(line));
    if (lines.back().size() < 5) lines.pop_back();
  }
  for (const RopeLine& line : lines) {
    points += line.size();
    seconds.push_back(second_differences(line, closed));
    swing.add(seconds.back());
  }
  if (points < kFewestPoints) return 0.0;
  if (swing.correlation() < kLeastSwing || swing.correlation() > kMostSwing) return 0.0;
  std::vector<double> fourth;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    swing_across.add(across(seconds[i], lines[i], closed));
    for (const Vector3d& d : second_differences(seconds[i], false))
      for (const double x : d) fourth.push_back(std::abs(x));
  }
  if (fourth.empty() || swing_across.correlation() > kMostSwingAcross) return 0.0;
  // The median of normal numbers is 0.6745 deviations; 1, 4, 6, 4, 1 squared add up to 70.
  return median(std::move(fourth)) / (0.6745 * std::sqrt(70.0));
}

// Least sum of squared distances to the points and `weight` times squared second differences: a band of five, as L D L'.
RopeLine whittaker(const RopeLine& line, double weight) {
  const std::size_t n = line.size();
  std::vector<double> d(n), one(n, 0.0), two(n, 0.0);
  RopeLine x = line;
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_end = i == 0 || i + 1 == n, is_beside = i == 1 || i + 2 == n;
    d[i] = 1 + weight * (is_end ? 1 : is_beside ? 5 : 6);
    if (i > 0) {
      double b = -weight * (i == 1 || i + 1 == n ? 2 : 4);
      if (i > 1) {
        two[i] = weight / d[i - 2];
        b -= two[i] * d[i - 2] * one[i - 1];
        d[i] -= two[i] * two[i] * d[i - 2];
        x[i] -= two[i] * x[i - 2];
      }
      one[i] = b / d[i - 1];
      d[i] -= one[i] * one[i] * d[i - 1];
      x[i] -= one[i] * x[i - 1];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] /= d[i];
    if (i + 1 < n) x[i] -= one[i + 1] * x[i + 1];
    if (i + 2 < n) x[i] -= two[i + 2] * x[i + 2];
  }
  return x;
}

RopeLine smoothed_line(const RopeLine& line, bool closed, double weight) {
  if (!closed) return whittaker(line, weight);
  const auto n = static_cast<std::ptrdiff_t>(line.size());
  RopeLine thrice = line;
  thrice.insert(thrice.end(), line.begin(), line.end());
  thrice.insert(thrice.end(), line.begin(), line.end());
  const RopeLine smooth = whittaker(thrice, weight);
  return {smooth.begin() + n, smooth.begin() + 2 * n};
}

// Share of the points' freedom that the smoothed line keeps: the trace of the smoothing, from the eigenvalues of a loop's.
double kept_share(std::size_t points, double weight) {
  double kept = 0;
  for (std::size_t k = 0; k < points; ++k) {
    const double wave = 2 - 2 * std::cos(math::kPi * static_cast<double>(k) / static_cast<double>(points));
    kept += 1 / (1 + weight * wave * wave);
  }
  return kept / static_cast<double>(points);
}

// The smoothest line whose residuals are no larger than noise of this deviation leaves them.
RopeLine quiet(const RopeLine& line, bool closed, double deviation, double& left) {
  double low = -4, high = 6;  // powers of ten: from no point moved to bends of a hundred points smoothed away
  RopeLine best = line;
  double share = 1;
  for (int round = 0; round < 24; ++round) {
    const double middle = (low + high) / 2, weight = std::pow(10.0, middle);
    RopeLine smooth = smoothed_line(line, closed, weight);
    double residual = 0;
    for (std::size_t i = 0; i < line.size(); ++i) residual += (smooth[i] - line[i]).squaredNorm() / 3;
    const double kept = kept_share(line.size(), weight);
    if (residual > deviation * deviation * (1 - kept) * static_cast<double>(line.size())) {
      high = middle;
      continue;
    }
    low = middle;
    best = std::move(smooth);
    share = kept;
  }
  left = std::max(left, deviation * std::sqrt(share));
  return best;
}

}  // namespace

QuietLines without_noise(const std::vector<RopeLine>& lines, bool closed, std::optional<double> noise) {
  QuietLines result;
  if (noise && *noise == 0.0) return result;
  std::vector<RopeLine> mended = lines;
  std::size_t jumps = 0;
  std::string first;
  for (RopeLine& line : mended) {
    const std::vector<std::size_t> of_line = mend_jumps(line, closed);
    if (jumps == 0 && !of_line.empty()) first = std::to_string(of_line.front() + 1);
    jumps += of_line.size();
  }
  if (jumps > 0)
    result.notes.push_back((jumps == 1 ? "point " + first + " jumps"
                                       : std::to_string(jumps) + " points jump (first point " + first + ")") +
                           " far off the neighbours and " + (jumps == 1 ? "is" : "are") +
                           " put between them");
  result.noise.deviation = noise ? *noise : estimated(mended, closed);
  if (result.noise.deviation > 0) {
    for (RopeLine& line : mended)
      if (line.size() >= 5) line = quiet(line, closed, result.noise.deviation, result.noise.left);
    result.notes.push_back("noise of " + math::number_text(result.noise.deviation, 2) +
                           " m in the points is smoothed away");
  }
  result.changed = !result.notes.empty();
  if (result.changed) result.lines = std::move(mended);
  return result;
}

}  // namespace prehend::knot
