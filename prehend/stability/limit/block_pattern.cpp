#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <Eigen/Cholesky>

#include <prehend/stability/limit/block_pattern.h>
#include <prehend/stability/limit/limit_kernel.h>

namespace prehend::stability {

using math::Matrix6d;

int BlockPattern::block(int row, int column) const {
  const auto first = column_row.begin() + column_first[static_cast<std::size_t>(column)];
  const auto last = column_row.begin() + column_first[static_cast<std::size_t>(column) + 1];
  return bodies + static_cast<int>(std::lower_bound(first, last, row) - column_row.begin());
}

namespace {

// Which bodies share a block, as elimination goes on: one bit per pair.
class EliminationGraph {
 public:
  EliminationGraph(int bodies, const std::vector<std::pair<int, int>>& edges)
      : bodies_(static_cast<std::size_t>(bodies)), words_((bodies_ + 63) / 64), bits_(bodies_ * words_, 0) {
    for (const auto& [a, b] : edges) {
      if (a != b) connect(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
    }
  }
  std::vector<int> neighbours(int body) const {
    std::vector<int> found;
    const std::uint64_t* const row = row_of(static_cast<std::size_t>(body));
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t left = row[word]; left != 0; left &= left - 1)
        found.push_back(static_cast<int>(64 * word) + std::countr_zero(left));
    }
    return found;
  }
  // Blocks that eliminating the body would add, each counted twice.
  int fill(int body) const {
    int missing = 0;
    const std::uint64_t* const own = row_of(static_cast<std::size_t>(body));
    const std::vector<int> around = neighbours(body);
    for (const int other : around) {
      const std::uint64_t* const row = row_of(static_cast<std::size_t>(other));
      for (std::size_t word = 0; word < words_; ++word) missing += std::popcount(own[word] & ~row[word]);
    }
    return missing - static_cast<int>(around.size());  // no body is its own neighbour
  }
  void eliminate(int body, const std::vector<int>& around) {
    const std::uint64_t* const own = row_of(static_cast<std::size_t>(body));
    for (const int other : around) {
      std::uint64_t* const row = &bits_[static_cast<std::size_t>(other) * words_];
      for (std::size_t word = 0; word < words_; ++word) row[word] |= own[word];
      clear(row, static_cast<std::size_t>(other));
      clear(row, static_cast<std::size_t>(body));
    }
  }

 private:
  const std::uint64_t* row_of(std::size_t body) const { return &bits_[body * words_]; }
  static void clear(std::uint64_t* row, std::size_t body) {
    row[body / 64] &= ~(std::uint64_t{1} << (body % 64));
  }
  void connect(std::size_t a, std::size_t b) {
    bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64);
    bits_[b * words_ + a / 64] |= std::uint64_t{1} << (a % 64);
  }

  std::size_t bodies_, words_;
  std::vector<std::uint64_t> bits_;
};

// Bodies in the order of elimination, each with those that are coupled to it and come later.
struct Elimination {
  std::vector<int> order;
  std::vector<std::vector<int>> later;  // by body
};

Elimination least_fill(int bodies, const std::vector<std::pair<int, int>>& edges) {
  EliminationGraph graph(bodies, edges);
  Elimination made;
  made.later.resize(static_cast<std::size_t>(bodies));
  std::vector<char> is_gone(static_cast<std::size_t>(bodies), 0),
      is_stale(static_cast<std::size_t>(bodies), 1);
  std::vector<std::pair<int, int>> cost(static_cast<std::size_t>(bodies));  // fill, then neighbours
  for (int step = 0; step < bodies; ++step) {
    int next = -1;
    for (int body = 0; body < bodies; ++body) {
      const auto b = static_cast<std::size_t>(body);
      if (is_gone[b]) continue;
      if (is_stale[b]) cost[b] = {graph.fill(body), static_cast<int>(graph.neighbours(body).size())};
      is_stale[b] = 0;
      if (next < 0 || cost[b] < cost[static_cast<std::size_t>(next)]) next = body;
    }
    std::vector<int>& later = made.later[static_cast<std::size_t>(next)];
    later = graph.neighbours(next);
    graph.eliminate(next, later);
    is_gone[static_cast<std::size_t>(next)] = 1;
    made.order.push_back(next);
    for (const int other : later) {
      is_stale[static_cast<std::size_t>(other)] = 1;
      for (const int around : graph.neighbours(other)) is_stale[static_cast<std::size_t>(around)] = 1;
    }
  }
  return made;
}

// The same elimination, but each body right after those whose blocks it takes up: they are still in the cache then.
std::vector<int> postordered(const Elimination& made) {
  const std::size_t bodies = made.order.size();
  std::vector<int> place(bodies);
  for (std::size_t i = 0; i < bodies; ++i)
    place[static_cast<std::size_t>(made.order[i])] = static_cast<int>(i);
  std::vector<std::vector<int>> children(bodies);
  std::vector<int> stack;
  for (const int body : made.order) {
    const std::vector<int>& later = made.later[static_cast<std::size_t>(body)];
    if (later.empty()) {
      stack.push_back(body);  // a root
      continue;
    }
    const int parent = *std::min_element(later.begin(), later.end(), [&](int a, int b) {
      return place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
    });
    children[static_cast<std::size_t>(parent)].push_back(body);
  }
  std::vector<int> reversed;  // parents before children
  while (!stack.empty()) {
    const int body = stack.back();
    stack.pop_back();
    reversed.push_back(body);
    for (const int child : children[static_cast<std::size_t>(body)]) stack.push_back(child);
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

// Neighbouring columns with the same rows, as one panel: what they subtract from later columns is then subtracted at once.
void find_panels(const std::vector<std::vector<int>>& columns, BlockPattern& pattern) {
  pattern.panel_first.push_back(0);
  pattern.outer_first.push_back(0);
  for (std::size_t first = 0, next = 0; first < columns.size(); first = next) {
    next = first + 1;
    while (next < columns.size() && next - first < kWidestPanel &&
           columns[next - 1].size() == columns[next].size() + 1 &&
           columns[next - 1].front() == static_cast<int>(next)) {
      ++next;  // column next - 1 has the row `next`, whose own rows are then all of its others
    }
    pattern.panel_first.push_back(static_cast<int>(next));
    const std::vector<int>& rows = columns[next - 1];
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t i = k; i < rows.size(); ++i)
        pattern.outer_target.push_back(i == k ? rows[i] : pattern.block(rows[i], rows[k]));
    }
    pattern.outer_first.push_back(static_cast<int>(pattern.outer_target.size()));
  }
}

}  // namespace

BlockPattern find_block_pattern(int bodies, const std::vector<std::pair<int, int>>& edges) {
  BlockPattern pattern;
  pattern.bodies = bodies;
  const Elimination made = least_fill(bodies, edges);
  const std::vector<int> order = postordered(made);
  pattern.position.assign(static_cast<std::size_t>(bodies), -1);
  for (int step = 0; step < bodies; ++step)
    pattern.position[static_cast<std::size_t>(order[static_cast<std::size_t>(step)])] = step;
  std::vector<std::vector<int>> columns;  // positions still to come, by position
  pattern.column_first.push_back(0);
  for (const int body : order) {
    std::vector<int>& column = columns.emplace_back(made.later[static_cast<std::size_t>(body)]);
    for (int& later : column) later = pattern.position[static_cast<std::size_t>(later)];
    std::sort(column.begin(), column.end());
    pattern.column_row.insert(pattern.column_row.end(), column.begin(), column.end());
    pattern.column_first.push_back(static_cast<int>(pattern.column_row.size()));
  }
  pattern.update_first.push_back(0);
  for (int j = 0; j < bodies; ++j) {
    const std::vector<int>& rows = columns[static_cast<std::size_t>(j)];
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t i = k; i < rows.size(); ++i) {
        pattern.update_target.push_back(i == k ? rows[i] : pattern.block(rows[i], rows[k]));
        pattern.update_left.push_back(pattern.block(rows[i], j));
        pattern.update_right.push_back(pattern.block(rows[k], j));
      }
    }
    pattern.update_first.push_back(static_cast<int>(pattern.update_target.size()));
  }
  find_panels(columns, pattern);
  return pattern;
}

BlockMatrix::BlockMatrix(const BlockPattern& pattern) : pattern_(&pattern) {
  blocks_.assign(static_cast<std::size_t>(pattern.blocks()), Matrix6d::Zero());
}

void BlockMatrix::set_zero() {
  for (Matrix6d& block : blocks_) block.setZero();
}

void BlockMatrix::add_contact(const Side& a, const Side& b, const Eigen::Matrix3d& H) {
  for (const Side* side : {&a, &b}) {
    if (side->position >= 0)
      blocks_[static_cast<std::size_t>(side->position)] += side->T.transpose() * H * side->T;
  }
  if (a.position < 0 || b.position < 0) return;
  const Side &row = a.position > b.position ? a : b, &column = a.position > b.position ? b : a;
  blocks_[static_cast<std::size_t>(pattern_->block(row.position, column.position))] -=
      row.T.transpose() * H * column.T;
}

bool BlockMatrix::factor() {
  const auto at = [&](int index) -> Matrix6d& { return blocks_[static_cast<std::size_t>(index)]; };
  for (int j = 0; j < pattern_->bodies; ++j) {
    const Eigen::LLT<Matrix6d> cholesky(at(j));
    if (cholesky.info() != Eigen::Success || !(cholesky.matrixLLT().diagonal().minCoeff() > 0.0))
      return false;
    at(j) = cholesky.matrixL();
    for (int e = pattern_->column_first[j]; e < pattern_->column_first[j + 1]; ++e) {
      Matrix6d& L = at(pattern_->bodies + e);
      L = at(j).triangularView<Eigen::Lower>().solve(L.transpose()).transpose().eval();
    }
    for (int u = pattern_->update_first[j]; u < pattern_->update_first[j + 1]; ++u) {
      at(pattern_->update_target[u]).noalias() -=
          at(pattern_->update_left[u]) * at(pattern_->update_right[u]).transpose();
    }
  }
  return true;
}

void BlockMatrix::solve(Eigen::Ref<Eigen::VectorXd> rhs) const {
  const auto at = [&](int index) -> const Matrix6d& { return blocks_[static_cast<std::size_t>(index)]; };
  for (int j = 0; j < pattern_->bodies; ++j) {
    auto x = rhs.segment<6>(6 * j);
    x = at(j).triangularView<Eigen::Lower>().solve(x).eval();
    for (int e = pattern_->column_first[j]; e < pattern_->column_first[j + 1]; ++e) {
      rhs.segment<6>(6 * pattern_->column_row[e]).noalias() -= at(pattern_->bodies + e) * x;
    }
  }
  for (int j = pattern_->bodies - 1; j >= 0; --j) {
    auto x = rhs.segment<6>(6 * j);
    for (int e = pattern_->column_first[j]; e < pattern_->column_first[j + 1]; ++e) {
      x.noalias() -= at(pattern_->bodies + e).transpose() * rhs.segment<6>(6 * pattern_->column_row[e]);
    }
    x = at(j).transpose().triangularView<Eigen::Upper>().solve(x).eval();
  }
}

std::vector<double> BlockMatrix::packed(double scale) const {
  const double root = std::sqrt(scale);
  std::vector<double> numbers;
  numbers.reserve(36 * blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < 6; ++c) {
        const bool inverse = i < static_cast<std::size_t>(pattern_->bodies) && r == c;
        numbers.push_back(inverse ? 1.0 / (root * blocks_[i](r, c)) : root * blocks_[i](r, c));
      }
    }
  }
  return numbers;
}

}  // namespace prehend::stability
