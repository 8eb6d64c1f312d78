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

// Steps: per tetrahedron the first radius, counted from the smallest, that leaves it inside; those up to `last` are inside now. Tetrahedra
// that are emptied get `outside`.
void open_slits(std::span<const Eigen::Vector3d> points, const DelaunayTetrahedra& delaunay, int last,
                signed char outside, std::vector<signed char>& steps);

}  // namespace prehend::geometry
