// Inserting a vertex into a tetrahedralisation that must keep its recovered edges and faces.
#pragma once

#include <prehend/geometry/tetrahedra/surface_constraints.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {

// Replaces the cells whose sphere contains points[vertex], as far as they can be reached from the cell that
// contains it without crossing a facet, are seen from it, and hold no constrained edge inside, by its star.
// False, with nothing changed, when no such set remains or the point lies outside or on another vertex.
// `hint`: a live cell near it.
bool insert_constrained(TetComplex& complex, const SurfaceConstraints& constraints, int vertex, int hint);

}  // namespace prehend::geometry
