// Makes random closed diagrams and names them, for an independent program to check: one JSON line per diagram.
// Usage: naming_tool COUNT SEED
#include <cstdlib>
#include <iostream>

#include "random_diagrams.h"
#include <prehend/knot/layout/closed_faces.h>
#include <prehend/knot/naming.h>
#include <prehend/model/json_writer.h>

int main(int argc, char** argv) {
  using namespace prehend;
  if (argc != 3) return 2;
  const int count = std::atoi(argv[1]);
  const auto seed = static_cast<std::uint64_t>(std::atoll(argv[2]));
  for (int made = 0, task = 0; made < count; ++task) {
    math::RandomStream random(seed, static_cast<std::uint64_t>(task));
    const knot::PData rope = knot::testing::random_rope(random, 8 + task % 23);
    const knot::ClosedDiagram diagram = task % 2 == 0 ? knot::closed_over(rope) : knot::closed_under(rope);
    const knot::KnotName name = knot::name_closed(diagram);
    // Most short random ropes are no knots; keep one of four of those.
    if (name.name == "0_1" && task % 4 != 0) continue;
    ++made;
    std::vector<std::vector<int>> code;
    for (const knot::CrossingEdges& crossing : knot::crossings_of(diagram))
      code.emplace_back(crossing.edge.begin(), crossing.edge.end());
    model::JsonWriter json;
    json.object().field("pd", code).field("names", name.names);
    json.field("status", to_string(name.status)).field("proved", name.proved);
    json.field("alexander", name.values.alexander.coefficients);
    json.field("signature", name.values.signature).field("determinant", name.values.determinant).end();
    std::cout << json.text() << "\n";
  }
}
