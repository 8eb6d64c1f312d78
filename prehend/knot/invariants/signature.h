// The signature of a closed diagram, exactly.
//
// Colour the faces like a chessboard; the white ones (fewer) are the unknowns of Goeritz's form: every crossing adds
// eta (x_i - x_j)^2 for the white faces i, j in its corners, eta = +1 where turning the upper strand counter-clockwise
// sweeps the black corners. One white face is left out. The signature of the knot is that of the form less the sum of eta
// over the crossings at which the black surface does not follow the orientation (Gordon and Litherland 1978).
//
// Convention: -2 for the right-handed trefoil (whose crossings are plus), as in most tables.
// The form's signature is read from whole-number elimination (Bareiss) in 128 bits; where that would overflow, from
// eigenvalues, whose distance from zero must exceed their rounding error by far, else std::overflow_error.
#pragma once

#include <prehend/knot/closure.h>

namespace prehend::knot {

int signature(const ClosedDiagram& diagram);

}  // namespace prehend::knot
