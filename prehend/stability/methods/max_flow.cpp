#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <stdexcept>
#include <string>

#include <prehend/stability/methods/max_flow.h>

namespace prehend::stability {
namespace {

class Network {
 public:
  Network(int nodes, double dust) : arcs_of_(static_cast<std::size_t>(nodes)), dust_(dust) {}

  // The arc back is the next one: its index differs in the last bit.
  void add(const FlowEdge& edge, double infinite) {
    arcs_of_[static_cast<std::size_t>(edge.from)].push_back(static_cast<int>(arcs_.size()));
    arcs_.push_back({edge.to, std::min(edge.forward, infinite)});
    arcs_of_[static_cast<std::size_t>(edge.to)].push_back(static_cast<int>(arcs_.size()));
    arcs_.push_back({edge.from, std::min(edge.backward, infinite)});
  }

  // Distances from the source over arcs with capacity left; -1: out of reach.
  std::vector<int> layers(int source) const {
    std::vector<int> layer(arcs_of_.size(), -1);
    layer[static_cast<std::size_t>(source)] = 0;
    std::queue<int> open({source});
    while (!open.empty()) {
      const int node = open.front();
      open.pop();
      for (const int arc : arcs_of_[static_cast<std::size_t>(node)]) {
        const auto to = static_cast<std::size_t>(arcs_[static_cast<std::size_t>(arc)].to);
        if (arcs_[static_cast<std::size_t>(arc)].left <= dust_ || layer[to] >= 0) continue;
        layer[to] = layer[static_cast<std::size_t>(node)] + 1;
        open.push(static_cast<int>(to));
      }
    }
    return layer;
  }

  double run(int source, int sink) {
    double flow = 0.0;
    for (;;) {
      layer_ = layers(source);
      if (layer_[static_cast<std::size_t>(sink)] < 0) return flow;
      next_.assign(arcs_of_.size(), 0);
      for (;;) {
        const double sent = send(source, sink, std::numeric_limits<double>::infinity());
        if (!(sent > 0.0)) break;
        flow += sent;
      }
    }
  }

 private:
  struct Arc {
    int to{0};
    double left{0.0};
  };

  double send(int node, int sink, double most) {
    if (node == sink) return most;
    const std::vector<int>& out = arcs_of_[static_cast<std::size_t>(node)];
    for (std::size_t& i = next_[static_cast<std::size_t>(node)]; i < out.size(); ++i) {
      const auto index = static_cast<std::size_t>(out[i]);
      Arc& arc = arcs_[index];
      if (arc.left <= dust_) continue;
      if (layer_[static_cast<std::size_t>(arc.to)] != layer_[static_cast<std::size_t>(node)] + 1) continue;
      const double sent = send(arc.to, sink, std::min(most, arc.left));
      if (sent > 0.0) {
        arc.left -= sent;
        arcs_[index ^ 1U].left += sent;
        return sent;
      }
    }
    return 0.0;
  }

  std::vector<Arc> arcs_;
  std::vector<std::vector<int>> arcs_of_;
  std::vector<int> layer_;
  std::vector<std::size_t> next_;
  double dust_;
};

void check(int nodes, std::span<const FlowEdge> edges, int source, int sink) {
  const auto is_node = [&](int i) { return i >= 0 && i < nodes; };
  if (!is_node(source) || !is_node(sink) || source == sink) {
    throw std::invalid_argument("source " + std::to_string(source) + " and sink " + std::to_string(sink) +
                                " must be two of the " + std::to_string(nodes) + " nodes");
  }
  for (const FlowEdge& edge : edges) {
    if (!is_node(edge.from) || !is_node(edge.to)) throw std::invalid_argument("an edge ends at no node");
    if (!(edge.forward >= 0.0) || !(edge.backward >= 0.0)) {
      throw std::invalid_argument("a capacity is negative or not a number");
    }
  }
}

}  // namespace

FlowResult max_flow(int nodes, std::span<const FlowEdge> edges, int source, int sink) {
  check(nodes, edges, source, sink);
  double finite = 0.0;
  for (const FlowEdge& edge : edges) {
    for (const double capacity : {edge.forward, edge.backward}) {
      if (std::isfinite(capacity)) finite += capacity;
    }
  }
  // More than all finite edges together is as good as infinite.
  const double infinite = finite > 0.0 ? 2.0 * finite : 1.0;
  Network network(nodes, 1e-13 * infinite);
  for (const FlowEdge& edge : edges) network.add(edge, infinite);
  FlowResult result;
  result.value = network.run(source, sink);
  if (result.value > 0.75 * infinite) result.value = std::numeric_limits<double>::infinity();
  for (const int layer : network.layers(source)) result.source_side.push_back(layer >= 0);
  return result;
}

}  // namespace prehend::stability
