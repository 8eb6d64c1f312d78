#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/model/input_error.h>
#include <prehend/model/text_scan.h>
#include <prehend/observation/recording.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

double median_of(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

int part_index(const model::PoseLog& log, const std::string& file, const std::string& name) {
  if (const auto part = log.find_part(name)) return *part;
  std::string known;
  for (const std::string& part : log.parts) known += (known.empty() ? "" : ", ") + model::in_quotes(part);
  throw model::InputError(file, 0,
                          "there is no part " + model::in_quotes(name) + "; the file has " + known +
                              " (parts are named like the mesh files)");
}

std::map<double, math::Pose> poses_of(const model::PoseLog& log, const std::string& file, int part) {
  std::map<double, math::Pose> poses;
  for (const model::PoseRow* row : log.track(part)) {
    if (!row->q_WP)
      throw model::InputError(file, row->line,
                              "part " + model::in_quotes(log.parts[static_cast<std::size_t>(part)]) +
                                  " has no orientation here; contacts need all six freedoms");
    poses.emplace(row->t, math::Pose(row->q_WP->normalized(), row->p_WP));
  }
  return poses;
}

// Shift and turn of each pose from another, in lengths of vectors.
struct Spread {
  std::vector<double> shifts, turns;

  Spread(const std::vector<math::Pose>& track, const math::Pose& from) {
    for (const math::Pose& X : track) {
      shifts.push_back((X.p() - from.p()).norm());
      turns.push_back(math::log_so3(X.q() * from.q().conjugate()).norm());
    }
  }
};

// Where a part stands that does not move: its mean pose, without frames in which the tracker went astray; none if it moves by more than its jitter.
std::optional<math::Pose> standing_pose(const std::vector<math::Pose>& track) {
  const TrackNoise jitter = jitter_of(track);
  auto mean = math::mean_pose(track);
  if (!mean) return mean;
  const Spread wide(track, *mean);
  // Four times the usual distance is seven standard deviations; rounding of files is a millionth.
  constexpr double kFar = 4.0, kRounding = 2e-6;
  const double far_shift = kFar * median_of(wide.shifts) + kRounding,
               far_turn = kFar * median_of(wide.turns) + kRounding;
  std::vector<math::Pose> near;
  for (std::size_t i = 0; i < track.size(); ++i)
    if (wide.shifts[i] <= far_shift && wide.turns[i] <= far_turn) near.push_back(track[i]);
  mean = math::mean_pose(near);
  if (!mean) return mean;
  const Spread spread(near, *mean);
  double shift2 = 0.0, turn2 = 0.0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    shift2 += spread.shifts[i] * spread.shifts[i] / 3.0;
    turn2 += spread.turns[i] * spread.turns[i] / 3.0;
  }
  const double count = static_cast<double>(near.size());
  // Drifts of a tracker stay within three times its jitter.
  constexpr double kTimes = 3.0;
  if (std::sqrt(shift2 / count) <= kTimes * jitter.position + kRounding &&
      std::sqrt(turn2 / count) <= kTimes * jitter.angle + kRounding)
    return mean;
  return std::nullopt;
}

}  // namespace

TrackNoise jitter_of(const std::vector<math::Pose>& track, const Vector3d& point_M, int order) {
  TrackNoise jitter{0.0, 0.0};
  if (track.size() < 8 || order < 1) return jitter;
  std::vector<Vector3d> points, steps;
  for (const math::Pose& X : track) points.push_back(X * point_M);
  for (std::size_t i = 0; i + 1 < track.size(); ++i)
    steps.push_back(math::log_so3(track[i + 1].q() * track[i].q().conjugate()));
  double variance = 1.0;  // of a difference of numbers of variance 1: 2k over k
  for (int k = 1; k <= order; ++k) {
    variance *= 2.0 * (2.0 * k - 1.0) / k;
    for (std::vector<Vector3d>* values : {&points, &steps}) {
      if (k == order && values == &steps) continue;  // they are differences already
      for (std::size_t i = 0; i + 1 < values->size(); ++i) (*values)[i] = (*values)[i + 1] - (*values)[i];
      values->pop_back();
    }
  }
  std::vector<double> shifts, turns;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      shifts.push_back(std::abs(points[i][axis]));
      turns.push_back(std::abs(steps[i][axis]));
    }
  }
  // Of the median of |x| for a normal x.
  const double scale = 1.0 / (0.67449 * std::sqrt(variance));
  return {scale * median_of(shifts), scale * median_of(turns)};
}

Vector3d quiet_point(const std::vector<math::Pose>& track, const Vector3d& centre_M, double reach) {
  if (track.size() < 16) return centre_M;
  // Third differences of p + R c are linear in c: least squares, without frames in which the tracker went astray.
  std::vector<Eigen::Matrix3d> slopes;
  std::vector<Vector3d> values;
  std::vector<double> lengths;
  for (std::size_t i = 0; i + 3 < track.size(); ++i) {
    slopes.push_back(track[i + 3].R() - 3.0 * track[i + 2].R() + 3.0 * track[i + 1].R() - track[i].R());
    values.push_back(track[i + 3].p() - 3.0 * track[i + 2].p() + 3.0 * track[i + 1].p() - track[i].p() +
                     slopes.back() * centre_M);
    lengths.push_back(values.back().norm());
  }
  const double longest = 4.0 * median_of(lengths);
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Vector3d right = Vector3d::Zero();
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (lengths[i] > longest) continue;
    normal += slopes[i].transpose() * slopes[i];
    right -= slopes[i].transpose() * values[i];
  }
  if (!(normal.trace() > 0.0)) return centre_M;
  // A twentieth of the information is that it lies in the middle: one axis that never turns says nothing about its own direction.
  normal += 0.05 / 3.0 * normal.trace() * Eigen::Matrix3d::Identity();
  const Vector3d away = normal.inverse() * right;
  return away.norm() <= reach ? Vector3d(centre_M + away) : centre_M;
}

Recording recording_of(const model::PoseLog& log, const std::string& file, const std::string& moving,
                       const std::string& fixed) {
  if (moving == fixed)
    throw model::InputError(file, 0,
                            "the moving and the fixed part are both named " + model::in_quotes(moving));
  const int m = part_index(log, file, moving), f = part_index(log, file, fixed);
  const std::map<double, math::Pose> of_moving = poses_of(log, file, m), of_fixed = poses_of(log, file, f);
  Recording recording{moving, fixed, {}, {}, true, 0, {}};
  std::vector<math::Pose> fixed_track;
  for (const auto& [t, X] : of_fixed) fixed_track.push_back(X);
  const auto standing = standing_pose(fixed_track);
  recording.fixed_stands_still = standing.has_value();
  for (const auto& [t, X_WM] : of_moving) {
    const auto partner = of_fixed.find(t);
    const bool is_alone = of_fixed.size() == 1 && of_moving.size() > 1;
    if (partner == of_fixed.end() && !is_alone) {
      ++recording.lost;
      continue;
    }
    recording.t_s.push_back(t);
    const math::Pose& X_WF = standing ? *standing : partner->second;
    recording.X_FM.push_back(X_WF.inverse() * X_WM);
    recording.q_WF.push_back(X_WF.q());
  }
  for (const auto& [t, X] : of_fixed) recording.lost += of_moving.count(t) == 0 && of_fixed.size() > 1;
  if (recording.t_s.empty())
    throw model::InputError(file, 0,
                            "the parts " + model::in_quotes(moving) + " and " + model::in_quotes(fixed) +
                                " are never seen at the same time");
  if (recording.lost > 0)
    recording.notes.push_back(std::to_string(recording.lost) +
                              " frames were left out: one of the parts is lost there");
  return recording;
}

}  // namespace prehend::observation
