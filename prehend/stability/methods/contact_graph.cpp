// Why riders cost nothing: in the limit analysis of a stable scene the contact forces f of a rider with the set, which balance
// its weight, do work f.u >= 0 on every admissible relative velocity u, so that its weight takes away that much of what resists.
// This is also why the interfaces above and below a pushed middle block do not add: the upper block rides, unless something
// holds it.
#include <algorithm>

#include <prehend/stability/methods/contact_graph.h>

namespace prehend::stability {
namespace {

// Blocks (biconnected components) by Tarjan's stack of edges, without recursion: chains of bodies may be long.
class BlockSearch {
 public:
  // `ends` of every edge; the block of the last edge is wanted.
  BlockSearch(int nodes, const std::vector<std::pair<int, int>>& ends) : ends_(ends) {
    edges_of_.resize(static_cast<std::size_t>(nodes));
    for (std::size_t i = 0; i < ends.size(); ++i) {
      edges_of_[static_cast<std::size_t>(ends[i].first)].push_back(static_cast<int>(i));
      edges_of_[static_cast<std::size_t>(ends[i].second)].push_back(static_cast<int>(i));
    }
    depth_.assign(edges_of_.size(), -1);
    low_.assign(edges_of_.size(), 0);
  }

  std::vector<int> block_of_last() {
    struct Visit {
      int node, by_edge;
      std::size_t next;
    };
    const int root = ends_.back().first, wanted = static_cast<int>(ends_.size()) - 1;
    std::vector<Visit> visits{{root, -1, 0}};
    depth_[static_cast<std::size_t>(root)] = 0;
    std::vector<int> stack;
    while (!visits.empty()) {
      Visit& visit = visits.back();
      const auto node = static_cast<std::size_t>(visit.node);
      if (visit.next < edges_of_[node].size()) {
        const int edge = edges_of_[node][visit.next++];
        if (edge == visit.by_edge) continue;
        const auto& [p, q] = ends_[static_cast<std::size_t>(edge)];
        const auto other = static_cast<std::size_t>(p == visit.node ? q : p);
        if (depth_[other] < 0) {
          stack.push_back(edge);
          depth_[other] = low_[other] = depth_[node] + 1;
          visits.push_back({static_cast<int>(other), edge, 0});
        } else if (depth_[other] < depth_[node]) {
          stack.push_back(edge);
          low_[node] = std::min(low_[node], depth_[other]);
        }
        continue;
      }
      const Visit done = visit;
      visits.pop_back();
      if (visits.empty()) break;
      const auto parent = static_cast<std::size_t>(visits.back().node);
      low_[parent] = std::min(low_[parent], low_[node]);
      if (low_[node] < depth_[parent]) continue;
      std::vector<int> block;
      do {
        block.push_back(stack.back());
        stack.pop_back();
      } while (block.back() != done.by_edge);
      if (std::find(block.begin(), block.end(), wanted) != block.end()) return block;
    }
    return {};
  }

 private:
  const std::vector<std::pair<int, int>>& ends_;
  std::vector<std::vector<int>> edges_of_;
  std::vector<int> depth_, low_;
};

}  // namespace

ContactGraph make_contact_graph(const ContactSystem& system) {
  ContactGraph graph;
  graph.ground = static_cast<int>(system.bodies.size());
  std::vector<std::set<int>> neighbours(system.bodies.size() + 1);
  for (InterfaceIndex i(0); i < system.interfaces.size(); ++i) {
    const int a = graph.node(system.interfaces[i].a), b = graph.node(system.interfaces[i].b);
    graph.edges.push_back({a, b, i});
    neighbours[static_cast<std::size_t>(a)].insert(b);
    neighbours[static_cast<std::size_t>(b)].insert(a);
  }
  for (const std::set<int>& near : neighbours) graph.neighbours.emplace_back(near.begin(), near.end());
  return graph;
}

std::vector<InterfaceIndex> path_interfaces(const ContactGraph& graph, NodeIndex body) {
  // An edge lies on a simple path between two nodes exactly when it shares a block with an edge that joins them.
  std::vector<std::pair<int, int>> ends;
  for (const ContactGraph::Edge& edge : graph.edges) ends.emplace_back(edge.a, edge.b);
  ends.emplace_back(graph.node(body), graph.ground);
  std::vector<InterfaceIndex> on_path;
  for (const int edge : BlockSearch(graph.ground + 1, ends).block_of_last()) {
    if (static_cast<std::size_t>(edge) < graph.edges.size()) {
      on_path.push_back(graph.edges[static_cast<std::size_t>(edge)].interface);
    }
  }
  std::sort(on_path.begin(), on_path.end());
  return on_path;
}

BodySet with_riders(const ContactGraph& graph, BodySet set) {
  std::vector<bool> grounded(static_cast<std::size_t>(graph.ground) + 1, false);
  grounded.back() = true;
  std::vector<int> open{graph.ground};
  while (!open.empty()) {
    const auto node = static_cast<std::size_t>(open.back());
    open.pop_back();
    for (const int other : graph.neighbours[node]) {
      const auto next = static_cast<std::size_t>(other);
      if (grounded[next] || set[next]) continue;
      grounded[next] = true;
      open.push_back(other);
    }
  }
  for (std::size_t i = 0; i < set.size(); ++i) set[i] = !grounded[i];
  return set;
}

SuperObjectSearch::SuperObjectSearch(const ContactGraph& graph, NodeIndex body) : graph_(graph) {
  open_.resize(static_cast<std::size_t>(graph.ground) + 1);
  BodySet first(static_cast<std::size_t>(graph.ground), false);
  first[body] = true;
  first = with_riders(graph, std::move(first));
  size_ = static_cast<std::size_t>(std::count(first.begin(), first.end(), true));
  open_[size_].insert(std::move(first));
}

bool SuperObjectSearch::next(BodySet& set) {
  while (size_ < open_.size() && open_[size_].empty()) ++size_;
  if (size_ >= open_.size()) return false;
  // Growing adds at least one body, so no set of this size can be found again.
  set = open_[size_].extract(open_[size_].begin()).value();
  ++found_;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i]) continue;
    const std::vector<int>& near = graph_.neighbours[i];
    const bool touches = std::any_of(near.begin(), near.end(), [&](int other) {
      return other != graph_.ground && set[static_cast<std::size_t>(other)];
    });
    if (!touches) continue;
    BodySet grown = set;
    grown[i] = true;
    grown = with_riders(graph_, std::move(grown));
    const auto size = static_cast<std::size_t>(std::count(grown.begin(), grown.end(), true));
    open_[size].insert(std::move(grown));
  }
  return true;
}

}  // namespace prehend::stability
