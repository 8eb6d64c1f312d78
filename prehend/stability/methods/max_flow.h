// Largest flow through a network, and the smallest cut that limits it.
//
// Dinic's method (layers by breadth-first search, blocking flows by depth-first search) with real capacities; an edge
// may carry more in one direction than in the other, and infinitely much. Cost: O(nodes^2 edges) at worst, in practice
// a few passes over the edges.
#pragma once

#include <span>
#include <vector>

namespace prehend::stability {

struct FlowEdge {
  int from{0}, to{0};
  double forward{0.0},
      backward{0.0};  // capacities from `from` to `to`, and back; not negative, may be infinite
};

struct FlowResult {
  double value{0.0};  // infinite when no finite cut separates source and sink
  std::vector<bool>
      source_side;  // by node: what the source still reaches; the edges that leave it are the cut
};

// Nodes are 0 .. nodes - 1, source and sink differ. Throws std::invalid_argument for a node out of range, source =
// sink, or a capacity that is negative or not a number.
FlowResult max_flow(int nodes, std::span<const FlowEdge> edges, int source, int sink);

}  // namespace prehend::stability
