// The mean of several trees over the same points.
//
// Each merge of the cheapest neighbours depends on those before it, so that regions cut a little differently can give another tree.
// What several such trees agree on does not hinge on one border. Two points are as far apart as the logarithm of the number of parts
// at which a tree joins them, averaged over the trees: an early or late place among 40 parts counts little, one among four much. Cells,
// points that every tree has in one leaf, are merged by average linkage. Cost: the square of the number of cells per merge at worst.
#pragma once

#include <vector>

#include <prehend/parts/segmentation.h>

namespace prehend::parts {

struct PointTree {
  PartTree tree;
  std::vector<int> leaf_of;  // per point; -1: left out
};

// Per point its cell, numbered in the order of the points; -1 where a tree leaves the point out.
std::vector<int> common_cells(const std::vector<PointTree>& trees);

// Cells may be unions of common ones, and hold points that some of the trees leave out. The tree has at most `leaves` leaves; the cost of a merge is the
// mean of what the trees say.
PointTree mean_tree(const std::vector<PointTree>& trees, const std::vector<int>& cell_of, int leaves);

}  // namespace prehend::parts
