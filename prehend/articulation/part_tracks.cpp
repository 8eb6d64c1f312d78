#include <algorithm>
#include <cmath>
#include <numeric>

#include <prehend/articulation/evidence/common_clock.h>
#include <prehend/articulation/evidence/pose_resolution.h>
#include <prehend/articulation/evidence/track_motion.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/part_tracks.h>
#include <prehend/math/so3.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

bool track_moves(const PartTrack& track) {
  std::vector<math::Pose> poses;
  for (const auto& X : track.X_WP)
    if (X) poses.push_back(*X);
  return moves_in_world(poses);
}

}  // namespace

PartTracks part_tracks(const model::PoseLog& given, const std::string& name, double time_tolerance,
                       bool points_suffice) {
  if (given.rows.empty()) throw model::InputError(name, 0, "there are no poses");
  if (given.parts.size() < 2 && !points_suffice)
    throw model::InputError(name, 0,
                            "there is one part only, '" + given.parts.front() +
                                "'; discovery needs two or more (`prehend joint` sees one from the world)");
  model::check_times(given, name);
  PartTracks tracks;
  tracks.resolution = pose_resolution(given);
  std::vector<int> parts(given.parts.size());
  std::iota(parts.begin(), parts.end(), 0);
  const std::optional<model::PoseLog> clocked = on_one_clock(given, parts, time_tolerance, tracks.notes);
  const model::PoseLog& log = clocked ? *clocked : given;
  std::vector<double> all;
  all.reserve(log.rows.size());
  for (const model::PoseRow& row : log.rows) {
    if (!row.q_WP && !points_suffice)
      throw model::InputError(name, row.line,
                              "part '" + log.parts[row.part] +
                                  "' has no orientation here; discovery needs the orientation of every part");
    all.push_back(row.t);
  }
  std::sort(all.begin(), all.end());
  for (const double t : all)
    if (tracks.times.empty() || t > tracks.times.back() + time_tolerance) tracks.times.push_back(t);
  tracks.parts.resize(log.parts.size());
  for (std::size_t k = 0; k < log.parts.size(); ++k) {
    tracks.parts[k].name = log.parts[k];
    tracks.parts[k].X_WP.resize(tracks.times.size());
    if (!log.covariances.empty() && !points_suffice)
      tracks.parts[k].covariances.assign(tracks.times.size(), math::Matrix6d::Zero());
  }
  for (const model::PoseRow& row : log.rows) {
    // The last frame that does not begin after the row.
    const auto next =
        std::upper_bound(tracks.times.begin(), tracks.times.end(), row.t + 1e-12 * std::abs(row.t));
    const std::size_t frame = static_cast<std::size_t>(next - tracks.times.begin()) - 1;
    PartTrack& part = tracks.parts[row.part];
    part.seen += part.X_WP[frame] ? 0 : 1;
    part.X_WP[frame] =
        math::Pose(row.q_WP ? row.q_WP->normalized() : Eigen::Quaterniond::Identity(), row.p_WP);
    if (!part.covariances.empty())
      part.covariances[frame] = log.covariances[static_cast<std::size_t>(&row - log.rows.data())];
  }
  for (std::size_t k = 0; k < tracks.parts.size(); ++k) {
    PartTrack& part = tracks.parts[k];
    if (part.seen < 2) {
      int line = 0;
      for (const model::PoseRow& row : log.rows)
        if (row.part == static_cast<int>(k)) line = row.line;
      throw model::InputError(name, line,
                              "part '" + part.name + "' is seen once; a joint needs it at several times");
    }
    part.moves = track_moves(part);
    const int lost = static_cast<int>(tracks.times.size()) - part.seen;
    if (lost > 0)
      tracks.notes.push_back("'" + part.name + "' is lost in " + std::to_string(lost) + " of " +
                             std::to_string(tracks.times.size()) + " frames");
  }
  return tracks;
}

void PartTracks::scale_covariances(double factor) {
  for (PartTrack& part : parts)
    for (math::Matrix6d& C : part.covariances) C *= factor;
}

Observations relative_poses(const PartTracks& tracks, int fixed, int moving, int stride, bool with_times) {
  const PartTrack &F = tracks.parts[fixed], &M = tracks.parts[moving];
  Observations result;
  result.fixed = F.name;
  result.moving = M.name;
  result.fixed_is_measured = true;
  result.something_moves = F.moves || M.moves;
  result.resolution = tracks.resolution;
  if (with_times) result.times = tracks.times;
  result.poses.reserve(tracks.times.size() / stride + 1);
  int both = 0;
  for (std::size_t t = 0; t < tracks.times.size(); ++t) {
    if (!F.X_WP[t] || !M.X_WP[t]) continue;
    if (both++ % stride != 0) continue;
    result.poses.push_back({static_cast<int>(t), F.X_WP[t]->inverse() * *M.X_WP[t]});
    if (!F.covariances.empty() && !M.covariances.empty())
      result.covariances.push_back(
          relative_covariance(F.covariances[t], M.covariances[t], result.poses.back().X_FM));
  }
  if (!with_times) {
    // Only the order matters: as many times as observations.
    for (std::size_t i = 0; i < result.poses.size(); ++i) {
      result.poses[i].time = static_cast<int>(i);
      result.times.push_back(static_cast<double>(i));
    }
  }
  return result;
}

}  // namespace prehend::articulation
