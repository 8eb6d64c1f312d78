#include <prehend/parts/merging/tree_leaves.h>

namespace prehend::parts {

TreeLeaves top_of_tree(const PartTree& tree, int leaves) {
  TreeLeaves top{{leaves, {}}, tree.cut(leaves)};
  const int below = tree.leaves - leaves;  // merges that the leaves are made by
  std::vector<int> node(tree.leaves + tree.merges.size(), -1);
  for (int leaf = 0; leaf < tree.leaves; ++leaf) node[leaf] = top.leaf_of[leaf];
  for (int k = 0; k < static_cast<int>(tree.merges.size()); ++k) {
    const PartMerge& merge = tree.merges[k];
    if (k < below) {
      node[tree.leaves + k] = node[merge.a];
    } else {
      top.tree.merges.push_back({node[merge.a], node[merge.b], merge.cost, merge.own});
      node[tree.leaves + k] = leaves + k - below;
    }
  }
  return top;
}

TreeLeaves without_leaves(const PartTree& tree, const std::vector<char>& is_kept) {
  TreeLeaves result;
  result.leaf_of.assign(tree.leaves, -1);
  // Per node: what it is in the new tree, a leaf of it there, and the leaves that wait for one.
  struct Node {
    int number{-1}, leaf{-1};
    std::vector<int> waiting;
  };
  std::vector<Node> nodes(tree.leaves + tree.merges.size());
  for (int leaf = 0; leaf < tree.leaves; ++leaf) {
    if (is_kept[leaf]) {
      nodes[leaf].number = nodes[leaf].leaf = result.leaf_of[leaf] = result.tree.leaves++;
    } else {
      nodes[leaf].waiting = {leaf};
    }
  }
  for (std::size_t k = 0; k < tree.merges.size(); ++k) {
    const PartMerge& merge = tree.merges[k];
    Node &a = nodes[merge.a], &b = nodes[merge.b], &both = nodes[tree.leaves + k];
    both.leaf = a.leaf >= 0 ? a.leaf : b.leaf;
    for (Node* part : {&a, &b})
      for (const int leaf : part->waiting) {
        if (both.leaf >= 0) {
          result.leaf_of[leaf] = both.leaf;
        } else {
          both.waiting.push_back(leaf);
        }
      }
    if (a.number < 0 || b.number < 0) {
      both.number = a.number < 0 ? b.number : a.number;
    } else {
      both.number = result.tree.leaves + static_cast<int>(result.tree.merges.size());
      result.tree.merges.push_back({a.number, b.number, merge.cost, merge.own});
    }
  }
  return result;
}

}  // namespace prehend::parts
