// Welding: vertices that are the same point become one vertex, so that triangles know their neighbours.
//
// An STL file lists every corner of every triangle on its own; edges, shells and closedness exist only after
// welding. First, vertices with equal coordinates are merged (-0 equals 0). Then, with a positive tolerance,
// a vertex joins the first earlier kept vertex within that distance; kept vertices do not move, so no merge
// moves a vertex by more than the tolerance and chains of near vertices do not collapse. Vertices that are
// not finite are kept apart. Triangles keep their number and order; corners that became one vertex show as
// triangles with repeated indices (check_mesh() counts them, repair_mesh() drops them). Indices out of range
// stay as they are. Cost: a hash grid, linear in the number of vertices.
#pragma once

#include <vector>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

struct WeldOptions {
  // Distance below which two vertices are one, relative to the diagonal of the bounding box of the finite
  // vertices. 0 merges equal coordinates only. 1e-7 is about the rounding of single-precision files (6e-8)
  // and far below any real feature. In [0, 0.1].
  double relative_tolerance{1e-7};
};

struct WeldResult {
  TriangleMesh mesh;
  std::vector<int> vertex_of;      // for each old vertex, its new index
  double tolerance{0.0};           // [m] the distance used
  int merged_vertices{0};          // old minus new number of vertices
  int merged_within_tolerance{0};  // of these, how many were not exactly equal
};

WeldResult weld_vertices(const TriangleMesh& mesh, const WeldOptions& options = {});

}  // namespace prehend::geometry
