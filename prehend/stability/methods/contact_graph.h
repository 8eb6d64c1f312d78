// The contact interface graph (source N, 4.4.1): movable bodies and the ground are nodes, interfaces are edges.
//
// A super-object is a set of bodies that moves as one against the rest, which stays: a cut of the graph. Of the 2^n
// sets, those are worth a look whose removal leaves the rest connected to the ground and which hang together
// themselves. A body that touches only the set rides along: left behind in the air it would fall, and to carry it
// costs the push no more (contact_graph.cpp).
//
// Sets are grown from the pushed body by one neighbour at a time, each time closed by the riders: this finds every
// such set, small ones first, with polynomial work for each. Their number may still be exponential (a wall of n
// blocks), hence the caller may stop at any time.
#pragma once

#include <set>
#include <vector>

#include <prehend/stability/contact_system.h>

namespace prehend::stability {

struct ContactGraph {
  struct Edge {
    int a{0}, b{0};  // nodes; the ground is node `ground`
    InterfaceIndex interface;
  };
  int ground{0};  // the movable bodies are 0 .. ground - 1, by NodeIndex
  std::vector<Edge> edges;
  std::vector<std::vector<int>> neighbours;  // by node, each once, ascending

  int node(NodeIndex index) const { return index.is_valid() ? index.value() : ground; }
};

ContactGraph make_contact_graph(const ContactSystem& system);

// The interfaces that lie on simple paths from the body to the ground: a force on the body can stress no other
// (source N, 4.4.1). By index.
std::vector<InterfaceIndex> path_interfaces(const ContactGraph& graph, NodeIndex body);

// By NodeIndex: is the body in the set?
using BodySet = std::vector<bool>;

// The set and all that would hang in the air without it.
BodySet with_riders(const ContactGraph& graph, BodySet set);

// Super-objects that contain a body, smallest first.
class SuperObjectSearch {
 public:
  SuperObjectSearch(const ContactGraph& graph, NodeIndex body);  // keeps a reference to the graph
  // False when there are no more.
  bool next(BodySet& set);
  long found() const { return found_; }

 private:
  const ContactGraph& graph_;
  std::vector<std::set<BodySet>> open_;  // by number of bodies
  std::size_t size_{0};
  long found_{0};
};

}  // namespace prehend::stability
