// The symbolic half of QuasidefiniteLdl: elimination order, elimination tree, fronts.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <prehend/math/cone/quasidefinite_ldl.h>

namespace prehend::math {
namespace {

using Pattern = std::vector<std::vector<int>>;

// Neighbours of each node, both directions, sorted, without itself.
Pattern adjacency(int size, std::span<const QuasidefiniteLdl::Entry> entries,
                  const std::vector<int>& position) {
  Pattern neighbours(size);
  for (const auto& [row, column] : entries) {
    const int i = position[row], j = position[column];
    if (i == j) continue;
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

// Parent of each column in the elimination tree (Liu 1990), -1 for roots.
std::vector<int> elimination_tree(const Pattern& neighbours) {
  const int n = static_cast<int>(neighbours.size());
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int k = 0; k < n; ++k) {
    for (int i : neighbours[k]) {
      while (i != -1 && i < k) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next == -1) parent[i] = k;
        i = next;
      }
    }
  }
  return parent;
}

// new place of each column when children come directly before their parent.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> first_child(n, -1), sibling(n, -1), place(n), stack;
  for (int j = n - 1; j >= 0; --j) {
    if (parent[j] < 0) continue;
    sibling[j] = first_child[parent[j]];
    first_child[parent[j]] = j;
  }
  int next = 0;
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int node = stack.back();
      if (first_child[node] >= 0) {
        stack.push_back(first_child[node]);
        first_child[node] = sibling[first_child[node]];
      } else {
        place[node] = next++;
        stack.pop_back();
      }
    }
  }
  return place;
}

}  // namespace

void QuasidefiniteLdl::order(std::span<const Entry> entries, std::span<const int> last) {
  const int n = static_cast<int>(position_.size());
  std::vector<int> compact(n, 0), chosen;
  for (int unknown : last) compact[unknown] = -1;
  for (int i = 0; i < n; ++i) {
    if (compact[i] == -1) continue;
    compact[i] = static_cast<int>(chosen.size());
    chosen.push_back(i);
  }
  const int count = static_cast<int>(chosen.size());
  if (count > 0) {
    std::vector<Eigen::Triplet<double, int>> triplets;
    for (const auto& [row, column] : entries) {
      if (compact[row] < 0 || compact[column] < 0) continue;
      triplets.emplace_back(compact[row], compact[column], 1.0);
      if (row != column) triplets.emplace_back(compact[column], compact[row], 1.0);
    }
    for (int i = 0; i < count; ++i) triplets.emplace_back(i, i, 1.0);
    Eigen::SparseMatrix<double, Eigen::ColMajor, int> pattern(count, count);
    pattern.setFromTriplets(triplets.begin(), triplets.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>()(pattern, permutation);
    for (int k = 0; k < count; ++k) position_[chosen[permutation.indices()[k]]] = k;
  }
  int next = count;
  for (int unknown : last) position_[unknown] = next++;
}

void QuasidefiniteLdl::analyse(std::vector<signed char> signs, std::span<const Entry> entries,
                               std::span<const int> last) {
  const int n = static_cast<int>(signs.size());
  position_.assign(n, 0);
  order(entries, last);
  Pattern neighbours = adjacency(n, entries, position_);
  std::vector<int> parent = elimination_tree(neighbours);
  const std::vector<int> place = postorder(parent);
  for (int& p : position_) p = place[p];
  neighbours = adjacency(n, entries, position_);
  parent = elimination_tree(neighbours);

  signs_.assign(n, 1);
  for (int i = 0; i < n; ++i) signs_[position_[i]] = signs[i];
  Pattern structure(n);  // rows below the diagonal of each column of L, sorted
  for (int j = 0; j < n; ++j) {
    auto& own = structure[j];
    for (int i : neighbours[j]) {
      if (i > j) own.push_back(i);
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    if (own.empty()) continue;
    auto& up = neighbours[own.front()];  // passed on to the parent
    up.insert(up.end(), own.begin() + 1, own.end());
  }
  find_fronts(structure, parent);

  growth_.assign(n, 0.0);
  inverse_pivots_.assign(n, 1.0);
  work_.assign(n, 0.0);
  diagonal_location_.assign(n, 0);
  for (int i = 0; i < n; ++i) diagonal_location_[position_[i]] = location(i, i);
}

void QuasidefiniteLdl::find_fronts(const Pattern& structure, const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  fronts_.clear();
  front_rows_.clear();
  parent_row_.clear();
  front_of_column_.assign(n, 0);
  int values = 0, tallest = 0;
  for (int first = 0; first < n;) {
    // Grow along the chain of parents while few explicit zeros are stored: up to a sixth, or a handful.
    int end = first + 1;
    long true_entries = static_cast<long>(structure[first].size()) + 1;
    while (end < n && parent[end - 1] == end) {
      const long width = end - first + 1, below = static_cast<long>(structure[end].size());
      const long stored = width * (width + 1) / 2 + width * below;
      const long wanted = true_entries + below + 1;
      if (stored - wanted > std::max<long>(stored / 6, 24)) break;
      true_entries = wanted;
      ++end;
    }
    Front front;
    front.first = first;
    front.width = end - first;
    front.rows = static_cast<int>(front_rows_.size());
    front.values = values;
    for (int j = first; j < end; ++j) {
      front_rows_.push_back(j);
      front_of_column_[j] = static_cast<int>(fronts_.size());
    }
    front_rows_.insert(front_rows_.end(), structure[end - 1].begin(), structure[end - 1].end());
    front.height = static_cast<int>(front_rows_.size()) - front.rows;
    if (static_cast<long long>(front.height) * front.height > std::numeric_limits<int>::max() - values) {
      throw std::length_error(
          "QuasidefiniteLdl: the factor would need more than 16 GB; the matrix fills in too much");
    }
    values += front.height * front.height;
    tallest = std::max(tallest, front.height);
    fronts_.push_back(front);
    first = end;
  }
  factor_entries_ = 0;
  for (Front& front : fronts_) {
    factor_entries_ += static_cast<std::size_t>(front.width) * (2 * front.height - front.width + 1) / 2;
    front.to_parent = static_cast<int>(parent_row_.size());
    if (front.height == front.width) continue;
    front.parent = front_of_column_[front_rows_[front.rows + front.width]];
    const Front& above = fronts_[front.parent];
    const int* const rows = front_rows_.data() + above.rows;
    for (int i = front.width; i < front.height; ++i) {
      const int* const found = std::lower_bound(rows, rows + above.height, front_rows_[front.rows + i]);
      parent_row_.push_back(static_cast<int>(found - rows));
    }
  }
  values_.assign(values, 0.0);
  gathered_.assign(tallest, 0.0);
}

}  // namespace prehend::math
