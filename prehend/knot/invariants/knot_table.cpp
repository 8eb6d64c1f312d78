#include <array>
#include <sstream>
#include <stdexcept>

#include <prehend/knot/codes.h>
#include <prehend/knot/invariants/knot_table.h>
#include <prehend/knot/invariants/reduction.h>
#include <prehend/model/embedded_data.h>

namespace prehend::knot {
namespace {

std::vector<TableKnot> read_table() {
  std::vector<TableKnot> table;
  table.push_back({"0_1", 0, {}, true, invariants({})});
  std::istringstream text{std::string(model::embedded_file("knots/rolfsen.csv"))};
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("knot,")) continue;
    const std::size_t comma = line.find(',');
    std::istringstream numbers(line.substr(comma + 1));
    PdCode code;
    for (std::array<int, 4> x; numbers >> x[0] >> x[1] >> x[2] >> x[3];) code.push_back(x);
    const ClosedDiagram diagram = from_pd(code);
    table.push_back(
        {line.substr(0, comma), diagram.crossings(), diagram, is_alternating(diagram), invariants(diagram)});
  }
  return table;
}

}  // namespace

const std::vector<TableKnot>& knot_table() {
  static const std::vector<TableKnot> table = read_table();
  return table;
}

const TableKnot& table_knot(std::string_view name) {
  for (const TableKnot& knot : knot_table()) {
    if (knot.name == name) return knot;
  }
  throw std::out_of_range("no knot '" + std::string(name) +
                          "'; the table has the unknot 0_1 and the prime knots 3_1 to 10_165");
}

}  // namespace prehend::knot
