#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <prehend/inertia/diagnosis/misplaced_poses.h>
#include <prehend/inertia/diagnosis/usable_rows.h>
#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using Rows = std::vector<bool>;
using Wrenches = std::vector<math::Vector6d>;  // [tau; f] in the sensor's axes

// Fewer rows have no neighbourhoods worth the name.
constexpr std::size_t kFewestRows = 50;
// Seven rows: two on end may be spikes. Scales are medians over 21 rows, so that motion beside rest has its own.
constexpr std::ptrdiff_t kNeighbours = 3, kNeighbourhood = 10;
// Ten deviations, some e^-50 for noise, and a twentieth of the usual size: less does no harm to the fit. Chosen on seeds 1 and 4 of identification_judge.py.
constexpr double kSpikeDeviations = 10.0, kSpikeShare = 0.05;
// More than a tenth is no exception.
constexpr double kMostSpikes = 0.1, kMostZeros = 0.2;
// [s] Longer than packets are missing: the sensor is off.
constexpr double kLongestZero = 0.2;

Wrenches wrenches_of(const model::WrenchLog& log, WrenchFrame frame) {
  Wrenches wrenches(log.rows());
  for (std::size_t k = 0; k < log.rows(); ++k) {
    const Eigen::Matrix3d R = frame == WrenchFrame::world ? Eigen::Matrix3d(log.X_WS[k].R().transpose())
                                                          : Eigen::Matrix3d::Identity();
    wrenches[k] << R * log.tau_S[k], R * log.f_S[k];
  }
  return wrenches;
}

std::size_t count_of(const Rows& rows) {
  return static_cast<std::size_t>(std::count(rows.begin(), rows.end(), true));
}

Rows zero_rows(const model::WrenchLog& log) {
  const std::size_t n = log.rows();
  Rows zeros(n, false);
  std::size_t first = 0;
  for (std::size_t k = 0; k <= n; ++k) {
    const bool is_zero = k < n && log.f_S[k].isZero(0.0) && log.tau_S[k].isZero(0.0);
    if (is_zero) continue;
    // Rows first .. k - 1 are zero.
    if (k > first && log.t[std::min(k, n - 1)] - log.t[first > 0 ? first - 1 : 0] <= kLongestZero)
      std::fill(zeros.begin() + static_cast<std::ptrdiff_t>(first),
                zeros.begin() + static_cast<std::ptrdiff_t>(k), true);
    first = k + 1;
  }
  return static_cast<double>(count_of(zeros)) <= kMostZeros * static_cast<double>(n) ? zeros : Rows(n, false);
}

// Equal in any axes: whoever wrote the file may have turned a held value with the pose of each row.
bool repeats(const math::Vector6d& one, const math::Vector6d& other) {
  constexpr double kRounding = 1e-7;  // of numbers with nine digits
  const double force = one.tail<3>().norm(), torque = one.head<3>().norm();
  return std::abs(force - other.tail<3>().norm()) <= kRounding * force &&
         std::abs(torque - other.head<3>().norm()) <= kRounding * torque &&
         std::abs(one.head<3>().dot(one.tail<3>()) - other.head<3>().dot(other.tail<3>())) <=
             kRounding * force * torque;
}

// To the last digit: any noise or motion changes some.
bool repeats(const math::Pose& one, const math::Pose& other) {
  return one.p() == other.p() && one.q().coeffs() == other.q().coeffs();
}

// Rows that repeat the one before, where the numbers change in a beat of two rows or more.
template <typename Value>
Rows repeated_rows(const std::vector<Value>& values) {
  const std::size_t n = values.size();
  Rows repeated(n, false);
  std::vector<std::size_t> runs;
  for (std::size_t k = 0, length = 0; k < n; ++k) {
    const bool same = k > 0 && repeats(values[k], values[k - 1]);
    repeated[k] = same;
    if (!same && k > 0) runs.push_back(length);
    length = same ? length + 1 : 1;
  }
  if (runs.size() < 10) return Rows(n, false);
  std::vector<std::size_t> sorted = runs;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  const std::size_t beat = sorted[sorted.size() / 2];
  // A sensor with coarse steps repeats its numbers too, but keeps no beat.
  std::size_t in_beat = 0;
  for (const std::size_t run : runs) in_beat += run + 1 >= beat && run <= beat + 1;
  return beat >= 2 && 10 * in_beat >= 9 * runs.size() ? repeated : Rows(n, false);
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Distances of one channel from the median of its neighbours, which steps do not raise but peaks do.
std::vector<double> from_median(const Wrenches& wrenches, const std::vector<std::size_t>& kept, int channel) {
  const auto n = static_cast<std::ptrdiff_t>(kept.size());
  std::vector<double> away(kept.size()), window;
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    const std::ptrdiff_t from = std::clamp<std::ptrdiff_t>(k - kNeighbours, 0, n - 2 * kNeighbours - 1);
    window.clear();
    for (std::ptrdiff_t j = from; j <= from + 2 * kNeighbours; ++j)
      window.push_back(wrenches[kept[static_cast<std::size_t>(j)]](channel));
    away[static_cast<std::size_t>(k)] =
        std::abs(wrenches[kept[static_cast<std::size_t>(k)]](channel) - median_of(window));
  }
  return away;
}

// From the cubic through four neighbours at equal steps, which peaks do not raise but steps and the neighbours of spikes do.
std::vector<double> from_cubic(const Wrenches& wrenches, const std::vector<std::size_t>& kept, int channel) {
  std::vector<double> away(kept.size(), 0.0);
  const auto at = [&](std::size_t k) { return wrenches[kept[k]](channel); };
  for (std::size_t k = 2; k + 2 < kept.size(); ++k)
    away[k] = std::abs(at(k) - (4.0 * (at(k - 1) + at(k + 1)) - at(k - 2) - at(k + 2)) / 6.0);
  return away;
}

// Ten deviations of the usual distance from the cubic, and of the neighbourhood's: medians stand at zero where values rise or fall all the time.
double spike_threshold(const std::vector<double>& bent, double usual, std::ptrdiff_t k) {
  const auto n = static_cast<std::ptrdiff_t>(bent.size());
  std::vector<double> window(bent.begin() + std::max<std::ptrdiff_t>(0, k - kNeighbourhood),
                             bent.begin() + std::min(n, k + kNeighbourhood + 1));
  return kSpikeDeviations * 1.4826 * std::max(usual, median_of(window));
}

// How far the rows before and after row k differ, by medians of three: by all of it at a step.
double step_at(const Wrenches& wrenches, const std::vector<std::size_t>& kept, int channel,
               std::ptrdiff_t k) {
  std::vector<double> before, after;
  for (std::ptrdiff_t j = 1; j <= kNeighbours; ++j) {
    before.push_back(wrenches[kept[static_cast<std::size_t>(k - j)]](channel));
    after.push_back(wrenches[kept[static_cast<std::size_t>(k + j)]](channel));
  }
  return std::abs(median_of(before) - median_of(after));
}

// Usual sizes of torques and forces.
std::array<double, 2> sizes_of(const Wrenches& wrenches, const Rows& lost) {
  std::array<double, 2> size{};
  for (const int kind : {0, 1}) {
    std::vector<double> norms;
    for (std::size_t k = 0; k < wrenches.size(); ++k)
      if (!lost[k]) norms.push_back(wrenches[k].segment<3>(3 * kind).norm());
    if (!norms.empty()) size[static_cast<std::size_t>(kind)] = median_of(norms) / std::sqrt(3.0);
  }
  return size;
}

// Values that are off by a twentieth of `size` at least. `largest`: how far they are off [N m] [N].
Rows spikes(const Wrenches& wrenches, const Rows& lost, const std::array<double, 2>& size,
            std::array<double, 2>& largest) {
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < wrenches.size(); ++k)
    if (!lost[k]) kept.push_back(k);
  Rows found(wrenches.size(), false);
  if (kept.size() < kFewestRows) return found;
  const auto n = static_cast<std::ptrdiff_t>(kept.size());
  for (int channel = 0; channel < 6; ++channel) {
    const std::vector<double> away = from_median(wrenches, kept, channel),
                              bent = from_cubic(wrenches, kept, channel);
    std::vector<double> all = bent;
    const double usual = median_of(all), whole = size[channel < 3 ? 0 : 1];
    if (!(usual > 0.0)) continue;  // a channel that mostly stands has no scale
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      // The ends have neighbours on one side, where a motion that begins looks like a spike: only a large one counts.
      const bool inner = k >= kNeighbours && k < n - kNeighbours;
      const double here = away[static_cast<std::size_t>(k)];
      if (!(here > (inner ? kSpikeShare : 1.0) * whole)) continue;
      const double threshold = spike_threshold(bent, usual, k);
      if (!(here > threshold) || (inner && !(bent[static_cast<std::size_t>(k)] > threshold))) continue;
      if (inner && step_at(wrenches, kept, channel, k) > 0.5 * here) continue;
      found[kept[static_cast<std::size_t>(k)]] = true;
      double& most = largest[channel < 3 ? 0 : 1];
      most = std::max(most, here);
    }
  }
  return static_cast<double>(count_of(found)) <= kMostSpikes * static_cast<double>(n)
             ? found
             : Rows(wrenches.size(), false);
}

model::WrenchLog without(const model::WrenchLog& log, const Rows& lost) {
  model::WrenchLog result = log;
  const auto thin = [&](auto& column) {
    std::size_t to = 0;
    for (std::size_t k = 0; k < column.size(); ++k)
      if (!lost[k]) column[to++] = column[k];
    column.resize(column.empty() ? 0 : to);
  };
  thin(result.t);
  thin(result.X_WS);
  thin(result.v_WS_W);
  thin(result.w_WS_W);
  thin(result.a_WS_W);
  thin(result.al_WS_W);
  thin(result.f_S);
  thin(result.tau_S);
  thin(result.X_WO);
  return result;
}

// "3 rows are left out: "
std::string left_out_text(std::size_t rows) {
  return std::to_string(rows) + (rows == 1 ? " row is" : " rows are") + " left out: ";
}

}  // namespace

UsableRows usable_rows(const model::WrenchLog& log, WrenchFrame frame) {
  UsableRows result;
  const std::size_t n = log.rows();
  if (n < kFewestRows || log.X_WS.size() != n || log.f_S.size() != n || log.tau_S.size() != n) return result;
  Rows lost = zero_rows(log);
  const auto say = [&](std::size_t rows, const std::string& why) {
    if (rows > 0)
      result.findings.push_back({FindingKind::dropped_samples, Severity::warning, left_out_text(rows) + why,
                                 static_cast<double>(rows)});
  };
  say(count_of(lost), "forces and torques are all exactly zero, between others that are not");
  const Wrenches wrenches = wrenches_of(log, frame);
  if (const Rows repeated = repeated_rows(wrenches); count_of(repeated) > 0) {
    say(count_of(repeated),
        "they repeat the wrench of the row before, since the sensor is slower than the log");
    for (std::size_t k = 0; k < n; ++k) lost[k] = lost[k] || repeated[k];
  }
  // A wrench belongs to the pose of the first row that has it; later ones have a pose that is over.
  if (const Rows repeated = repeated_rows(log.X_WS); count_of(repeated) > 0) {
    say(count_of(repeated),
        "they repeat the pose of the row before, since poses come more slowly than the log");
    for (std::size_t k = 0; k < n; ++k) lost[k] = lost[k] || repeated[k];
  }
  const Misplaced misplaced = misplaced_poses(log, lost);
  say(count_of(misplaced.rows), "single poses far from their neighbours, by up to " +
                                    math::number_text(1e3 * misplaced.position, 2) + " mm and " +
                                    math::number_text(math::degrees(misplaced.rotation), 2) + " degrees");
  for (std::size_t k = 0; k < n; ++k) lost[k] = lost[k] || misplaced.rows[k];
  std::array<double, 2> largest{};
  if (const Rows found = spikes(wrenches, lost, sizes_of(wrenches, lost), largest); count_of(found) > 0) {
    say(count_of(found), "single values far from their neighbours, by up to " +
                             math::number_text(largest[1], 2) + " N and " + math::number_text(largest[0], 2) +
                             " N m");
    for (std::size_t k = 0; k < n; ++k) lost[k] = lost[k] || found[k];
  }
  if (n - count_of(lost) >= kFewestRows / 2 && count_of(lost) > 0) result.log = without(log, lost);
  if (!result.log) result.findings.clear();
  return result;
}

}  // namespace prehend::inertia
