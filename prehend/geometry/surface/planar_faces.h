// Choosing the diagonals inside planar faces.
//
// A planar face of a solid usually comes as many triangles; which diagonals divide it is the exporter's
// taste, often slivers, and files in single precision leave them coplanar only up to rounding. Dividing such
// a face differently leaves the surface where it was, up to `flatness`, and needs far fewer Steiner points
// than recovering every sliver.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <prehend/geometry/tetrahedra/surface_constraints.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {

class PlanarFaces {
 public:
  using Edge = std::array<int, 2>;

  // [m] Two facets count as coplanar when the surface moves by at most `flatness` if their diagonal is
  // swapped; 0: only when they lie in one plane exactly.
  PlanarFaces(const TetComplex& complex, SurfaceConstraints& constraints, double flatness)
      : complex_(complex), constraints_(constraints), flatness_(flatness) {}

  // Does the surface bend or branch at the edge? Not if it has two facets, side by side and coplanar.
  bool is_feature(const Edge& edge) const;

  // The apexes of the two facets at an edge that is no feature, when the quadrilateral is strictly convex and
  // its other diagonal is not an edge of the surface yet.
  std::optional<Edge> other_diagonal(const Edge& edge) const;

  // Swaps diagonals (Lawson's flips), starting from the given edges and those around them, until the angles
  // opposite to each sum to at most pi. Returns the given edges that remain and the new ones.
  std::vector<Edge> make_delaunay(const std::vector<Edge>& edges);

  // Makes `wanted` an edge of the surface in place of those it crosses (Sloan 1993). `crossed` is one of
  // those; neither it nor the others may be features, and the surface may not move by more than the flatness.
  // Returns the edges that came in; nothing when something is in the way (the face may be divided differently
  // then, too).
  std::vector<Edge> adopt(const Edge& crossed, const Edge& wanted);

 private:
  Edge apexes(const Edge& edge) const;
  bool is_flat(const Edge& edge, const Edge& other) const;
  int viewing_axis(const Edge& edge) const;
  int turn(int axis, int a, int b, int c) const;
  bool cross(int axis, const Edge& e, const Edge& f) const;

  const TetComplex& complex_;
  SurfaceConstraints& constraints_;
  const double flatness_;
};

}  // namespace prehend::geometry
