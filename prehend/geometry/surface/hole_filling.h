// Closes the holes of an oriented mesh: for each loop of boundary edges, the triangulation of least total
// area over the loop's own vertices (dynamic programming, Barequet and Sharir 1995; cubic in the number of
// edges). No vertex is added. Loops that touch themselves in a vertex are left open, because there is more
// than one way to read them.
#pragma once

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

struct HoleFilling {
  int filled_holes{0};
  int added_triangles{0};
  double added_area{0.0};  // [m^2]
  int open_holes{0};       // loops that are longer than allowed or not simple
};

// Holes with 3 to `max_edges` edges (at most 100, std::invalid_argument beyond). The mesh must be welded; its
// indices valid.
HoleFilling fill_holes(TriangleMesh& mesh, int max_edges);

}  // namespace prehend::geometry
