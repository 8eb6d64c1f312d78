// White noise of a recording's poses and wrenches, measured where nothing moves: at the recorder's own rate.
//
// Fifth differences of a motion at frequency f are smaller than it by (2 pi f dt)^5, while white noise grows by sqrt(252). Where rows come
// at uneven times, the weights are those of divided differences.
// Medians, so that knocks and lost frames do not count. Cost: 0.1 us per row and link.
#pragma once

#include <vector>

#include <prehend/articulation/observations.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

struct RecordingNoise {
  articulation::PoseNoise pose;  // of one row of one link, per axis [m, rad]
  double force{0.0};             // [N] per axis
  double torque{0.0};            // [N m]
};

// Zero where there are fewer than 12 rows.
RecordingNoise measure_noise(const Recording& recording);
// The same of one link or hand, for work that is spread over time; at least 12 rows. [m] [rad] [N] [N m]
double position_noise(const std::vector<double>& t, const std::vector<math::Pose>& X_WL);
double angle_noise(const std::vector<double>& t, const std::vector<math::Pose>& X_WL);
double force_noise(const std::vector<double>& t, const std::vector<math::Wrench>& F_L);
double torque_noise(const std::vector<double>& t, const std::vector<math::Wrench>& F_L);

}  // namespace prehend::topology
