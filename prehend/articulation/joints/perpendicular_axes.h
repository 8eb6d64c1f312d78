// Two axes, one fixed in F and one in M, that stay perpendicular while M turns: those of a universal joint.
//
// (4.34) of source L asks a_F . R a_M = 0; (4.38) is the weighted mean of its square, f. It is of degree two in either axis, with the second
// moments of R's entries as coefficients: after one pass over the frames nothing depends on their number. For a fixed a_M the best a_F is an eigenvector of
// least eigenvalue, and the other way round: alternating the two lowers f with every step. f has several minima (a motion about one axis and then the other has
// two exact solutions with the axes' roles exchanged), so the search begins all over the hemisphere, and ends early where another one has ended. Where Newton's method then finds far less, that is taken.
//
// Cost: one pass, and 0.1 us for each round, some ten for each of 24 starts.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/frames.h>

namespace prehend::articulation {

struct AxisPair {
  Eigen::Vector3d a_F, a_M;  // unit vectors; signs are arbitrary
  double cost{0};            // f, 0 to 1
};

// Local minima of f, lowest first, those within some degrees of another left out.
std::vector<AxisPair> perpendicular_axes(const Frames& frames);

}  // namespace prehend::articulation
