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

const std::array<const char*, 6> kAxisNames = {"tx", "ty", "tz", "fx", "fy", "fz"};

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
// ... and equal to a channel of the other axes where these are turned from them by some microradians at most, relative.
constexpr double kEcho = 1e-5;

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

// The step of a channel whose values keep to a grid, as converters and drivers with few digits give them; zero without one. On a grid a value that stands proves nothing.
double step_of(const Channels& channels, int c) {
  constexpr double kOnGrid = 0.9, kNear = 0.02;
  double least = 1e300, most = 0.0;
  const double tolerance = 10.0 * rounding(channels, c);
  std::vector<double> changes;
  for (std::size_t k = 1; k < channels.size(); ++k) {
    const double change = std::abs(channels[k](c) - channels[k - 1](c));
    most = std::max(most, change);
    if (!(change > tolerance)) continue;
    changes.push_back(change);
    least = std::min(least, change);
  }
  // A step that is near the rounding cannot be told from it.
  if (changes.size() < 10 || !(least > 100.0 * tolerance)) return 0.0;
  std::size_t on_grid = 0;
  for (const double change : changes)
    on_grid += std::abs(change / least - std::round(change / least)) < kNear;
  return static_cast<double>(on_grid) > kOnGrid * static_cast<double>(changes.size()) ? least : 0.0;
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

// What decides that a standing value is wrong, where the fit to the other rows must say it.
constexpr double kExcessDeviations = 5.0;  // the mean beyond a limit, of its own standard deviation
constexpr double kMostDeviations = 3.0;    // the largest excess, of one row's residual
constexpr double kExcessShare =
    0.003;  // the mean excess, of the signal: less is the error of a smoothed motion
constexpr double kChangeShare =
    0.02;  // what a stuck channel should have shown, of the signal: the same reason
// Fewest rows that stand before a channel counts as stuck, and the share of a long log that they must be.
constexpr std::size_t kFewestStanding = 10, kStandingShare = 100;

// Looks for channels that stand, in the sensor's axes and in the world's, and proves them wrong by noise or by a fit.
class SensorCheck {
 public:
  SensorCheck(const model::WrenchLog& log, std::span<const Sample> samples, WrenchFrame frame,
              const DiagnosisOptions& options, std::vector<bool>& use)
      : samples_(samples), options_(options), n_(samples.size()), use_(use) {
    shortest_ = std::max<std::size_t>(kFewestStanding, n_ / kStandingShare);
    read_channels(log, frame);
    for (std::size_t axes : {kSensor, kWorld})
      for (int c = 0; c < 6; ++c) steps_[axes][static_cast<std::size_t>(c)] = step_of(channels_[axes], c);
    find_stands();
  }

  std::vector<Finding> findings() {
    if (standing_values_ == 0) return {};
    find_frozen();
    judge_by_noise();
    // With most rows standing there is nothing to compare with, except that gravity must be seen to turn.
    std::size_t empty_rows = 0;
    for (std::uint8_t bits : left_out_) empty_rows += bits == 0x3F;
    marked_ = std::max(marked_, empty_rows);
    const bool can_fit = n_ - marked_ >= 30 && marked_ < (4 * n_) / 5;
    if (!can_fit && clipped_names_.empty() && still_names_.empty()) return stuck_while_turning();
    if (can_fit) judge_by_fit();
    return confirmed();
  }

 private:
  static constexpr std::size_t kSensor = 0, kWorld = 1;  // axes

  void read_channels(const model::WrenchLog& log, WrenchFrame frame) {
    channels_[kSensor].resize(n_);
    channels_[kWorld].resize(n_);
    R_WS_.resize(n_);
    moves_.assign(n_, true);
    for (std::size_t k = 1; k < n_; ++k)
      moves_[k] =
          log.X_WS[k].p() != log.X_WS[k - 1].p() || log.X_WS[k].q().coeffs() != log.X_WS[k - 1].q().coeffs();
    for (std::size_t k = 0; k < n_; ++k) {
      // Poses as measured: smoothed ones would blur what is equal to the last digit.
      R_WS_[k] = log.X_WS[k].R();
      math::Vector6d written;
      written << log.tau_S[k], log.f_S[k];
      channels_[kSensor][k] = frame == WrenchFrame::sensor ? written : turned(R_WS_[k].transpose(), written);
      channels_[kWorld][k] = frame == WrenchFrame::world ? written : turned(R_WS_[k], written);
    }
  }

  void find_stands() {
    free_.assign(n_, true);
    left_out_.assign(n_, 0);
    at_extreme_.assign(n_, false);
    for (std::size_t axes : {kSensor, kWorld}) {
      clipped_[axes] = extremes(channels_[axes]);
      still_[axes] = standstills(channels_[axes], shortest_);
      for (const auto* stands : {&clipped_[axes], &still_[axes]})
        for (const Stand& stand : *stands)
          for (std::size_t row : stand.rows) {
            ++standing_values_;
            if (axes == kSensor) {
              left_out_[row] = static_cast<std::uint8_t>(left_out_[row] | (1U << stand.channel));
            } else {
              marked_ += free_[row];
              free_[row] = false;
            }
          }
    }
  }

  void confirm_clipped(const Stand& stand, std::size_t axes) {
    add_name(kAxisNames[static_cast<std::size_t>(stand.channel)], clipped_names_);
    clipped_rows_[axes] += stand.rows.size();
    limit_ = stand.value;
    for (std::size_t k : stand.rows) {
      use_[k] = false;
      at_extreme_[k] = true;
    }
  }

  void confirm_still(const Stand& stand, std::size_t axes) {
    add_name(kAxisNames[static_cast<std::size_t>(stand.channel)], still_names_);
    still_rows_[axes] = std::max(still_rows_[axes], stand.rows.size());
    for (std::size_t k : stand.rows) use_[k] = false;
  }

  // A saturated channel stands still as well, in whichever axes one looks.
  bool is_at_limit(const Stand& stand) const {
    const auto inside = static_cast<std::size_t>(
        std::count_if(stand.rows.begin(), stand.rows.end(), [&](std::size_t k) { return at_extreme_[k]; }));
    return 10 * inside >= 8 * stand.rows.size();
  }

  // A frozen wrench turns into standing and extreme values in other axes: it goes first, where noise proves it.
  void find_frozen() {
    std::vector<bool> frozen(n_, false);
    const auto set = [](std::vector<bool>& rows, std::size_t from, std::size_t to, bool value) {
      std::fill(rows.begin() + static_cast<std::ptrdiff_t>(from),
                rows.begin() + static_cast<std::ptrdiff_t>(to), value);
    };
    for (std::size_t axes : {kSensor, kWorld}) {
      const Channels& channels = channels_[axes];
      for (std::size_t from = 0, to = 0; from < n_; from = to) {
        to = from + 1;
        while (to < n_ && stands(channels, from, to)) ++to;
        if (to - from < shortest_) continue;
        std::vector<bool> outside(n_, true);
        set(outside, from, to, false);
        for (int c = 0; c < 6; ++c) {
          if (frozen[from] || !is_noisy(channels, c, outside, options_.noisy_share)) continue;
          set(frozen, from, to, true);
          still_names_ = "the whole wrench";
          still_rows_[axes] = std::max(still_rows_[axes], to - from);
        }
      }
    }
    for (std::size_t k = 0; k < n_; ++k)
      if (frozen[k]) use_[k] = false;
    for (std::size_t axes : {kSensor, kWorld})
      for (auto* list : {&clipped_[axes], &still_[axes]})
        std::erase_if(*list, [&](const Stand& stand) {
          return 2 * std::count_if(stand.rows.begin(), stand.rows.end(),
                                   [&](std::size_t k) { return frozen[k]; }) >=
                 static_cast<std::ptrdiff_t>(stand.rows.size());
        });
  }

  // A channel stuck in the other axes shows in these wherever the axes are aligned: the same value, in rows where that one stands.
  bool is_echo(const Stand& stand, std::size_t axes) const {
    const std::size_t other_axes = 1 - axes;
    return std::any_of(still_[other_axes].begin(), still_[other_axes].end(), [&](const Stand& other) {
      if ((other.channel < 3) != (stand.channel < 3) || other.rows.size() <= stand.rows.size()) return false;
      const double size = std::abs(other.value);
      const auto inside =
          static_cast<std::size_t>(std::count_if(stand.rows.begin(), stand.rows.end(), [&](std::size_t k) {
            return k >= other.rows.front() && k <= other.rows.back();
          }));
      return std::abs(std::abs(stand.value) - size) <= kEcho * size && inside == stand.rows.size() &&
             has_noisy_neighbour(other, other_axes);
    });
  }

  // A value that stood nearly all on end may be a stuck one that happens to be the extreme: the object's wrench, by the other rows, then stays inside.
  bool is_stuck_at_extreme(const Stand& stand, std::size_t axes) const {
    if (10 * stand.longest < 9 * stand.rows.size() || stand.longest < shortest_) return false;
    std::vector<bool> others = use_;
    for (std::size_t k : stand.rows) others[k] = false;
    const WrenchFit fit = fit_wrench(samples_, true, others);
    if (fit.samples < 30) return false;
    double beyond = 0.0;
    for (std::size_t k : stand.rows) {
      const math::Vector6d wrench = predicted_wrench(fit, samples_[k]);
      beyond += (axes == kSensor ? wrench : turned(R_WS_[k], wrench))(stand.channel) - stand.value;
    }
    return beyond * (stand.upper ? 1.0 : -1.0) < 0.0;
  }

  // Where a channel is noisy, values that are equal to the last digit need no model to be wrong.
  void judge_by_noise() {
    for (std::size_t axes : {kSensor, kWorld}) {
      const std::vector<Stand> extreme = clipped_[axes];
      std::erase_if(clipped_[axes], [&](const Stand& stand) {
        std::vector<bool> others(n_, true);
        for (const Stand& other : extreme)
          if (other.channel == stand.channel)
            for (std::size_t k : other.rows) others[k] = false;
        if (is_echo(stand, axes)) return true;
        if (step_at(stand, axes) > 0.0) return false;
        if (!is_noisy(channels_[axes], stand.channel, others, options_.noisy_share)) return false;
        is_stuck_at_extreme(stand, axes) ? confirm_still(stand, axes) : confirm_clipped(stand, axes);
        return true;
      });
    }
    for (std::size_t axes : {kSensor, kWorld})
      std::erase_if(still_[axes], [&](const Stand& stand) {
        if (is_at_limit(stand) || step_at(stand, axes) > 0.0 || !has_noisy_neighbour(stand, axes))
          return false;
        confirm_still(stand, axes);
        return true;
      });
  }

  double step_at(const Stand& stand, std::size_t axes) const {
    return steps_[axes][static_cast<std::size_t>(stand.channel)];
  }

  // Another channel of the same kind, in the rows where this one stands.
  bool has_noisy_neighbour(const Stand& stand, std::size_t axes) const {
    std::vector<bool> rows(n_, false);
    for (std::size_t k : stand.rows) rows[k] = true;
    const int first = stand.channel < 3 ? 0 : 3;
    for (int c = first; c < first + 3; ++c)
      if (c != stand.channel && is_noisy(channels_[axes], c, rows, options_.noisy_share)) return true;
    return false;
  }

  std::vector<Finding> stuck_while_turning() const {
    double turn = 0.0;
    for (std::size_t k = 0; k < n_; ++k)
      turn = std::max(turn, (samples_[k].gravity - samples_[0].gravity).norm());
    std::size_t standing = 0;
    const Channels& channels = channels_[kSensor];
    for (std::size_t k = 1; k < n_; ++k)
      standing += (channels[k] - channels[k - 1]).norm() <= 1e-9 * channels[k].norm() &&
                  (samples_[k].gravity - samples_[k - 1].gravity).norm() > 0.0;
    if (!(2 * standing > n_ && turn > 0.1 * samples_[0].gravity.norm())) return {};
    return {{FindingKind::stuck_sensor, Severity::blocks,
             "the wrench stands still in " + std::to_string(standing) + " of " + std::to_string(n_) +
                 " rows while the sensor turns: the force sensor was stuck",
             static_cast<double>(standing)}};
  }

  // The body's wrench, fitted to the other rows and channels, against the values that stand.
  void judge_by_fit() {
    const WrenchFit fit = fit_wrench(samples_, true, free_, left_out_);
    const auto predicted = [&](std::size_t k, std::size_t axes, int channel) {
      const math::Vector6d wrench = predicted_wrench(fit, samples_[k]);
      return axes == kSensor ? wrench(channel) : turned(R_WS_[k], wrench)(channel);
    };
    for (std::size_t axes : {kSensor, kWorld})
      for (const Stand& stand : clipped_[axes]) {
        if (stand.longest < 3) continue;
        const double rms = stand.channel < 3 ? fit.rms_torque : fit.rms_force;
        const double signal = stand.channel < 3 ? fit.signal_torque : fit.signal_force;
        const double count = static_cast<double>(stand.rows.size());
        double excess = 0.0, most = 0.0;
        for (std::size_t k : stand.rows) {
          const double beyond =
              (predicted(k, axes, stand.channel) - stand.value) * (stand.upper ? 1.0 : -1.0);
          excess += beyond / count;
          most = std::max(most, beyond);
        }
        if (excess > kExcessDeviations * rms / std::sqrt(count) && excess > kExcessShare * signal &&
            most > std::max(kMostDeviations * rms, step_at(stand, axes)))
          confirm_clipped(stand, axes);
      }
    for (std::size_t axes : {kSensor, kWorld})
      for (const Stand& stand : still_[axes]) {
        const double rms = stand.channel < 3 ? fit.rms_torque : fit.rms_force;
        const double signal = stand.channel < 3 ? fit.signal_torque : fit.signal_force;
        // Where the poses stand to the last digit nothing can change.
        std::vector<double> values;
        for (std::size_t k : stand.rows)
          if (moves_[k]) values.push_back(predicted(k, axes, stand.channel));
        if (values.size() < kFewestStanding) continue;
        double mean = 0.0, square = 0.0;
        const double count = static_cast<double>(values.size());
        for (const double value : values) mean += value / count;
        for (const double value : values) square += (value - mean) * (value - mean) / count;
        if (!is_at_limit(stand) &&
            std::sqrt(square) > std::max({kChangeShare * signal, rms, step_at(stand, axes)}))
          confirm_still(stand, axes);
      }
  }

  std::vector<Finding> confirmed() const {
    std::vector<Finding> findings;
    const std::size_t clipped = clipped_rows_[kSensor] + clipped_rows_[kWorld];
    if (!clipped_names_.empty())
      findings.push_back({FindingKind::saturated_sensor, Severity::blocks,
                          "the sensor was saturated: " + clipped_names_ + " stands at its extreme (" +
                              math::number_text(limit_, 4) + ") in " + std::to_string(clipped) +
                              " rows where the object's wrench goes beyond",
                          static_cast<double>(clipped)});
    const std::size_t still = std::max(still_rows_[kSensor], still_rows_[kWorld]);
    if (!still_names_.empty())
      findings.push_back({FindingKind::stuck_sensor, Severity::blocks,
                          "the sensor was stuck: " + still_names_ + " stands still for " +
                              std::to_string(still) + " rows while the object's wrench changes",
                          static_cast<double>(still)});
    return findings;
  }

  std::span<const Sample> samples_;
  const DiagnosisOptions& options_;
  std::size_t n_, shortest_{0};
  std::vector<bool>& use_;
  std::array<Channels, 2> channels_;              // by axes
  std::array<std::array<double, 6>, 2> steps_{};  // of channels that keep to a grid, else zero
  std::vector<Eigen::Matrix3d> R_WS_;
  std::vector<bool> moves_;                            // the pose is not that of the row before
  std::array<std::vector<Stand>, 2> clipped_, still_;  // not proved yet
  std::vector<bool> free_;                             // rows in which nothing stands in the world's axes
  std::vector<std::uint8_t> left_out_;  // in the sensor's axes one channel can be left out alone
  std::vector<bool> at_extreme_;
  std::size_t marked_{0}, standing_values_{0};
  std::array<std::size_t, 2> clipped_rows_{}, still_rows_{};
  std::string clipped_names_, still_names_;
  double limit_{0.0};
};

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
  return SensorCheck(log, samples, sample_options.wrench_frame, options, use).findings();
}

}  // namespace prehend::inertia
