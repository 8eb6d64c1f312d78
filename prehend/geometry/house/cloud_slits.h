// Slits that the ball of a cloud's solid (cloud_solid.h) is too large for.
//
// Every point was seen on the surface; those that the solid swallowed lie in slits and hollows that one radius for the whole object is
// too large for. What a smaller ball would empty falls into connected pieces; a piece is emptied where that brings more points to the
// surface than it leaves with facets on both sides, three times counted. Radii go down step by step.
//
// In slits narrower than the spacing no ball gets between the walls. There, small tetrahedra with all corners swallowed (behind
// walls lie larger ones) are emptied as long as points fold less, unless the walls go on outside as surfaces that face the other
// way: the end of a thing inside another.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/delaunay_tetrahedra.h>

namespace prehend::geometry {

struct SlitOptions {
  int last;             // steps up to this one are inside
  signed char outside;  // what tetrahedra that are emptied get
  // What a point with facets on both sides counts against one that the solid covers. Noise covers a fifth of the points anywhere, and a ball
  // that empties a part brings them out: with 3, eleven of 48 generated tools (seeds 501 to 504, without rulers) lost a fifth to three
  // fifths of their volume to noise of 0.6 % of the diagonal, with 8 none.
  int folded;
  double spacing;  // [m] of the points
  double largest;  // [m^3] that a smaller ball may empty at once
};

// Steps: per tetrahedron the first radius, counted from the smallest, that leaves it inside. Returns those emptied in slits narrower than
// the spacing.
std::vector<int> open_slits(std::span<const Eigen::Vector3d> points, const DelaunayTetrahedra& delaunay,
                            const SlitOptions& options, std::vector<signed char>& steps);

}  // namespace prehend::geometry
