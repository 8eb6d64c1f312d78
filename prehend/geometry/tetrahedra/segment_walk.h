// What a straight segment between two vertices passes through in a tetrahedralisation; exact.
#pragma once

#include <vector>

#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {

struct SegmentPath {
  enum class End {
    present,  // the segment is an edge of the complex
    reached,  // it arrives at b after crossing the faces
    vertex,   // it meets the vertex `vertex`
    edge,     // it meets the interior of edge `edge`, which belongs to `cell`
    lost,     // it leaves the hull: cannot happen between vertices of a complex
  };
  End end{End::lost};
  std::vector<int> faces;  // face codes crossed in their interior, each named from the side of a
  int vertex{-1};
  std::array<int, 2> edge{-1, -1};
  int cell{-1};
};

// Stops at the first vertex or edge met.
SegmentPath walk_segment(const TetComplex& complex, int a, int b);

// Does the open segment a, b meet the closed triangle p, q, r elsewhere than in a common vertex? All are
// vertices of the complex; none of them lies inside the triangle or the segment.
bool segment_meets_triangle(const TetComplex& complex, int a, int b, const std::array<int, 3>& triangle);

// Does the edge u, v pass through the interior of the triangle?
bool edge_pierces_triangle(const TetComplex& complex, int u, int v, const std::array<int, 3>& triangle);

}  // namespace prehend::geometry
