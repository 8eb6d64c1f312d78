#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <prehend/articulation/evidence/camera_place.h>
#include <prehend/articulation/evidence/mirrored_poses.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {
namespace {

// [rad] Turns from frame to frame are not known better: a marker's tilt is off by some tenths of a degree.
constexpr double kLeastUsual = 0.5 * math::kPi / 180;
constexpr int kTurnsAround = 8;  // frames before and after, whose median turn is the usual one
// Times the usual turn: what lies below is the motion's, and beyond the second all are alike.
constexpr double kMotion = 3.0, kFar = 10.0;
// In squares of the usual turn: of a change between the two poses, and of each mirrored pose. A jump of seven times the usual turn is worth a
// change; poses between two such jumps are turned back where they are few, up to some 70 frames where the jumps are large. A single jump
// proves less: a part that swings through head-on may be on the wrong side of it before or after. Up to some 30 frames at either end are turned back.
constexpr double kChange = 16.0, kMirrored = 2.0, kEnd = 16.0;
// Share of the frames: where more would be turned back, the side that is called wrong may be the right one, and nothing is changed.
constexpr double kMostChanged = 1.0 / 3;

Eigen::Quaterniond mirrored(const math::Pose& X, const Eigen::Vector3d& camera) {
  const double distance = (X.p() - camera).norm();
  if (!(distance > 0)) return X.q();
  const Eigen::Vector3d v = (X.p() - camera) / distance;
  Eigen::Matrix3d R = X.R() - 2 * v * (v.transpose() * X.R());
  R.col(2) = -R.col(2);
  return Eigen::Quaterniond(R).normalized();
}

// One part's poses that are seen, each as it is (0) and mirrored (1).
struct Choices {
  std::vector<std::size_t> frames;
  std::vector<std::array<Eigen::Quaterniond, 2>> q;
};

// Usual turn of each frame against the one before.
std::vector<double> usual_turns(const Choices& choices) {
  const int count = static_cast<int>(choices.q.size());
  std::vector<double> least(count, 0.0), usual(count, kLeastUsual), around;
  for (int i = 1; i < count; ++i)
    least[i] = std::min(choices.q[i - 1][0].angularDistance(choices.q[i][0]),
                        choices.q[i - 1][0].angularDistance(choices.q[i][1])) /
               static_cast<double>(choices.frames[i] - choices.frames[i - 1]);
  for (int i = 1; i < count; ++i) {
    around.assign(least.begin() + std::max(1, i - kTurnsAround),
                  least.begin() + std::min(count, i + kTurnsAround + 1));
    std::nth_element(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(around.size() / 2),
                     around.end());
    usual[i] = std::max(kLeastUsual, around[around.size() / 2]) *
               static_cast<double>(choices.frames[i] - choices.frames[i - 1]);
  }
  return usual;
}

// The sequence of choices whose jumps cost least (Viterbi).
std::vector<int> without_jumps(const Choices& choices) {
  const std::size_t count = choices.q.size();
  const std::vector<double> usual = usual_turns(choices);
  std::array<double, 2> cost{0.0, kEnd};
  std::vector<std::array<int, 2>> from(count, {0, 0});
  for (std::size_t i = 1; i < count; ++i) {
    std::array<double, 2> next;
    for (int to = 0; to < 2; ++to) {
      std::array<double, 2> way;
      for (int was = 0; was < 2; ++was) {
        // Mirrored poses jump as those do that they mirror.
        const double turn = choices.q[i - 1][0].angularDistance(choices.q[i][was == to ? 0 : 1]) / usual[i];
        const double jump = std::clamp(turn - kMotion, 0.0, kFar);
        way[was] = cost[was] + jump * jump + (was == to ? 0.0 : kChange);
      }
      from[i][to] = way[1 - to] < way[to] ? 1 - to : to;
      next[to] = way[from[i][to]] + (to == 1 ? kMirrored : 0.0);
    }
    cost = next;
  }
  std::vector<int> chosen(count);
  int at = cost[1] + kEnd < cost[0] ? 1 : 0;
  for (std::size_t i = count; i-- > 0;) {
    chosen[i] = at;
    at = from[i][at];
  }
  return chosen;
}

// How many poses were turned back, and whose.
struct Undone {
  int count{0};
  std::string names;

  std::string note() const {
    return std::to_string(count) + (count == 1 ? " pose is" : " poses are") +
           " tilted to the other side of the line of sight than the ones before and after, as "
           "markers are mistaken, and turned back: " +
           names;
  }
};

constexpr std::size_t kLeastSeen = 10;  // the usual turn is a median over those around

Undone undo(PartTracks& tracks) {
  // With few jumps, the world is taken for the camera: then they may be undone, and else they stay.
  const Eigen::Vector3d camera = camera_place(tracks).value_or(Eigen::Vector3d::Zero());
  Undone undone;
  for (PartTrack& part : tracks.parts) {
    Choices choices;
    for (std::size_t t = 0; t < part.X_WP.size(); ++t) {
      if (!part.X_WP[t]) continue;
      choices.frames.push_back(t);
      choices.q.push_back({part.X_WP[t]->q(), mirrored(*part.X_WP[t], camera)});
    }
    if (choices.frames.size() < kLeastSeen) continue;
    const std::vector<int> chosen = without_jumps(choices);
    const auto changed = std::ranges::count(chosen, 1);
    if (changed == 0 || static_cast<double>(changed) > kMostChanged * static_cast<double>(chosen.size()))
      continue;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (chosen[i] == 1)
        part.X_WP[choices.frames[i]] = math::Pose(choices.q[i][1], part.X_WP[choices.frames[i]]->p());
    undone.count += static_cast<int>(changed);
    undone.names += (undone.names.empty() ? "" : ", ") + part.name;
  }
  return undone;
}

// [s] Median time between rows.
double usual_step(const std::vector<const model::PoseRow*>& rows) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < rows.size(); ++i) steps.push_back(rows[i]->t - rows[i - 1]->t);
  std::ranges::nth_element(steps, steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2));
  return std::max(steps[steps.size() / 2], 1e-9);
}

}  // namespace

int undo_mirrored(PartTracks& tracks) {
  if (tracks.has_covariances()) return 0;
  const Undone undone = undo(tracks);
  if (undone.count > 0) tracks.notes.push_back(undone.note());
  return undone.count;
}

model::PoseLog with_mirrored_undone(model::PoseLog log, std::vector<std::string>& notes) {
  if (!log.covariances.empty()) return log;
  PartTracks tracks;
  std::vector<std::vector<std::size_t>> row_of;  // of each part's frames; npos: none
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  for (std::size_t part = 0; part < log.parts.size(); ++part) {
    const std::vector<const model::PoseRow*> rows = log.track(static_cast<int>(part));
    PartTrack& track = tracks.parts.emplace_back();
    track.name = log.parts[part];
    row_of.emplace_back();
    const bool has_orientation =
        std::ranges::all_of(rows, [](const auto* row) { return row->q_WP.has_value(); });
    if (!has_orientation || rows.size() < kLeastSeen) continue;
    const double step = usual_step(rows);
    double last = rows.front()->t - step;
    for (const model::PoseRow* row : rows) {
      // Frames that are lost leave a gap, but not longer than it takes for a jump to be forgotten.
      constexpr double kForgotten = 30.0;
      const auto lost =
          static_cast<std::size_t>(std::clamp(std::round((row->t - last) / step) - 1, 0.0, kForgotten));
      last = row->t;
      track.X_WP.resize(track.X_WP.size() + lost);
      row_of.back().resize(track.X_WP.size(), kNone);
      track.X_WP.emplace_back(math::Pose(row->q_WP->normalized(), row->p_WP));
      row_of.back().push_back(static_cast<std::size_t>(row - log.rows.data()));
    }
  }
  const PartTracks before = tracks;
  const Undone undone = undo(tracks);
  if (undone.count == 0) return log;
  notes.push_back(undone.note());
  for (std::size_t part = 0; part < tracks.parts.size(); ++part)
    for (std::size_t i = 0; i < tracks.parts[part].X_WP.size(); ++i)
      if (row_of[part][i] != kNone &&
          tracks.parts[part].X_WP[i]->q().coeffs() != before.parts[part].X_WP[i]->q().coeffs())
        log.rows[row_of[part][i]].q_WP = tracks.parts[part].X_WP[i]->q();
  return log;
}

}  // namespace prehend::articulation
