// Two axes, one fixed in F and one in M, that stay perpendicular while M turns: those of a universal joint.
//
// (4.34) of source L asks a_F . R a_M = 0; (4.38) is the weighted mean of its square, f. It is of degree two in either axis, with the second
// moments of R's entries as coefficients: after one pass over the frames nothing depends on their number. f has several minima: a motion about one
// axis and then the other has two exact solutions with the axes' roles exchanged. So the search begins all over the hemisphere: a few rounds of the best
// a_F for a_M and the other way round (eigenvectors of least eigenvalue), then Newton's method on the two spheres, whose steps are damped until they
// lower f.
//
// Cost: one pass, and 2 us for each of 24 starts.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/frames.h>

namespace prehend::articulation {

struct AxisPair {
  Eigen::Vector3d a_F, a_M;  // unit vectors; signs are arbitrary
  double cost{0};            // f, 0 to 1
  bool is_minimum{true};
};

// Local minima of f, lowest first, those within some degrees of another left out; then where else f is hardly higher than its least value. Where noise alone
// determines an axis, such places form a valley, and positions may have another opinion of where in it the axes are.
std::vector<AxisPair> perpendicular_axes(const Frames& frames);

}  // namespace prehend::articulation
