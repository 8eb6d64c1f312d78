#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <prehend/articulation/evidence/common_clock.h>
#include <prehend/articulation/evidence/pose_between.h>

namespace prehend::articulation {
namespace {

// Of the rows of the part that is seen less often.
constexpr double kShared = 0.2;

using TimedRows = std::vector<const model::PoseRow*>;

// How many rows of the shorter track have a partner in the longer one, as a share.
double shared_times(const TimedRows& a, const TimedRows& b, double tolerance) {
  std::size_t i = 0, j = 0, both = 0;
  while (i < a.size() && j < b.size()) {
    const double gap = a[i]->t - b[j]->t;
    if (std::abs(gap) <= tolerance)
      ++both, ++i, ++j;
    else if (gap < 0)
      ++i;
    else
      ++j;
  }
  return static_cast<double>(both) /
         static_cast<double>(std::max<std::size_t>(1, std::min(a.size(), b.size())));
}

double median_of_times(std::vector<double> x) {
  if (x.empty()) return 0.0;
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

double period_of(const TimedRows& rows) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < rows.size(); ++i) gaps.push_back(rows[i]->t - rows[i - 1]->t);
  return median_of_times(std::move(gaps));
}

// Parts by clock, each compared with the first of every clock so far.
std::vector<std::vector<int>> clocks_of(const std::vector<TimedRows>& tracks, const std::vector<int>& parts,
                                        double tolerance) {
  std::vector<std::vector<int>> clocks;
  for (const int part : parts) {
    if (tracks[part].empty()) continue;
    const auto same = std::ranges::find_if(clocks, [&](const std::vector<int>& clock) {
      return std::ranges::any_of(
          clock, [&](int other) { return shared_times(tracks[other], tracks[part], tolerance) >= kShared; });
    });
    if (same == clocks.end())
      clocks.push_back({part});
    else
      same->push_back(part);
  }
  return clocks;
}

// The slowest; of equally fast ones (to a tenth) that of most parts.
std::size_t slowest(const std::vector<std::vector<int>>& clocks, const std::vector<TimedRows>& tracks) {
  std::size_t chosen = 0;
  constexpr double kAsFast = 1.1;
  for (std::size_t k = 1; k < clocks.size(); ++k) {
    const double period = period_of(tracks[clocks[k].front()]),
                 best = period_of(tracks[clocks[chosen].front()]);
    if (period > kAsFast * best || (kAsFast * period > best && clocks[k].size() > clocks[chosen].size()))
      chosen = k;
  }
  return chosen;
}

struct Resampled {
  std::vector<model::PoseRow> rows;
  std::vector<math::Matrix6d> covariances;
  double shift{0};  // [s] median distance to the nearest row
};

Resampled resampled(const model::PoseLog& log, const TimedRows& rows, const std::vector<double>& times) {
  Resampled result;
  std::vector<double> shifts;
  std::vector<TimedPose> poses;
  for (const model::PoseRow* row : rows) poses.push_back({row->t, row->p_WP, row->q_WP});
  const PosesBetween between(std::move(poses));
  const auto covariance = [&](const model::PoseRow* row) -> const math::Matrix6d& {
    return log.covariances[static_cast<std::size_t>(row - log.rows.data())];
  };
  for (const double t : times) {
    const std::optional<PosesBetween::Place> place = between.place(t);
    if (!place) continue;
    const model::PoseRow *before = rows[place->before], *after = rows[place->after];
    const TimedPose pose = between.at(t, *place);
    model::PoseRow row = place->u < 0.5 ? *before : *after;
    row.t = t;
    row.p_WP = pose.p_WP;
    row.q_WP = pose.q_WP;
    result.rows.push_back(row);
    shifts.push_back(std::min(t - before->t, after->t - t));
    if (!log.covariances.empty())
      result.covariances.push_back((1 - place->u) * covariance(before) + place->u * covariance(after));
  }
  result.shift = median_of_times(std::move(shifts));
  return result;
}

}  // namespace

std::optional<model::PoseLog> on_one_clock(const model::PoseLog& log, const std::vector<int>& parts,
                                           double tolerance, std::vector<std::string>& notes) {
  if (parts.size() < 2) return std::nullopt;
  const std::vector<TimedRows> tracks = log.tracks();
  const std::vector<std::vector<int>> clocks = clocks_of(tracks, parts, tolerance);
  if (clocks.size() < 2) return std::nullopt;
  const std::size_t reference = slowest(clocks, tracks);
  std::vector<double> times;
  for (const int part : clocks[reference])
    for (const model::PoseRow* row : tracks[part]) times.push_back(row->t);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end(), [&](double a, double b) { return b - a <= tolerance; }),
              times.end());
  model::PoseLog result = log;
  result.rows.clear();
  result.covariances.clear();
  const auto add = [&](const model::PoseRow& row, const math::Matrix6d* covariance) {
    result.rows.push_back(row);
    if (covariance) result.covariances.push_back(*covariance);
  };
  for (std::size_t k = 0; k < clocks.size(); ++k)
    for (const int part : clocks[k]) {
      const Resampled made = k == reference ? Resampled{} : resampled(log, tracks[part], times);
      if (made.rows.size() < 2) {
        for (const model::PoseRow* row : tracks[part])
          add(*row, log.covariances.empty()
                        ? nullptr
                        : &log.covariances[static_cast<std::size_t>(row - log.rows.data())]);
        continue;
      }
      for (std::size_t i = 0; i < made.rows.size(); ++i)
        add(made.rows[i], made.covariances.empty() ? nullptr : &made.covariances[i]);
      char note[240];
      std::snprintf(
          note, sizeof note,
          "'%s' is stamped %.3g ms off the frames of '%s': its poses are interpolated between rows up to "
          "%.3g s apart",
          log.parts[part].c_str(), 1e3 * made.shift, log.parts[clocks[reference].front()].c_str(),
          2 * kLongestGap);
      notes.push_back(note);
    }
  return result;
}

model::PoseLog made_earlier(model::PoseLog log, int part, double delay) {
  for (model::PoseRow& row : log.rows)
    if (row.part == part) row.t -= delay;
  return log;
}

}  // namespace prehend::articulation
