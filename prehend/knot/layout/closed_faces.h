// What lies around the crossings of a closed diagram: edges and faces.
//
// A loop with n passages has n edges, edge i before passage i. The edges around a crossing are listed counter-clockwise
// from the incoming lower one, as in planar diagram codes X(a, b, c, d); corner k lies between edges k and k + 1.
#pragma once

#include <array>
#include <vector>

#include <prehend/knot/closure.h>

namespace prehend::knot {

struct CrossingEdges {
  std::array<int, 4>
      edge;  // the lower strand runs from 0 to 2; the upper from 3 to 1 (plus) or from 1 to 3 (minus)
  int sign;
};
std::vector<CrossingEdges> crossings_of(const ClosedDiagram& diagram);

struct ClosedFaces {
  std::vector<std::array<int, 4>> corner_face;  // [crossing][corner]
  int count{0};
};
ClosedFaces closed_faces(const std::vector<CrossingEdges>& crossings);

// Sum of the signs of the crossings; that of a closed diagram changes by 1 with every Reidemeister I move.
int writhe(const PData& data);

// Strands between under passages, along the loop; what Wirtinger's presentation has as generators.
struct UnderPassage {
  int in, out, over;  // arcs
  int sign;
};
std::vector<UnderPassage> under_passages(const ClosedDiagram& diagram);

}  // namespace prehend::knot
