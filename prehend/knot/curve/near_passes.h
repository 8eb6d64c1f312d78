// Where a rope's strands pass nearer to each other than its points tell.
//
// Between two points a smooth rope lies off the straight piece by about length x turn / 8 (beside a shorter piece, its length
// counts by the geometric mean), and what noise is left moves each strand. Where two strands are nearer to each other than that, the
// rope may pass on the other side, and be another knot. On 214 loops with 12 to 90 points (named knots and knots of up to 7 crossings),
// none without such a place was misread; of 108 whose strands are within a quarter of it, 81 were.
//
// Cost: boxes sorted along one axis.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <Eigen/Core>

namespace prehend::knot {

struct NearPass {
  std::size_t first{0}, second{0};  // points at which the two pieces begin, from 0
  double distance{0};               // [m] of the pieces
  double doubt{0};                  // [m] by which they may lie nearer
};

// The pass with the least distance for its doubt; none where all strands are clear of each other. `noise_left` [m] per axis.
std::optional<NearPass> nearest_pass(std::span<const Eigen::Vector3d> points, bool closed, double noise_left);

}  // namespace prehend::knot
