// Refining and improving the cells inside a recovered surface.
#pragma once

#include <prehend/geometry/tetrahedra/surface_constraints.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {

// The label of the cells that belong to the solid.
inline constexpr int kInsideRegion = 1;

// Splits edges of inside cells at their middle, longest first, until none is longer than max_edge [m]; on the
// surface the facets are split with them. False when max_points is reached before that; edges of
// cells so flat that a half would vanish in rounding stay.
bool split_long_edges(TetComplex& complex, SurfaceConstraints& constraints, double max_edge, int max_points);

// One pass over the inside cells of poor shape: edges are removed and faces flipped where that raises the
// worst mean ratio among the cells concerned, then points inside are moved towards the middle of their
// neighbours where that does. The surface and its vertices stay, and no edge longer than max_edge [m] is
// made. Returns the number of changes.
int improve_cells(TetComplex& complex, const SurfaceConstraints& constraints, double max_edge);

}  // namespace prehend::geometry
