// Two axes, one fixed in F and one in M, that stay perpendicular while M turns: those of a universal joint.
//
// (4.34) of source L asks a_F . R a_M = 0; (4.38) is the weighted mean of its square, f, of degree two in either axis: after one pass over the
// frames nothing depends on their number. For a fixed a_M the best a_F is an eigenvector of least eigenvalue, and the other way round: alternating
// lowers f with every step. f has several minima (one axis and then the other: two exact solutions), so the search begins all over the hemisphere, and
// ends early where another one has ended. Newton's method follows, and counts where it finds far less.
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
