// The Alexander polynomial of a closed diagram, exactly.
//
// It is the determinant of the matrix with one row per crossing, (1 - t) over + t in - out for a plus crossing and with
// in and out exchanged for a minus one, without one row and one column (Fox calculus on Wirtinger's presentation;
// Alexander 1928), up to sign and powers of t. The determinant is evaluated modulo primes at as many points as it has
// coefficients, interpolated and put together by the Chinese remainder theorem, with primes enough for Hadamard's
// bound sqrt(6)^(n-1) on a coefficient: nothing is rounded, and what does not fit into 64 bits is noticed.
//
// Cost: n^4 / 3 multiplications per prime for n crossings, one prime per 23 crossings.
#pragma once

#include <prehend/knot/closure.h>
#include <prehend/knot/laurent.h>

namespace prehend::knot {

// Lowest power 0, last coefficient positive: 1 - 3 t + t^2 for the figure-eight knot. Symmetric; at 1 it is 1 or -1, at
// -1 plus or minus the knot's determinant. The diagram must be sound. std::overflow_error past 64 bits.
Laurent alexander_polynomial(const ClosedDiagram& diagram);

}  // namespace prehend::knot
