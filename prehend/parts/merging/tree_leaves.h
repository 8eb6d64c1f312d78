// Other leaves for a tree of merges: fewer of them.
#pragma once

#include <vector>

#include <prehend/parts/segmentation.h>

namespace prehend::parts {

struct TreeLeaves {
  PartTree tree;
  std::vector<int> leaf_of;  // per leaf of the tree before
};

// The last merges, those of `leaves` nodes, which become the leaves in the order of their first leaf.
TreeLeaves top_of_tree(const PartTree& tree, int leaves);

// Without the leaves that are not kept: each goes to a leaf of what it merges with first. At least one is kept.
TreeLeaves without_leaves(const PartTree& tree, const std::vector<char>& is_kept);

}  // namespace prehend::parts
