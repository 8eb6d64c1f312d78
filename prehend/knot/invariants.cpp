#include <prehend/knot/invariants.h>
#include <prehend/knot/invariants/alexander.h>
#include <prehend/knot/invariants/jones.h>
#include <prehend/knot/invariants/signature.h>

namespace prehend::knot {

Invariants Invariants::mirrored() const {
  Invariants mirror = *this;
  mirror.jones = jones.inverted();
  mirror.signature = -signature;
  return mirror;
}

Invariants operator*(const Invariants& a, const Invariants& b) {
  Invariants sum;
  sum.alexander = a.alexander * b.alexander;
  sum.jones_known = a.jones_known && b.jones_known;
  if (sum.jones_known) sum.jones = a.jones * b.jones;
  sum.signature = a.signature + b.signature;
  sum.determinant = checked_product(a.determinant, b.determinant);
  return sum;
}

Invariants invariants(const ClosedDiagram& diagram) {
  Invariants result;
  result.alexander = alexander_polynomial(diagram);
  if (const auto jones = jones_polynomial(diagram)) {
    result.jones = *jones;
    result.jones_known = true;
  }
  result.signature = signature(diagram);
  const std::int64_t at_minus_one = result.alexander.at_minus_one();
  result.determinant = at_minus_one < 0 ? -at_minus_one : at_minus_one;
  return result;
}

}  // namespace prehend::knot
