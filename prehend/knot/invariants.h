// The invariants of a closed diagram that naming compares. Each stands in its own header with convention and cost.
#pragma once

#include <cstdint>

#include <prehend/knot/closure.h>
#include <prehend/knot/laurent.h>

namespace prehend::knot {

struct Invariants {
  Laurent alexander;            // lowest power 0, last coefficient positive (alexander.h)
  Laurent jones;                // right-handed trefoil: t + t^3 - t^4 (jones.h)
  bool jones_known{false};      // false: the diagram is too wide for it, and `jones` is 0
  int signature{0};             // right-handed trefoil: -2 (signature.h)
  std::int64_t determinant{0};  // |alexander(-1)|, odd

  // Of the mirror image.
  Invariants mirrored() const;
  friend bool operator==(const Invariants&, const Invariants&) = default;
};

// Of the connected sum of two knots.
Invariants operator*(const Invariants& a, const Invariants& b);

// The diagram must be sound (find_problem); std::overflow_error when a number does not fit into 64 bits.
Invariants invariants(const ClosedDiagram& diagram);

}  // namespace prehend::knot
