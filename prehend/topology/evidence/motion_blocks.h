// A recording in blocks: a few rows averaged into one, with what their noise is.
//
// Recorders run at 1 kHz, hands at a few hertz. Positions are averaged as they are, orientations through their logarithms to the
// block's middle row, wrenches after each was turned into the world's axes by its own row: averages of what enters the
// balance linearly stay exact. A block of 10 ms of a link that turns by 3 rad/s misplaces a point by 4e-5 of its lever.
//
// Noise is measured where nothing moves, at the recorder's own rate: fifth differences of a motion at frequency f are smaller than it by
// (2 pi f dt)^5, while white noise grows by sqrt(252). Medians, so that knocks and lost frames do not count. Cost: 0.1 us per row and link.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/observations.h>
#include <prehend/math/pose.h>
#include <prehend/math/se3.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

struct RecordingNoise {
  articulation::PoseNoise pose;  // of one row of one link, per axis [m, rad]
  double force{0.0};             // [N] per axis
  double torque{0.0};            // [N m]
};

// White noise of poses and wrenches; zero where there are fewer than 12 rows.
RecordingNoise measure_noise(const Recording& recording);
// The same of one link or hand, for work that is spread over time; at least 12 rows. [m] [rad] [N] [N m]
double position_noise(const std::vector<math::Pose>& X_WL);
double angle_noise(const std::vector<math::Pose>& X_WL);
double force_noise(const std::vector<math::Wrench>& F_L);
double torque_noise(const std::vector<math::Wrench>& F_L);

struct MotionBlocks {
  std::vector<double> t;      // [s] mean of the rows
  std::vector<char> follows;  // whether the block before it is its neighbour in time
  // [joint][block] of the child in its parent, averaged as such: logarithms about one row stay on the joint, so the averages of a joint's
  // motion are poses of that joint, however fast the links turn.
  std::vector<std::vector<math::Pose>> X_PC;
  std::vector<std::vector<math::Pose>> X_WL;     // [link][block]
  std::vector<std::vector<math::Vector6d>> F_W;  // [held][block] about `origin`, world's axes, moment first
  std::vector<std::vector<math::Vector6d>> F_L;  // [held][block] as recorded, moment first
  Eigen::Vector3d origin{Eigen::Vector3d::Zero()};  // [m] a fixed point near the object: moments are about it
  int rows_per_block{1};
  double row_interval{0.0};  // [s] median
  int gaps{0};               // times at which rows are missing

  std::size_t size() const { return t.size(); }
};

struct BlockOptions {
  // [s] Short against the motion of hands, long enough that second-order effects of the noise average out.
  double duration{0.01};
  // A step longer than this many usual ones is a gap.
  double gap{3.5};
};

MotionBlocks average_blocks(const ArticulatedObject& object, const Recording& recording,
                            const BlockOptions& options = {});

// The mean of poses about a reference, a pose at a time; exact to fourth order in the angle between them.
class PoseMean {
 public:
  void start(const math::Pose& reference);
  void add(const math::Pose& X);
  math::Pose mean() const;

 private:
  math::Pose reference_, inverse_;
  Eigen::Vector3d turn_{Eigen::Vector3d::Zero()}, shift_{Eigen::Vector3d::Zero()};
  int count_{0};
};

}  // namespace prehend::topology
