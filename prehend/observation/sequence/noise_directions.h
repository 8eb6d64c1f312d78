// How a tracker's noise differs by direction, from the recording itself: cameras are several times worse in depth, and in tilts out of the image.
//
// Third differences of the track, in the tracker's axes, are noise once slow motion has gone out of them. Their scatter (under Student's t of three
// degrees of freedom, so that frames astray do not decide) is taken where it is not that of noise that is alike in all directions.
#pragma once

#include <vector>

#include <Eigen/Geometry>

#include <prehend/math/pose.h>
#include <prehend/observation/pose_correction.h>

namespace prehend::observation {

struct DirectedNoise {
  NoiseDirections directions_W;  // in the tracker's axes
  TrackNoise jitter;             // per axis, the geometric mean; from third differences
};

// `t_s` [s] by frame; evenly spaced where it is empty: motion shows in differences that take uneven times for even ones. `q_WF`: the tracker's axes by frame, from those of the fixed body; they are one where it is empty. Positions are those of a point of the moving body.
DirectedNoise directed_noise(const std::vector<math::Pose>& track, const std::vector<double>& t_s,
                             const std::vector<Eigen::Quaterniond>& q_WF, const Eigen::Vector3d& point_M);

// In the fixed body's axes.
NoiseDirections turned_by(const NoiseDirections& directions, const Eigen::Quaterniond& q);

}  // namespace prehend::observation
