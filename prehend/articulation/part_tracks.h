// Tracks of many parts on one clock: what discovery works on.
//
// All distinct times of a log, within a tolerance, are its frames (with several clocks, those of the slowest; others' poses are interpolated,
// evidence/common_clock.h); each part has a pose or nothing in each. Relative poses of
// two parts are then a walk over the frames, without searching.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/articulation/observations.h>
#include <prehend/math/pose.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

struct PartTrack {
  std::string name;
  std::vector<std::optional<math::Pose>> X_WP;  // by frame
  // Of the pose's error in the part's own axes (model/pose_log.h), by frame; empty: not known.
  std::vector<math::Matrix6d> covariances;
  int seen{0};        // frames with a pose
  bool moves{false};  // by more than its jitter from frame to frame: a guess, see observations.h
};

struct PartTracks {
  std::vector<double> times;  // [s] increasing
  std::vector<PartTrack> parts;
  PoseNoise resolution;            // of the log's numbers, as in Observations
  std::vector<std::string> notes;  // sentences

  bool has_covariances() const { return !parts.empty() && !parts.front().covariances.empty(); }
  // All covariances times that.
  void scale_covariances(double factor);
};

// Throws model::InputError (with `name`): no rows, a single part, a part seen once, a row without orientation (relative motion
// of two parts needs it), time that does not increase. With `points_suffice`, one part is enough, and rows without orientation get that
// of the world.
PartTracks part_tracks(const model::PoseLog& log, const std::string& name, double time_tolerance = 1e-6,
                       bool points_suffice = false);

// The moving part in the fixed one, every `stride`-th of the frames that both have. Observation::time indexes `times` of
// the tracks, which it carries along with `with_times`; else 0, 1, 2, ....
Observations relative_poses(const PartTracks& tracks, int fixed, int moving, int stride = 1,
                            bool with_times = false);

}  // namespace prehend::articulation
