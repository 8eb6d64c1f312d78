#include <algorithm>
#include <cmath>

#include <prehend/articulation/evidence/track_slips.h>

namespace prehend::articulation {
namespace {

using model::JointType;

constexpr double kSudden = 5.0;   // of what deviations usually change by
constexpr int kAround = 5;        // frames whose median tells where a hold is
constexpr int kLeastHold = 8;     // frames; steps closer to each other are one event, which may lead back
constexpr int kLeastFrames = 20;  // two holds, and some more to tell what deviations usually change by
constexpr int kRounds = 3;        // each finds the slips that larger ones had hidden

using Deviations = std::vector<Eigen::Vector2d>;

// Of a line across it, of a circle outwards and along its axis.
Deviations deviations_of(const JointFit& fit, const Observations& observations) {
  Deviations result;
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    const Eigen::Vector3d e = fit.joint.X_FJ.R().transpose() * fit.track_residuals[i];
    if (fit.joint.type == JointType::revolute) {
      const double q = (*fit.states[observations.poses[i].time])[0];
      result.emplace_back(e.x() * std::cos(q) + e.y() * std::sin(q), e.z());
    } else {
      result.emplace_back(e.head<2>());
    }
  }
  return result;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Frames between which deviations change suddenly.
struct Event {
  int first, last;
};

// From one frame to the next, and for slips that take longer, over two, four and eight frames: where the change is the largest.
std::vector<Event> events(const Deviations& deviations, const std::vector<int>& holds) {
  std::vector<Event> found;
  const int count = static_cast<int>(deviations.size());
  for (const int lag : {1, 2, 4, 8}) {
    std::vector<double> steps;
    for (int i = 0; i + lag < count; ++i)
      steps.push_back(
          !holds.empty() && holds[i] != holds[i + lag] ? 0.0 : (deviations[i + lag] - deviations[i]).norm());
    if (steps.empty()) break;
    const double sudden = kSudden * median(steps) / 1.177;  // of two freedoms
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(steps.size()); ++i)
      if (steps[i] > sudden) order.push_back(i);
    std::ranges::sort(order, [&](int a, int b) { return steps[a] > steps[b]; });
    for (const int i : order) {
      const bool is_new = lag == 1 || std::ranges::none_of(found, [&](const Event& e) {
                            return i < e.last && e.first < i + lag;
                          });
      if (is_new) found.push_back({i, i + lag});
    }
  }
  std::ranges::sort(found, {}, &Event::first);
  std::vector<Event> merged;
  for (const Event& e : found) {
    if (!merged.empty() && e.first - merged.back().last < kLeastHold)
      merged.back().last = std::max(merged.back().last, e.last);
    else
      merged.push_back(e);
  }
  return merged;
}

Eigen::Vector2d middle(const Deviations& deviations, int first, int last) {
  std::vector<double> x, y;
  for (int i = first; i <= last; ++i) {
    x.push_back(deviations[i].x());
    y.push_back(deviations[i].y());
  }
  return {median(std::move(x)), median(std::move(y))};
}

// [m] From before the event to after it.
double step(const Deviations& deviations, const Event& event) {
  const int last = static_cast<int>(deviations.size()) - 1;
  return (middle(deviations, event.last, std::min(event.last + kAround - 1, last)) -
          middle(deviations, std::max(event.first - kAround + 1, 0), event.first))
      .norm();
}

// `index`: where the observations that are left stand in those given.
Observations without(const Observations& observations, const std::vector<Slip>& slips,
                     std::vector<int>& index) {
  Observations result = observations;
  result.poses.clear();
  result.holds.clear();
  index.clear();
  std::size_t next = 0;
  for (int i = 0; i < static_cast<int>(observations.poses.size()); ++i) {
    while (next < slips.size() && i >= slips[next].after) ++next;
    if (next < slips.size() && i > slips[next].before) continue;
    result.poses.push_back(observations.poses[i]);
    result.holds.push_back(static_cast<int>(next));
    index.push_back(i);
  }
  // The hold that sees most of the way comes first: a joint's radius is that of its point, and one at rest has none.
  std::vector<Eigen::Vector3d> sum(slips.size() + 1, Eigen::Vector3d::Zero());
  std::vector<double> squares(sum.size(), 0.0), frames(sum.size(), 0.0);
  for (std::size_t i = 0; i < result.poses.size(); ++i) {
    const Eigen::Vector3d p = result.poses[i].X_FM.p() - result.poses.front().X_FM.p();
    sum[result.holds[i]] += p;
    squares[result.holds[i]] += p.squaredNorm();
    frames[result.holds[i]] += 1;
  }
  for (std::size_t k = 0; k < sum.size(); ++k)
    if (frames[k] > 0) squares[k] -= sum[k].squaredNorm() / frames[k];
  const int most = static_cast<int>(std::ranges::max_element(squares) - squares.begin());
  for (int& hold : result.holds) hold = hold == most ? 0 : hold == 0 ? most : hold;
  return result;
}

// [m] Of a slip once its holds are known: across the line's direction, or in radius and height, whichever is less.
double size_of(const Slip& slip, const Observations& observations, const JointFit& line,
               const JointFit& circle) {
  const auto place = [&](int first, int last) {
    Eigen::Vector3d p;
    for (int k = 0; k < 3; ++k) {
      std::vector<double> x;
      for (int i = first; i <= last; ++i) x.push_back(observations.poses[i].X_FM.p()[k]);
      p[k] = median(std::move(x));
    }
    return p;
  };
  const int last = static_cast<int>(observations.poses.size()) - 1;
  const Eigen::Vector3d before = place(std::max(slip.before - kAround + 1, 0), slip.before);
  const Eigen::Vector3d after = place(slip.after, std::min(slip.after + kAround - 1, last));
  const auto across = [](const Joint& joint, const Eigen::Vector3d& p) -> Eigen::Vector3d {
    const Eigen::Vector3d u = joint.X_FJ.inverse() * p;
    if (joint.type == JointType::revolute) return {u.head<2>().norm(), u.z(), 0};
    return {u.x(), u.y(), 0};
  };
  return std::min((across(line.joint, after) - across(line.joint, before)).norm(),
                  (across(circle.joint, after) - across(circle.joint, before)).norm());
}

}  // namespace

HeldTrack hold_apart(const Observations& observations, const FitOptions& options, double least) {
  HeldTrack track{observations, {}};
  const int count = static_cast<int>(observations.poses.size());
  if (observations.has_orientation || count < kLeastFrames) return track;
  const auto time = [&](int i) { return observations.times[observations.poses[i].time]; };
  std::vector<int> index(count);  // of the observations that are held, in those given
  for (int i = 0; i < count; ++i) index[i] = i;
  for (int round = 0; round <= kRounds; ++round) {
    const JointFit line = fit_joint(JointType::prismatic, track.observations, options);
    const JointFit circle = fit_joint(JointType::revolute, track.observations, options);
    if (line.status == FitStatus::failed || circle.status == FitStatus::failed) break;
    for (Slip& slip : track.slips) slip.size = size_of(slip, observations, line, circle);
    if (round == kRounds) break;
    const Deviations of_line = deviations_of(line, track.observations);
    const Deviations of_circle = deviations_of(circle, track.observations);
    const int held = static_cast<int>(of_line.size());
    std::vector<Slip> slips = track.slips;
    for (const Event& a : events(of_line, track.observations.holds))
      for (const Event& b : events(of_circle, track.observations.holds)) {
        if (a.first > b.last || b.first > a.last) continue;
        const Event both{std::min(a.first, b.first), std::max(a.last, b.last)};
        if (both.first < kLeastHold - 1 || both.last > held - kLeastHold) continue;
        const double size = std::min(step(of_line, both), step(of_circle, both));
        const Slip slip{index[both.first], index[both.last], size, time(index[both.first]),
                        time(index[both.last])};
        // Too close to a slip that is known: the rest of it.
        const bool is_new = std::ranges::none_of(slips, [&](const Slip& s) {
          return slip.before < s.after + kLeastHold - 1 && s.before < slip.after + kLeastHold - 1;
        });
        if (size > least && is_new) slips.push_back(slip);
      }
    if (slips.size() == track.slips.size()) break;
    std::ranges::sort(slips, {}, &Slip::before);
    track.slips = std::move(slips);
    track.observations = without(observations, track.slips, index);
  }
  return track;
}

}  // namespace prehend::articulation
