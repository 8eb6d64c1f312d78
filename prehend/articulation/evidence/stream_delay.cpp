#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/articulation/evidence/pose_between.h>
#include <prehend/articulation/evidence/stream_delay.h>
#include <prehend/articulation/joint_fit.h>
#include <prehend/math/angles.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;

constexpr std::size_t kDelayFrames = 120;  // as many tell a delay to a few milliseconds
constexpr std::size_t kLeastDelayFrames = 20;
// [nats per frame] By which a delay must be more likely than none, and than the opposite one. Poses between rows are means of two, and half of their noise is
// gone whatever the delay, which is worth up to one nat; the opposite delay has the same places between rows, and is as likely where nothing is late: of
// 120 frames 0.4 are 48 nats. From a tenth of a nat on it cannot be ruled out.
constexpr double kMoreLikely = 0.2, kFarMoreLikely = 0.4, kNotRuledOut = 0.1;
constexpr double kLeastDelay = 0.002;  // [s] what clocks differ by without harm

std::optional<std::vector<TimedPose>> timed_poses(const model::PoseLog& log, int part) {
  std::vector<TimedPose> poses;
  for (const model::PoseRow* row : log.track(part)) {
    if (!row->q_WP) return std::nullopt;
    poses.push_back({row->t, row->p_WP, row->q_WP->normalized()});
  }
  return poses;
}

math::Pose pose_of_row(const TimedPose& row) { return math::Pose(*row.q_WP, row.p_WP); }

// Whether a part stands still in the world: its poses spread no more than they jitter from row to row (noise alone has a ratio of 1/2). Then nothing shows by how much the
// other is late.
bool rests(const std::vector<TimedPose>& rows) {
  constexpr double kJitter = 1.0;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const TimedPose& row : rows) mean += row.p_WP / static_cast<double>(rows.size());
  const Eigen::Quaterniond middle = *rows[rows.size() / 2].q_WP;
  double shift = 0, shift_jitter = 0, turn = 0, turn_jitter = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    shift += (rows[i].p_WP - mean).squaredNorm();
    shift_jitter += (rows[i].p_WP - rows[i - 1].p_WP).squaredNorm();
    turn += 0.5 * math::log_so3(middle.conjugate() * *rows[i].q_WP).squaredNorm();
    turn_jitter += math::log_so3(rows[i - 1].q_WP->conjugate() * *rows[i].q_WP).squaredNorm();
  }
  return shift <= kJitter * shift_jitter && turn <= kJitter * turn_jitter;
}

// [m] The space that the parts move in.
double extent(const model::PoseLog& log) {
  double size = 0;
  for (const model::PoseRow& row : log.rows) size = std::max(size, (row.p_WP - log.rows.front().p_WP).norm());
  return size;
}

// Whether a part moves in the world by no more than slow errors of trackers are: what a delay would displace is then an error as well. Flipped markers, a few in a
// hundred, do not count.
bool hardly_moves(const std::vector<TimedPose>& rows, double size) {
  // [m, rad] Per axis, and of the space that is seen, as tree/error_floor.cpp has it.
  constexpr double kSlow = 0.005, kOfSize = 0.02, kSlowTurn = 2.0 * math::kPi / 180;
  constexpr double kMost = 0.9,
                   kWithin = 2.5;  // nine of ten Gaussian frames lie within as many deviations per axis
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
  for (const TimedPose& row : rows)
    mean += row.p_WP / static_cast<double>(rows.size()), R += row.q_WP->toRotationMatrix();
  const Eigen::Quaterniond middle(math::nearest_rotation(R));
  std::vector<double> shifts, turns;
  for (const TimedPose& row : rows) {
    shifts.push_back((row.p_WP - mean).norm());
    turns.push_back(math::log_so3(middle.conjugate() * *row.q_WP).norm());
  }
  const auto most = [](std::vector<double>& x) {
    const auto at = x.begin() + static_cast<std::ptrdiff_t>(kMost * static_cast<double>(x.size() - 1));
    std::nth_element(x.begin(), at, x.end());
    return *at;
  };
  return most(shifts) <= kWithin * std::min(kSlow, kOfSize * size) && most(turns) <= kWithin * kSlowTurn;
}

// How likely the best simple connection is with the moving part's stamps made earlier.
class DelayedPair {
 public:
  DelayedPair(std::vector<TimedPose> fixed, std::vector<TimedPose> moving)
      : fixed_(std::move(fixed)), moving_(std::move(moving)) {
    stride_ = fixed_.size() / kDelayFrames + 1;
    // The same frames for every delay: what happens at the ends would come in and go out.
    const auto& rows = moving_.rows();
    if (rows.back().t - rows.front().t > 4 * kLongestDelay) {
      first_ = rows.front().t + kLongestDelay;
      last_ = rows.back().t - kLongestDelay;
    }
  }

  // [nats per frame] States integrated out.
  double score(double delay) const {
    std::vector<math::Pose> X_FM;
    for (std::size_t i = 0; i < fixed_.size(); i += stride_)
      if (fixed_[i].t < first_ || fixed_[i].t > last_)
        continue;
      else if (const auto place = moving_.place(fixed_[i].t + delay))
        X_FM.push_back(pose_of_row(fixed_[i]).inverse() *
                       pose_of_row(moving_.at(fixed_[i].t + delay, *place)));
    double best = -std::numeric_limits<double>::infinity();
    if (X_FM.size() < kLeastDelayFrames) return best;
    const Observations seen = observations_of(X_FM, true);
    FitOptions options;
    options.noise_shape = NoiseShape::gaussian;
    for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute}) {
      const JointFit fit = fit_joint(type, seen, options);
      if (fit.status == FitStatus::failed) continue;
      best = std::max(best, fit.log_likelihood_independent / static_cast<double>(X_FM.size()));
    }
    return best;
  }

  double period() const {
    const std::vector<TimedPose>& rows = moving_.rows();
    return rows.size() > 1 ? (rows.back().t - rows.front().t) / static_cast<double>(rows.size() - 1) : 0.0;
  }

 private:
  std::vector<TimedPose> fixed_;
  PosesBetween moving_;
  std::size_t stride_;
  double first_{-std::numeric_limits<double>::infinity()},
      last_{std::numeric_limits<double>::infinity()};  // [s]
};

}  // namespace

std::optional<PairDelay> pair_delay(const model::PoseLog& log, int fixed, int moving) {
  auto F = timed_poses(log, fixed), M = timed_poses(log, moving);
  if (!F || !M || F->size() < kLeastDelayFrames || M->size() < kLeastDelayFrames) return std::nullopt;
  const double size = extent(log);
  const bool tells = !rests(*F) && !rests(*M) && !hardly_moves(*F, size) && !hardly_moves(*M, size);
  const DelayedPair pair(std::move(*F), std::move(*M));
  const PairDelay none{0.0, pair.score(0.0), true};
  if (!std::isfinite(none.score)) return std::nullopt;
  if (!tells) return none;
  // A frame at a time, ten steps to each side at least.
  const double step = std::clamp(pair.period(), 0.005, 0.1 * kLongestDelay);
  PairDelay best = none;
  const auto look_at = [&](double delay) {
    const double score = pair.score(delay);
    if (score > best.score) best = {delay, score, false};
    return score;
  };
  // What grows with the delay grows from the first step on.
  constexpr double kNoBetter = 0.05;  // [nats per frame]
  if (std::max(look_at(step), look_at(-step)) < none.score + kNoBetter) return none;
  for (double delay = 2 * step; delay <= kLongestDelay; delay += step) look_at(delay), look_at(-delay);
  double low = best.delay - step, high = best.delay + step;
  for (int k = 0; k < 6; ++k) {  // to a twentieth of a step
    const double a = low + 0.38 * (high - low), b = low + 0.62 * (high - low);
    const bool is_below = look_at(a) > look_at(b);
    (is_below ? high : low) = is_below ? b : a;
  }
  const double opposite = pair.score(-best.delay);
  if (std::abs(best.delay) < kLeastDelay || std::abs(best.delay) > kLongestDelay ||
      best.score <= none.score + kNotRuledOut || best.score <= opposite + kNotRuledOut)
    return none;
  best.is_believed = best.score > none.score + kMoreLikely && best.score > opposite + kFarMoreLikely;
  return best;
}

}  // namespace prehend::articulation
