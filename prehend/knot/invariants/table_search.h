// The knots of the table, and the sums of them, that a closed diagram may be.
#pragma once

#include <vector>

#include <prehend/knot/invariants/knot_table.h>

namespace prehend::knot {

// Indices into knot_table(), ascending; none: the unknot.
using Sum = std::vector<std::size_t>;

// All sums whose invariants agree with `values` for some choice of mirror images, with colouring numbers compared where
// more than one does, or where the diagram has more than the table's 10 crossings. `diagram` shows no summands. A candidate has no more crossings than the diagram (crossing numbers
// are taken to add up, which is proved for alternating knots); for an alternating diagram, exactly as many, and is prime.
std::vector<Sum> fitting_sums(const ClosedDiagram& diagram, const Invariants& values);

}  // namespace prehend::knot
