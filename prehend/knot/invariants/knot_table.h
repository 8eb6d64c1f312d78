// The prime knots up to 10 crossings by Rolfsen's names, with the unknot 0_1 first: 250 entries.
//
// One diagram of each comes from data/knots/rolfsen.csv (where their source stands); the invariants are computed from
// it by this library when the table is first asked for. Mirror images share a name. Perko's pair is one knot, so the
// last names are 10_161 ... 10_165.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prehend/knot/invariants.h>

namespace prehend::knot {

struct TableKnot {
  std::string name;
  int crossings;          // the least that a diagram of it has
  ClosedDiagram diagram;  // with that many
  bool alternating;
  Invariants values;
};

// By crossings, then by number.
const std::vector<TableKnot>& knot_table();
// Throws std::out_of_range for a name that is not there.
const TableKnot& table_knot(std::string_view name);

}  // namespace prehend::knot
