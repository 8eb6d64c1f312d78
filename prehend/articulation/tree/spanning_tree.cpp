#include <algorithm>
#include <numeric>

#include <prehend/articulation/tree/spanning_tree.h>

namespace prehend::articulation {

std::vector<int> best_spanning_tree(int nodes, std::span<const WeightedEdge> edges) {
  std::vector<int> order(edges.size()), root(nodes), tree;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return edges[i].score > edges[j].score; });
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const int e : order) {
    const int a = find(edges[e].a), b = find(edges[e].b);
    if (a == b) continue;
    root[std::max(a, b)] = std::min(a, b);
    tree.push_back(e);
  }
  return tree;
}

std::vector<int> other_edges(int nodes, std::span<const WeightedEdge> edges, std::span<const int> tree,
                             int edge) {
  std::vector<int> rest(tree.begin(), tree.end());
  std::erase(rest, edge);
  const RootedTree half = rooted_tree(nodes, edges, rest, edges[edge].a);
  std::vector<int> others;
  for (int e = 0; e < static_cast<int>(edges.size()); ++e)
    if (e != edge && (half.parent[edges[e].a] == -2) != (half.parent[edges[e].b] == -2)) others.push_back(e);
  std::ranges::stable_sort(others, [&](int i, int j) { return edges[i].score > edges[j].score; });
  return others;
}

RootedTree rooted_tree(int nodes, std::span<const WeightedEdge> edges, std::span<const int> tree, int root) {
  RootedTree result;
  result.parent.assign(nodes, -2);
  result.parent_edge.assign(nodes, -1);
  result.parent[root] = -1;
  result.order.push_back(root);
  for (std::size_t i = 0; i < result.order.size(); ++i) {
    const int at = result.order[i];
    // Children in the order of their numbers.
    std::vector<std::pair<int, int>> children;
    for (const int e : tree) {
      const int other = edges[e].a == at ? edges[e].b : edges[e].b == at ? edges[e].a : -1;
      if (other >= 0 && result.parent[other] == -2) children.emplace_back(other, e);
    }
    std::sort(children.begin(), children.end());
    for (const auto& [child, e] : children) {
      result.parent[child] = at;
      result.parent_edge[child] = e;
      result.order.push_back(child);
    }
  }
  return result;
}

std::vector<int> path_between(const RootedTree& tree, int a, int b) {
  std::vector<int> up, down;
  for (int i = a; i >= 0; i = tree.parent[i]) up.push_back(i);
  for (int i = b; i >= 0; i = tree.parent[i]) down.push_back(i);
  // Drop what both have in common above the meeting point.
  while (up.size() > 1 && down.size() > 1 && up[up.size() - 2] == down[down.size() - 2]) {
    up.pop_back();
    down.pop_back();
  }
  down.pop_back();
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

}  // namespace prehend::articulation
