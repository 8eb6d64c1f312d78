// Slits that the ball of a cloud's solid (cloud_solid.h) is too large for.
//
// Every point was seen on the surface. Points that the solid swallowed lie in slits, gaps and hollows that one radius for the whole
// object is too large for. What a smaller ball would empty falls into connected pieces; a piece is emptied where that brings more
// points to the surface than it leaves with facets on both sides, three times counted, and radii go down step by step.
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
};

// Steps: per tetrahedron the first radius, counted from the smallest, that leaves it inside.
void open_slits(std::span<const Eigen::Vector3d> points, const DelaunayTetrahedra& delaunay,
                const SlitOptions& options, std::vector<signed char>& steps);

}  // namespace prehend::geometry
