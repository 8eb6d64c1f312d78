// The Jones polynomial of a closed diagram, by Kauffman's bracket.
//
// <crossing> = A <joined a-b, c-d> + 1/A <joined a-d, b-c>, a loop counts -A^2 - A^-2, and with the writhe w
// V = (-A^3)^-w <diagram> at t = A^-4 (Kauffman 1987). Crossings are taken in one after the other; what is kept is
// one polynomial per way in which the strands that cross the frontier are joined in pairs behind it, not one per
// smoothing of all crossings. With a frontier of 2 k strands there are at most Catalan(k) such ways.
//
// Convention: the right-handed trefoil (plus crossings) has t + t^3 - t^4.
// Cost: about Catalan(k) n^2; k is 4 to 6 for 30 crossings. std::overflow_error where a coefficient leaves 64 bits.
#pragma once

#include <cstddef>
#include <optional>

#include <prehend/knot/closure.h>
#include <prehend/knot/laurent.h>

namespace prehend::knot {

struct JonesOptions {
  // Polynomials kept at once; past that the diagram is given up. Bounds memory to some 100 MB.
  std::size_t max_states{200000};
};

// Nothing when the diagram needs more than max_states.
std::optional<Laurent> jones_polynomial(const ClosedDiagram& diagram, const JonesOptions& options = {});

}  // namespace prehend::knot
