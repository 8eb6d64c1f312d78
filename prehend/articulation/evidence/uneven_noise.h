// Noise that is larger along some directions: a marker's depth and tilt, a board seen edge-on.
//
// Covariances of what is new in every frame (fresh_noise.h), of turns and of shifts apart, each in the axes (the part's or the
// world's) in which it is smaller: a camera's depth stays in the world's, a board's tilt goes with the part. Where one
// direction has four times the variance of another, and successive deviations change sign as noise does and motion does not,
// every relative pose gets a covariance of its own (fit/pose_covariances.h).
//
// Cost: linear in the rows.
#pragma once

#include <vector>

#include <prehend/articulation/observations.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// One per observed pose of the pair (observe() of the same log); empty where noise is as good as even, rows are too few, or the log states
// covariances.
std::vector<math::Matrix6d> uneven_covariances(const model::PoseLog& log, const Observations& seen);

}  // namespace prehend::articulation
