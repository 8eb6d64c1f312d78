// The spanning tree of largest total score over parts, and paths in it (source K: minimum spanning tree on the criterion).
#pragma once

#include <span>
#include <vector>

namespace prehend::articulation {

struct WeightedEdge {
  int a{0}, b{0};
  double score{0.0};
};

// Indices into `edges` of the tree of largest sum (Kruskal); ties go to the edge that comes first. A forest where the edges do
// not connect all nodes.
std::vector<int> best_spanning_tree(int nodes, std::span<const WeightedEdge> edges);

// Edges that could take the place of a tree's edge: those that join the two halves into which the tree falls without it, best first.
std::vector<int> other_edges(int nodes, std::span<const WeightedEdge> edges, std::span<const int> tree,
                             int edge);

// Parent of each node when the tree hangs from `root`, and the order of a walk from there; -1 for the root, -2 for nodes that it
// does not reach.
struct RootedTree {
  std::vector<int> parent, parent_edge, order;
};
RootedTree rooted_tree(int nodes, std::span<const WeightedEdge> edges, std::span<const int> tree, int root);

// Nodes from a to b.
std::vector<int> path_between(const RootedTree& tree, int a, int b);

}  // namespace prehend::articulation
