// Bringing one missing edge or triangle into a tetrahedralisation by flips alone; see boundary_recovery.h.
#pragma once

#include <array>
#include <vector>

#include <prehend/geometry/surface/planar_faces.h>
#include <prehend/geometry/tetrahedra/segment_walk.h>
#include <prehend/geometry/tetrahedra/surface_constraints.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {

enum class FlipOutcome {
  present,   // it is there now
  stuck,     // no flip reduces the obstructions
  vertex,    // it passes through a vertex that is not its own
  crossing,  // it crosses a facet or an edge of the surface
};

struct FlipReport {
  FlipOutcome outcome{FlipOutcome::stuck};
  int flips{0};
  int vertex{-1};                            // vertex: which
  int facet{-1};                             // crossing: one facet in the way
  SegmentPath path;                          // edge, stuck: what is in the way
  std::vector<std::array<int, 2>> piercing;  // triangle, stuck: the edges in the way
};

class BoundaryFlips {
 public:
  BoundaryFlips(TetComplex& complex, const SurfaceConstraints& constraints, const PlanarFaces& planar)
      : complex_(complex), constraints_(constraints), planar_(planar) {}

  // While the edges at which the surface bends are recovered, those inside planar faces may go; they have
  // alternatives.
  bool keep_planar_edges{false};
  // Once triangles have been recovered, flips must not take them away again.
  bool keep_faces{false};

  FlipReport recover_edge(int a, int b);
  // Its three edges are in the complex.
  FlipReport recover_triangle(const std::array<int, 3>& triangle);

 private:
  bool is_kept(int u, int v) const;
  bool may_remove(int u, int v, const EdgeRing& ring) const;
  bool clear_edge_of_segment(int u, int v, int a, int b);
  bool clear_face_of_segment(int face_code, int a, int b);
  bool unblock_segment(const SegmentPath& path, int a, int b);
  bool find_piercing(const std::array<int, 3>& triangle, int cell, FlipReport& report) const;

  TetComplex& complex_;
  const SurfaceConstraints& constraints_;
  const PlanarFaces& planar_;
};

}  // namespace prehend::geometry
