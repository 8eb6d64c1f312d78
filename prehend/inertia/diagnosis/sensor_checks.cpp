#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using Channels = std::vector<math::Vector6d>;  // [tau; f] per row, in the world's or the sensor's axes

const std::array<const char*, 6> kNames = {"tx", "ty", "tz", "fx", "fy", "fz"};

math::Vector6d turned(const Eigen::Matrix3d& R, const math::Vector6d& wrench) {
  math::Vector6d result;
  result << R * wrench.head<3>(), R * wrench.tail<3>();
  return result;
}

// Rows at which one channel stands: at an extreme, or at any value that does not move.
struct Stand {
  int channel{0};
  double value{0.0};
  bool upper{true};
  std::vector<std::size_t> rows;
  std::size_t longest{0};  // rows on end
};

// Clipped numbers are equal to the last digit; turned into other axes they are equal to rounding of nine digits.
constexpr double kEqual = 1e-7;

// Differences below this are rounding, for forces and torques each: a channel may be nothing but rounding.
double rounding(const Channels& channels, int c) {
  double size = 0.0;
  for (const math::Vector6d& row : channels) size = std::max(size, row.segment<3>(c < 3 ? 0 : 3).norm());
  return 1e-8 * size;
}

std::vector<Stand> extremes(const Channels& channels) {
  std::vector<Stand> stands;
  for (int c = 0; c < 6; ++c) {
    double low = channels[0](c), high = low;
    for (const math::Vector6d& row : channels) {
      low = std::min(low, row(c));
      high = std::max(high, row(c));
    }
    if (!(high - low > rounding(channels, c))) continue;
    for (bool upper : {true, false}) {
      Stand stand{c, upper ? high : low, upper, {}, 0};
      std::size_t run = 0;
      for (std::size_t k = 0; k < channels.size(); ++k) {
        if (std::abs(channels[k](c) - stand.value) <= kEqual * (high - low)) {
          stand.rows.push_back(k);
          stand.longest = std::max(stand.longest, ++run);
        } else {
          run = 0;
        }
      }
      // Once at the limit is what any signal does at its peak.
      if (stand.rows.size() >= 5) stands.push_back(stand);
    }
  }
  return stands;
}

std::vector<Stand> standstills(const Channels& channels, std::size_t shortest) {
  std::vector<Stand> stands;
  for (int c = 0; c < 6; ++c) {
    std::size_t from = 0;
    const double tolerance = rounding(channels, c);
    for (std::size_t k = 1; k <= channels.size(); ++k) {
      if (k < channels.size() && std::abs(channels[k](c) - channels[from](c)) <= tolerance) continue;
      if (k - from >= shortest) {
        Stand stand{c, channels[from](c), true, {}, k - from};
        for (std::size_t row = from; row < k; ++row) stand.rows.push_back(row);
        stands.push_back(stand);
      }
      from = k;
    }
  }
  return stands;
}

// Whether a channel carries white noise in the rows of `in`: third differences far above those of a smooth motion, and
// values that do not repeat (a coarse sensor repeats them, and standing there means nothing).
bool is_noisy(const Channels& channels, int c, const std::vector<bool>& in, double share) {
  double low = 1e300, high = -1e300;
  for (const math::Vector6d& row : channels) {
    low = std::min(low, row(c));
    high = std::max(high, row(c));
  }
  if (!(high - low > rounding(channels, c))) return false;
  std::vector<double> differences;
  std::size_t repeated = 0;
  for (std::size_t k = 3; k < channels.size(); ++k) {
    if (!(in[k] && in[k - 1] && in[k - 2] && in[k - 3])) continue;
    differences.push_back(
        std::abs(channels[k](c) - 3.0 * channels[k - 1](c) + 3.0 * channels[k - 2](c) - channels[k - 3](c)));
    repeated += std::abs(channels[k](c) - channels[k - 1](c)) <= kEqual * (high - low);
  }
  if (differences.size() < 7 || 10 * repeated > differences.size()) return false;
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  return *middle / (0.6745 * std::sqrt(20.0)) > share * (high - low);
}

// All six values at `row` are those at `from`.
bool stands(const Channels& channels, std::size_t from, std::size_t row) {
  const math::Vector6d change = (channels[row] - channels[from]).cwiseAbs();
  const double tau = channels[from].head<3>().norm(), f = channels[from].tail<3>().norm();
  return change.head<3>().maxCoeff() <= 1e-8 * tau && change.tail<3>().maxCoeff() <= 1e-8 * f;
}

void add_name(const char* name, std::string& names) {
  if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + std::string(name);
}

}  // namespace

std::vector<Finding> check_times(const model::WrenchLog& log) {
  std::vector<double> steps;
  int repeated = 0;
  for (std::size_t k = 0; k + 1 < log.rows(); ++k) {
    const double h = log.t[k + 1] - log.t[k];
    h > 0.0 ? steps.push_back(h) : static_cast<void>(++repeated);
  }
  std::vector<Finding> findings;
  if (repeated > 0)
    findings.push_back({FindingKind::repeated_times, Severity::warning,
                        std::to_string(repeated) + " rows repeat the time of the row before",
                        static_cast<double>(repeated)});
  if (steps.size() < 5) return findings;
  std::vector<double> sorted = steps;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  const double usual = sorted[sorted.size() / 2];
  std::size_t regular = 0;
  double missing = 0.0, longest = 0.0, at = 0.0;
  int gaps = 0;
  for (std::size_t k = 0; k + 1 < log.rows(); ++k) {
    const double h = log.t[k + 1] - log.t[k];
    regular += std::abs(h - usual) <= 0.2 * usual;
    if (h < 1.7 * usual) continue;
    ++gaps;
    missing += std::round(h / usual) - 1.0;
    if (h > longest) {
      longest = h;
      at = log.t[k];
    }
  }
  // A log that is irregular by nature misses nothing; one with a beat does.
  if (gaps > 0 && missing > repeated && 10 * regular >= 7 * steps.size())
    findings.push_back({FindingKind::dropped_samples, Severity::warning,
                        math::number_text(missing) + (missing == 1.0 ? " row is" : " rows are") +
                            " missing in " + std::to_string(gaps) + (gaps == 1 ? " gap" : " gaps") +
                            " of the log; the longest, " + math::number_text(longest, 3) +
                            " s, follows t = " + math::number_text(at, 6) + " s",
                        missing});
  return findings;
}

std::vector<Finding> check_sensor(const model::WrenchLog& log, std::span<const Sample> samples,
                                  const SampleOptions& sample_options, const DiagnosisOptions& options,
                                  std::vector<bool>& use) {
  const WrenchFrame frame = sample_options.wrench_frame;
  const std::size_t n = samples.size();
  Channels in_sensor(n), in_world(n);
  std::vector<Eigen::Matrix3d> R_WS(n);
  for (std::size_t k = 0; k < n; ++k) {
    // Poses as measured: smoothed ones would blur what is equal to the last digit.
    R_WS[k] = log.X_WS[k].R();
    math::Vector6d written;
    written << log.tau_S[k], log.f_S[k];
    in_sensor[k] = frame == WrenchFrame::sensor ? written : turned(R_WS[k].transpose(), written);
    in_world[k] = frame == WrenchFrame::world ? written : turned(R_WS[k], written);
  }
  std::vector<Finding> findings;
  std::array<std::vector<Stand>, 2> clipped, still;
  const std::size_t shortest = std::max<std::size_t>(10, n / 100);
  std::vector<bool> free(n, true);
  std::vector<std::uint8_t> left_out(n, 0);  // in the sensor's axes one channel can be left out alone
  std::size_t marked = 0, standing_values = 0;
  for (int axes = 0; axes < 2; ++axes) {
    const auto at = static_cast<std::size_t>(axes);
    clipped[at] = extremes(axes == 0 ? in_sensor : in_world);
    still[at] = standstills(axes == 0 ? in_sensor : in_world, shortest);
    for (const auto* stands : {&clipped[at], &still[at]})
      for (const Stand& stand : *stands)
        for (std::size_t row : stand.rows) {
          ++standing_values;
          if (axes == 0) {
            left_out[row] = static_cast<std::uint8_t>(left_out[row] | (1U << stand.channel));
          } else {
            marked += free[row];
            free[row] = false;
          }
        }
  }
  if (standing_values == 0) return findings;
  // Where a channel is noisy, values that are equal to the last digit need no model to be wrong.
  std::array<std::size_t, 2> clipped_rows{}, still_rows{};
  std::string clipped_names, still_names;
  double limit = 0.0;
  std::vector<bool> at_extreme(n, false);
  const auto confirm_clipped = [&](const Stand& stand, std::size_t axes) {
    add_name(kNames[static_cast<std::size_t>(stand.channel)], clipped_names);
    clipped_rows[axes] += stand.rows.size();
    limit = stand.value;
    for (std::size_t k : stand.rows) {
      use[k] = false;
      at_extreme[k] = true;
    }
  };
  const auto confirm_still = [&](const Stand& stand, std::size_t axes) {
    add_name(kNames[static_cast<std::size_t>(stand.channel)], still_names);
    still_rows[axes] = std::max(still_rows[axes], stand.rows.size());
    for (std::size_t k : stand.rows) use[k] = false;
  };
  // A saturated channel stands still as well, in whichever axes one looks.
  const auto at_limit = [&](const Stand& stand) {
    const auto inside = static_cast<std::size_t>(
        std::count_if(stand.rows.begin(), stand.rows.end(), [&](std::size_t k) { return at_extreme[k]; }));
    return 10 * inside >= 8 * stand.rows.size();
  };
  // A frozen wrench turns into standing and extreme values in other axes: it goes first, where noise proves it.
  std::vector<bool> frozen(n, false);
  for (std::size_t axes = 0; axes < 2; ++axes) {
    const Channels& channels = axes == 0 ? in_sensor : in_world;
    for (std::size_t from = 0, to = 0; from < n; from = to) {
      to = from + 1;
      while (to < n && stands(channels, from, to)) ++to;
      if (to - from < shortest) continue;
      std::vector<bool> outside(n, true);
      std::fill(outside.begin() + static_cast<std::ptrdiff_t>(from),
                outside.begin() + static_cast<std::ptrdiff_t>(to), false);
      for (int c = 0; c < 6; ++c) {
        if (frozen[from] || !is_noisy(channels, c, outside, options.noisy_share)) continue;
        std::fill(frozen.begin() + static_cast<std::ptrdiff_t>(from),
                  frozen.begin() + static_cast<std::ptrdiff_t>(to), true);
        still_names = "the whole wrench";
        still_rows[axes] = std::max(still_rows[axes], to - from);
      }
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    if (frozen[k]) use[k] = false;
  for (std::size_t axes = 0; axes < 2; ++axes)
    for (auto* list : {&clipped[axes], &still[axes]})
      std::erase_if(*list, [&](const Stand& stand) {
        return 2 * std::count_if(stand.rows.begin(), stand.rows.end(),
                                 [&](std::size_t k) { return frozen[k]; }) >=
               static_cast<std::ptrdiff_t>(stand.rows.size());
      });
  const auto judge = [&](std::vector<Stand>& stands, std::size_t axes, const auto& proves,
                         const auto& confirm) {
    std::vector<Stand> open;
    for (const Stand& stand : stands) proves(stand) ? confirm(stand, axes) : open.push_back(stand);
    stands = open;
  };
  for (std::size_t axes = 0; axes < 2; ++axes) {
    const Channels& channels = axes == 0 ? in_sensor : in_world;
    const std::vector<Stand> extreme = clipped[axes];
    const auto proves = [&](const Stand& stand) {
      std::vector<bool> others(n, true);
      for (const Stand& other : extreme)
        if (other.channel == stand.channel)
          for (std::size_t k : other.rows) others[k] = false;
      return is_noisy(channels, stand.channel, others, options.noisy_share);
    };
    judge(clipped[axes], axes, proves, confirm_clipped);
  }
  for (std::size_t axes = 0; axes < 2; ++axes) {
    const Channels& channels = axes == 0 ? in_sensor : in_world;
    const auto proves = [&](const Stand& stand) {
      if (at_limit(stand)) return false;
      std::vector<bool> rows(n, false);
      for (std::size_t k : stand.rows) rows[k] = true;
      const int first = stand.channel < 3 ? 0 : 3;
      for (int c = first; c < first + 3; ++c)
        if (c != stand.channel && is_noisy(channels, c, rows, options.noisy_share)) return true;
      return false;
    };
    judge(still[axes], axes, proves, confirm_still);
  }
  std::size_t empty_rows = 0;
  for (std::uint8_t bits : left_out) empty_rows += bits == 0x3F;
  marked = std::max(marked, empty_rows);
  // With most rows standing there is nothing to compare with, except that gravity must be seen to turn.
  const bool judged = n - marked >= 30 && marked < (4 * n) / 5;
  if (!judged && clipped_names.empty() && still_names.empty()) {
    double turn = 0.0;
    for (std::size_t k = 0; k < n; ++k)
      turn = std::max(turn, (samples[k].gravity - samples[0].gravity).norm());
    std::size_t standing = 0;
    for (std::size_t k = 1; k < n; ++k)
      standing += (in_sensor[k] - in_sensor[k - 1]).norm() <= 1e-9 * in_sensor[k].norm() &&
                  (samples[k].gravity - samples[k - 1].gravity).norm() > 0.0;
    if (2 * standing > n && turn > 0.1 * samples[0].gravity.norm()) {
      findings.push_back({FindingKind::stuck_sensor, Severity::blocks,
                          "the wrench stands still in " + std::to_string(standing) + " of " +
                              std::to_string(n) + " rows while the sensor turns: the force sensor was stuck",
                          static_cast<double>(standing)});
    }
    return findings;
  }
  const WrenchFit fit = judged ? fit_wrench(samples, true, free, left_out) : WrenchFit{};
  const auto predicted = [&](std::size_t k, std::size_t axes) {
    const math::Vector6d wrench = predicted_wrench(fit, samples[k]);
    return axes == 0 ? wrench : turned(R_WS[k], wrench);
  };
  for (std::size_t axes = 0; judged && axes < 2; ++axes) {
    for (const Stand& stand : clipped[axes]) {
      if (stand.longest < 3) continue;
      const double rms = stand.channel < 3 ? fit.rms_torque : fit.rms_force;
      const double signal = stand.channel < 3 ? fit.signal_torque : fit.signal_force;
      double excess = 0.0, most = 0.0;
      for (std::size_t k : stand.rows) {
        const double beyond = (predicted(k, axes)(stand.channel) - stand.value) * (stand.upper ? 1.0 : -1.0);
        excess += beyond / static_cast<double>(stand.rows.size());
        most = std::max(most, beyond);
      }
      if (excess > 5.0 * rms / std::sqrt(static_cast<double>(stand.rows.size())) && excess > 0.003 * signal &&
          most > 3.0 * rms)
        confirm_clipped(stand, axes);
    }
  }
  for (std::size_t axes = 0; judged && axes < 2; ++axes) {
    for (const Stand& stand : still[axes]) {
      const double rms = stand.channel < 3 ? fit.rms_torque : fit.rms_force;
      const double signal = stand.channel < 3 ? fit.signal_torque : fit.signal_force;
      double mean = 0.0, square = 0.0;
      const double count = static_cast<double>(stand.rows.size());
      for (std::size_t k : stand.rows) mean += predicted(k, axes)(stand.channel) / count;
      for (std::size_t k : stand.rows)
        square += std::pow(predicted(k, axes)(stand.channel) - mean, 2) / count;
      if (!at_limit(stand) && std::sqrt(square) > 0.02 * signal && std::sqrt(square) > rms)
        confirm_still(stand, axes);
    }
  }
  if (!clipped_names.empty())
    findings.push_back({FindingKind::saturated_sensor, Severity::blocks,
                        "the sensor was saturated: " + clipped_names + " stands at its extreme (" +
                            math::number_text(limit, 4) + ") in " +
                            std::to_string(clipped_rows[0] + clipped_rows[1]) +
                            " rows where the object's wrench goes beyond",
                        static_cast<double>(clipped_rows[0] + clipped_rows[1])});
  if (!still_names.empty())
    findings.push_back({FindingKind::stuck_sensor, Severity::blocks,
                        "the sensor was stuck: " + still_names + " stands still for " +
                            std::to_string(std::max(still_rows[0], still_rows[1])) +
                            " rows while the object's wrench changes",
                        static_cast<double>(std::max(still_rows[0], still_rows[1]))});
  return findings;
}

}  // namespace prehend::inertia
