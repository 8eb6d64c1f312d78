#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/Core>

#include <prehend/parts/merging/tree_consensus.h>
#include <prehend/parts/merging/tree_leaves.h>

namespace prehend::parts {
namespace {

// Distances that differ by rounding only are equal; the lower number decides.
constexpr double kCloser = 1e-10;

// Per pair of leaves of a tree: how far apart, and the cost of the merge that joins them. Zero and least on the diagonal.
struct LeafPairs {
  Eigen::MatrixXd distance, cost;
};

LeafPairs pairs_of(const PartTree& tree) {
  const int count = tree.leaves;
  // A cell of one leaf: closer than any two leaves, by a factor e in the number of parts.
  LeafPairs pairs{Eigen::MatrixXd::Constant(count, count, -std::log(std::max(2.0, 1.0 * count)) - 1.0),
                  Eigen::MatrixXd::Zero(count, count)};
  std::vector<std::vector<int>> leaves(static_cast<std::size_t>(count) + tree.merges.size());
  for (int leaf = 0; leaf < count; ++leaf) leaves[leaf] = {leaf};
  for (std::size_t k = 0; k < tree.merges.size(); ++k) {
    const PartMerge& merge = tree.merges[k];
    const double distance = -std::log(count - static_cast<double>(k));
    for (const int a : leaves[merge.a])
      for (const int b : leaves[merge.b]) {
        pairs.distance(a, b) = pairs.distance(b, a) = distance;
        pairs.cost(a, b) = pairs.cost(b, a) = merge.cost;
      }
    std::vector<int>& both = leaves[static_cast<std::size_t>(count) + k];
    both = std::move(leaves[merge.a]);
    both.insert(both.end(), leaves[merge.b].begin(), leaves[merge.b].end());
  }
  return pairs;
}

// Per cell the leaf that most of its points have; 0 where the tree leaves all of them out.
std::vector<int> leaf_of_cells(const PointTree& tree, const std::vector<int>& cell_of, int cells) {
  std::vector<std::map<int, int>> count(cells);
  for (std::size_t i = 0; i < cell_of.size(); ++i)
    if (cell_of[i] >= 0 && tree.leaf_of[i] >= 0) ++count[cell_of[i]][tree.leaf_of[i]];
  std::vector<int> leaf(cells, 0);
  for (int cell = 0; cell < cells; ++cell) {
    int most = 0;
    for (const auto& [of, points] : count[cell])
      if (points > most) most = points, leaf[cell] = of;
  }
  return leaf;
}

class AverageLinkage {
 public:
  AverageLinkage(Eigen::MatrixXd distance, Eigen::MatrixXd cost, std::vector<double> weight)
      : distance_(std::move(distance)), cost_(std::move(cost)), weight_(std::move(weight)) {
    for (int i = 0; i < std::ssize(weight_); ++i) alive_.push_back(i);
    node_ = alive_;
    nearest_.resize(alive_.size());
    for (const int i : alive_) find_nearest(i);
  }

  PartTree tree() {
    PartTree result{static_cast<int>(alive_.size()), {}};
    while (alive_.size() > 1) {
      int a = alive_.front();
      for (const int i : alive_)
        if (gap(i) < gap(a) - kCloser) a = i;
      const int b = nearest_[a];
      const double cost = cost_(a, b), before = result.merges.empty() ? cost : result.merges.back().cost;
      result.merges.push_back({node_[a], node_[b], std::max(cost, before), cost});
      join(std::min(a, b), std::max(a, b));
      node_[std::min(a, b)] = result.leaves + static_cast<int>(result.merges.size()) - 1;
    }
    return result;
  }

 private:
  double gap(int i) const { return distance_(i, nearest_[i]); }

  void find_nearest(int i) {
    double least = std::numeric_limits<double>::infinity();
    for (const int j : alive_)
      if (j != i && distance_(i, j) < least - kCloser) least = distance_(i, j), nearest_[i] = j;
  }

  // b into a.
  void join(int a, int b) {
    const double share = weight_[a] / (weight_[a] + weight_[b]);
    for (const int j : alive_) {
      if (j == a || j == b) continue;
      for (Eigen::MatrixXd* of : {&distance_, &cost_})
        (*of)(a, j) = (*of)(j, a) = share * (*of)(a, j) + (1.0 - share) * (*of)(b, j);
    }
    weight_[a] += weight_[b];
    alive_.erase(std::find(alive_.begin(), alive_.end(), b));
    if (alive_.size() < 2) return;
    // Means do not come closer than what they are means of: only neighbours of the two change.
    for (const int i : alive_)
      if (i == a || nearest_[i] == a || nearest_[i] == b) find_nearest(i);
  }

  Eigen::MatrixXd distance_, cost_;
  std::vector<double> weight_;
  std::vector<int> alive_, node_, nearest_;
};

}  // namespace

std::vector<int> common_cells(const std::vector<PointTree>& trees) {
  std::vector<int> cell_of(trees.front().leaf_of.size(), -1);
  std::map<std::vector<int>, int> number;
  for (std::size_t i = 0; i < cell_of.size(); ++i) {
    std::vector<int> leaves;
    for (const PointTree& tree : trees) leaves.push_back(tree.leaf_of[i]);
    if (*std::min_element(leaves.begin(), leaves.end()) < 0) continue;
    cell_of[i] = number.try_emplace(std::move(leaves), static_cast<int>(number.size())).first->second;
  }
  return cell_of;
}

PointTree mean_tree(const std::vector<PointTree>& trees, const std::vector<int>& cell_of, int leaves) {
  const int cells = 1 + *std::max_element(cell_of.begin(), cell_of.end());
  std::vector<double> weight(cells, 0.0);
  for (const int cell : cell_of)
    if (cell >= 0) weight[cell] += 1.0;
  Eigen::MatrixXd distance = Eigen::MatrixXd::Zero(cells, cells), cost = distance;
  const double share = 1.0 / static_cast<double>(trees.size());
  for (const PointTree& tree : trees) {
    const LeafPairs pairs = pairs_of(tree.tree);
    const std::vector<int> leaf = leaf_of_cells(tree, cell_of, cells);
    for (int a = 0; a < cells; ++a)
      for (int b = 0; b < cells; ++b) {
        distance(b, a) += share * pairs.distance(leaf[b], leaf[a]);
        cost(b, a) += share * pairs.cost(leaf[b], leaf[a]);
      }
  }
  const PartTree whole = AverageLinkage(std::move(distance), std::move(cost), std::move(weight)).tree();
  TreeLeaves top = top_of_tree(whole, std::min(leaves, cells));
  PointTree result{std::move(top.tree), cell_of};
  for (int& leaf : result.leaf_of)
    if (leaf >= 0) leaf = top.leaf_of[leaf];
  return result;
}

}  // namespace prehend::parts
