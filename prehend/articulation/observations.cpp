#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <prehend/articulation/evidence/common_clock.h>
#include <prehend/articulation/evidence/pose_resolution.h>
#include <prehend/articulation/evidence/track_motion.h>
#include <prehend/articulation/observations.h>
#include <prehend/math/house/option_check.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {
namespace {

using Track = std::vector<const model::PoseRow*>;

int part_index(const model::PoseLog& log, const std::string& name) {
  const std::optional<int> part = log.find_part(name);
  if (part) return *part;
  std::string known;
  for (const std::string& other : log.parts) known += (known.empty() ? "'" : ", '") + other + "'";
  throw std::invalid_argument("no part '" + name + "' in the poses; there are " + known);
}

// Index of the fixed part (absent: the world) and of the moving one.
std::pair<std::optional<int>, int> choose_parts(const model::PoseLog& log,
                                                const ObservationOptions& options) {
  const int count = static_cast<int>(log.parts.size());
  if (count == 0) throw std::invalid_argument("the poses have no rows");
  std::optional<int> fixed, moving;
  if (!options.fixed.empty()) fixed = part_index(log, options.fixed);
  if (!options.moving.empty()) moving = part_index(log, options.moving);
  if (fixed && moving) {
    if (*fixed == *moving)
      throw std::invalid_argument("'" + options.fixed + "' is named as fixed and as moving part");
    return {fixed, *moving};
  }
  if (moving) {
    if (count == 2) return {1 - *moving, *moving};
    if (count == 1) return {std::nullopt, *moving};
  } else if (fixed) {
    if (count == 2) return {fixed, 1 - *fixed};
    if (count == 1)
      throw std::invalid_argument("the poses have no part but the fixed one, '" + options.fixed + "'");
  } else if (count <= 2) {
    return count == 1 ? std::pair<std::optional<int>, int>{std::nullopt, 0}
                      : std::pair<std::optional<int>, int>{0, 1};
  }
  throw std::invalid_argument("the poses have " + std::to_string(count) +
                              " parts: name the fixed and the moving one (--fixed, --moving)");
}

math::Pose pose_of(const model::PoseRow& row, bool with_orientation) {
  return with_orientation && row.q_WP ? math::Pose(row.q_WP->normalized(), row.p_WP)
                                      : math::Pose::translation(row.p_WP);
}

std::vector<math::Pose> poses_of(const Track& track) {
  std::vector<math::Pose> poses;
  for (const model::PoseRow* row : track) poses.push_back(pose_of(*row, true));
  return poses;
}

}  // namespace

void ObservationOptions::validate() const {
  math::OptionCheck("ObservationOptions").at_least("time_tolerance", time_tolerance, 0.0, "s");
}

math::Matrix6d relative_covariance(const PoseNoise& fixed, const PoseNoise& moving, const math::Pose& X_FM) {
  const auto diagonal = [](const PoseNoise& noise) {
    math::Vector6d v;
    v << Eigen::Vector3d::Constant(noise.angle * noise.angle),
        Eigen::Vector3d::Constant(noise.position * noise.position);
    return v;
  };
  const math::Matrix6d A = math::adjoint(X_FM.inverse());
  math::Matrix6d covariance = A * diagonal(fixed).asDiagonal() * A.transpose();
  covariance.diagonal() += diagonal(moving);
  return covariance;
}

Observations observe(const model::PoseLog& given, const std::string& name,
                     const ObservationOptions& options) {
  options.validate();
  const auto [fixed, moving] = choose_parts(given, options);
  Observations result;
  std::optional<model::PoseLog> clocked;
  if (fixed) clocked = on_one_clock(given, {*fixed, moving}, options.time_tolerance, result.notes);
  const model::PoseLog& log = clocked ? *clocked : given;
  result.moving = log.parts[moving];
  const Track moving_track = log.track(moving);
  const Track fixed_track = fixed ? log.track(*fixed) : Track{};
  if (fixed) {
    result.fixed = log.parts[*fixed];
    result.fixed_is_measured = true;
  }
  for (const auto& [track, part] :
       {std::pair{&moving_track, &result.moving}, std::pair{&fixed_track, &result.fixed}}) {
    if (track->size() == 1)
      throw model::InputError(name, track->front()->line,
                              "part '" + *part + "' is seen once; a joint needs it at several times");
  }
  const auto oriented = [](const Track& track) {
    return std::all_of(track.begin(), track.end(), [](const auto* row) { return row->q_WP.has_value(); });
  };
  result.has_orientation = oriented(moving_track) && oriented(fixed_track);
  const bool fixed_oriented = oriented(fixed_track);
  if (!result.has_orientation) {
    const bool some = std::any_of(moving_track.begin(), moving_track.end(),
                                  [](const auto* row) { return row->q_WP.has_value(); });
    if (some || (fixed && oriented(moving_track)))
      result.notes.push_back("some rows have no orientation, so only positions are used");
    if (fixed && !fixed_oriented)
      result.notes.push_back("'" + result.fixed + "' has no orientation: it is taken not to turn");
  }
  // Both tracks are in time order: one merge.
  std::size_t i = 0, j = 0;
  while (i < moving_track.size() || j < fixed_track.size()) {
    const double tm = i < moving_track.size() ? moving_track[i]->t : std::numeric_limits<double>::infinity();
    const double tf = j < fixed_track.size() ? fixed_track[j]->t : std::numeric_limits<double>::infinity();
    const bool has_moving = tm <= tf + options.time_tolerance;
    const bool has_fixed = fixed && tf <= tm + options.time_tolerance;
    result.times.push_back(std::min(tm, tf));
    if (has_moving && (!fixed || has_fixed)) {
      const math::Pose X_WM = pose_of(*moving_track[i], result.has_orientation);
      Observation observation{static_cast<int>(result.times.size()) - 1, X_WM};
      if (fixed) {
        const math::Pose X_WF = pose_of(*fixed_track[j], fixed_oriented);
        observation.X_FM = X_WF.inverse() * X_WM;
        if (!result.has_orientation) observation.X_FM = math::Pose::translation(observation.X_FM.p());
      }
      result.poses.push_back(observation);
    }
    i += has_moving ? 1 : 0;
    j += has_fixed ? 1 : 0;
  }
  if (result.poses.empty())
    throw model::InputError(
        name, 0, "'" + result.fixed + "' and '" + result.moving + "' are never seen at the same time");
  if (result.missing() > 0)
    result.notes.push_back(std::to_string(result.missing()) + " of " + std::to_string(result.times.size()) +
                           " frames lack one of the two parts");
  const std::vector<math::Pose> X_WM = poses_of(moving_track), X_WF = poses_of(fixed_track);
  result.something_moves = moves_in_world(X_WM) || (fixed && moves_in_world(X_WF));
  const PoseDistance of_moving = usual_distance(X_WM),
                     of_fixed = fixed ? usual_distance(X_WF) : PoseDistance{};
  result.carried = {std::min(of_moving.position, of_fixed.position),
                    std::min(of_moving.angle, of_fixed.angle)};
  result.resolution = pose_resolution(given);
  return result;
}

Observations observations_of(std::span<const math::Pose> X_FM, bool fixed_is_measured) {
  Observations result;
  result.fixed = fixed_is_measured ? "fixed" : "";
  result.moving = "moving";
  result.fixed_is_measured = fixed_is_measured;
  for (const math::Pose& X : X_FM) {
    result.times.push_back(static_cast<double>(result.times.size()));
    result.poses.push_back({static_cast<int>(result.poses.size()), X});
  }
  return result;
}

Observations observations_of(std::span<const Eigen::Vector3d> p_FM) {
  Observations result;
  result.moving = "moving";
  result.has_orientation = false;
  for (const Eigen::Vector3d& p : p_FM) {
    result.times.push_back(static_cast<double>(result.times.size()));
    result.poses.push_back({static_cast<int>(result.poses.size()), math::Pose::translation(p)});
  }
  return result;
}

}  // namespace prehend::articulation
