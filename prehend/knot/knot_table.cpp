#include <array>
#include <sstream>
#include <stdexcept>

#include <prehend/knot/knot_table.h>
#include <prehend/knot/reduction.h>
#include <prehend/model/embedded_data.h>

namespace prehend::knot {
namespace {

// From a planar diagram code with edges numbered along the knot (three crossings or more).
ClosedDiagram diagram_of(const std::vector<int>& edges) {
  const int n = static_cast<int>(edges.size()) / 2;
  PData loop;
  loop.sigma.assign(static_cast<std::size_t>(n), 0);
  loop.attr = loop.sigma;
  for (std::size_t x = 0; x < edges.size(); x += 4) {
    const int under = edges[x], b = edges[x + 1], d = edges[x + 3];
    const int sign = b == d % n + 1 ? 1 : -1;  // the upper strand enters by d: from left to right
    const int over = sign > 0 ? d : b;
    loop.sigma.at(static_cast<std::size_t>(under) - 1) = over;
    loop.sigma.at(static_cast<std::size_t>(over) - 1) = under;
    loop.attr.at(static_cast<std::size_t>(under) - 1) = attribute_of(false, sign);
    loop.attr.at(static_cast<std::size_t>(over) - 1) = attribute_of(true, sign);
  }
  return {loop};
}

std::vector<TableKnot> read_table() {
  std::vector<TableKnot> table;
  table.push_back({"0_1", 0, {}, true, invariants({})});
  std::istringstream text{std::string(model::embedded_file("knots/rolfsen.csv"))};
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("knot,")) continue;
    const std::size_t comma = line.find(',');
    std::istringstream numbers(line.substr(comma + 1));
    std::vector<int> edges;
    for (int edge; numbers >> edge;) edges.push_back(edge);
    const ClosedDiagram diagram = diagram_of(edges);
    if (const std::string problem = find_problem(diagram); !problem.empty())
      throw std::logic_error("the table of knots is damaged: " + line.substr(0, comma) + ": " + problem);
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
