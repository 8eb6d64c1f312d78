// A recorded demonstration: the moving body in the fixed body's frame over time, and how much it jitters.
//
// A fixed body that stands still within its jitter is taken to stand still: its mean pose serves every frame, and only the moving
// body's noise is left. Frames in which either is lost are left out.
#pragma once

#include <string>
#include <vector>

#include <prehend/math/pose.h>
#include <prehend/model/pose_log.h>
#include <prehend/observation/pose_correction.h>

namespace prehend::observation {

struct Recording {
  std::string moving, fixed;
  std::vector<double> t_s;
  std::vector<math::Pose> X_FM;
  bool fixed_stands_still{true};
  int lost{0};  // frames in which one of the two is lost
  std::vector<std::string> notes;
  // The tracker's axes, by frame, from the fixed body's: a camera's noise stays in them. They are one where it is empty.
  std::vector<Eigen::Quaterniond> q_WF{};
};

// Throws model::InputError: a part that the file does not have, the same part twice, tracks without orientation, no common frame.
Recording recording_of(const model::PoseLog& log, const std::string& file, const std::string& moving,
                       const std::string& fixed);

// Standard deviations per axis from third differences, whose median forgets slow motion: an upper bound where frames are far apart.
// Zero for fewer than eight frames. Positions are those of a point of the moving body. Where other orders of differences say the same, it is noise.
TrackNoise jitter_of(const std::vector<math::Pose>& track,
                     const Eigen::Vector3d& point_M = Eigen::Vector3d::Zero(), int order = 3);
// The point of the moving body whose position jitters least: a tracker's errors of position and orientation are independent there. Near `centre_M`,
// which it is where nothing tells; at most `reach` [m] away.
Eigen::Vector3d quiet_point(const std::vector<math::Pose>& track, const Eigen::Vector3d& centre_M,
                            double reach);

}  // namespace prehend::observation
