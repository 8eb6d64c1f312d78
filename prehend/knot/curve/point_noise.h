// Noise of a rope's points, and ropes without it.
//
// White noise of deviation s shows in the second differences d of the points: those of a smooth rope follow each other
// (correlation of neighbours near 1), those of noise swing (-2/3), those of a random walk, which is a rope of straight pieces,
// less so (-1/2). Across the rope noise swings as well, points at uneven steps along a smooth rope do not. Where noise shows, s is read from fourth differences, and the rope is the line with the least squared second
// differences whose residuals are as large as s leaves them (Whittaker 1923).
//
// Cost: linear in the points.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::knot {

using RopeLine = std::vector<Eigen::Vector3d>;

struct PointNoise {
  double deviation{0};  // [m] per axis, taken out; 0: the points are as given
  double left{0};       // [m] of it after smoothing, the largest of all lines
};

struct QuietLines {
  std::vector<RopeLine> lines;
  PointNoise noise;
  bool changed{false};             // else `lines` is empty
  std::vector<std::string> notes;  // what was taken out
};

// `noise` [m]: 0 leaves the points as they are, without it the noise is estimated over all lines together. Single points that jump
// far off their neighbours are put between them. Points keep their numbers.
QuietLines without_noise(const std::vector<RopeLine>& lines, bool closed, std::optional<double> noise);

}  // namespace prehend::knot
