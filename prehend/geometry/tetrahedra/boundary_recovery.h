// Making a closed surface appear as edges and faces of a tetrahedralisation of its vertices.
//
// The Delaunay tetrahedra of the vertices need not contain the surface's edges and triangles. Missing edges,
// then missing triangles, are brought in by flips around what obstructs them (faces that an edge crosses,
// edges that a triangle is pierced by), each of which must reduce the number of obstructions; where flips are
// stuck, a Steiner point is set on the missing edge or triangle, which is subdivided there (in the spirit of
// George, Hecht, Saltel 1991 and Si 2015). Edges or triangles that cross each other cannot both appear: that
// is reported as a self-intersection, with the triangles. Everything is decided by exact predicates on the
// rounded coordinates.
#pragma once

#include <array>
#include <string>

#include <prehend/geometry/tetrahedra/surface_constraints.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {

enum class RecoveryStatus { failed, ok, self_intersecting, steiner_limit };

struct RecoveryResult {
  RecoveryStatus status{RecoveryStatus::failed};
  std::string message;
  int missing_edges{0};      // edges of the surface absent from the Delaunay tetrahedra
  int missing_triangles{0};  // triangles absent after all edges were there
  int flips{0};
  int edge_steiner{0};      // Steiner points set on edges
  int triangle_steiner{0};  // Steiner points set inside triangles
  // Two input triangles that meet where they must not; -1 when unknown.
  std::array<int, 2> triangles{-1, -1};
};

struct RecoveryLimits {
  int max_steiner{100'000};
  double flatness{0.0};  // [m] see planar_faces.h
};

// Steiner points are appended to complex.points.
RecoveryResult recover_boundary(TetComplex& complex, SurfaceConstraints& constraints,
                                const RecoveryLimits& limits);

}  // namespace prehend::geometry
