// A recording in blocks: a few rows averaged into one, with what their noise is.
//
// Recorders run at 1 kHz, hands at a few hertz. Positions are averaged as they are, orientations through their logarithms to the
// block's middle row, wrenches after each was turned into the world's axes by its own row: averages of what enters the
// balance linearly stay exact. Rows that come at uneven times are averaged by time: no block is longer than 10 ms. A block of 10 ms of a link that turns by 3 rad/s misplaces a point by 4e-5 of its lever.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

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
  std::vector<int> rows;                            // [block] in it; empty: `rows_per_block` in each
  int rows_per_block{1};                            // where rows come at uneven times: the mean
  double row_interval{0.0};                         // [s] median; where rows come at uneven times: the mean
  int gaps{0};                                      // times at which rows are missing

  std::size_t size() const { return t.size(); }
  // Variance of block b's noise against that of a usual block.
  double noise_share(std::size_t b) const {
    return rows.empty() ? 1.0 : static_cast<double>(rows_per_block) / rows[b];
  }
};

struct BlockOptions {
  // [s] Short against the motion of hands (some hertz), long enough that second-order effects of the noise average out.
  double duration{0.01};
  // A step longer than this many usual ones, and than `shortest_gap` [s], is a gap: two rows may be lost without one, and so may what passes
  // between two knots of the balance (BalanceOptions::shortest), whatever the usual step is.
  double gap{3.5};
  double shortest_gap{0.03};
  // Steps are uneven where this share of them is off by more than `uneven_step` of the usual one. Blocks are then filled by time, not by number.
  double uneven_share{0.05}, uneven_step{0.2};
};

MotionBlocks average_blocks(const ArticulatedObject& object, const Recording& recording,
                            const BlockOptions& options = {});

// Whether rows come at uneven times; with `usual`, the median step [s].
bool steps_are_uneven(const std::vector<double>& t, double usual, const BlockOptions& options = {});

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
