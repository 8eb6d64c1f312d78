#include <algorithm>
#include <cmath>
#include <set>

#include <Eigen/Cholesky>

#include <prehend/stability/limit/block_pattern.h>

namespace prehend::stability {

using math::Matrix6d;

int BlockPattern::block(int row, int column) const {
  const auto first = column_row.begin() + column_first[static_cast<std::size_t>(column)];
  const auto last = column_row.begin() + column_first[static_cast<std::size_t>(column) + 1];
  return bodies + static_cast<int>(std::lower_bound(first, last, row) - column_row.begin());
}

BlockPattern find_block_pattern(int bodies, const std::vector<std::pair<int, int>>& edges) {
  BlockPattern pattern;
  pattern.bodies = bodies;
  std::vector<std::set<int>> neighbours(static_cast<std::size_t>(bodies));
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    neighbours[static_cast<std::size_t>(a)].insert(b);
    neighbours[static_cast<std::size_t>(b)].insert(a);
  }
  pattern.position.assign(static_cast<std::size_t>(bodies), -1);
  std::vector<std::vector<int>> columns;  // bodies still to come, by body
  for (int step = 0; step < bodies; ++step) {
    int next = -1;
    for (int body = 0; body < bodies; ++body) {
      if (pattern.position[static_cast<std::size_t>(body)] >= 0) continue;
      if (next < 0 || neighbours[static_cast<std::size_t>(body)].size() <
                          neighbours[static_cast<std::size_t>(next)].size()) {
        next = body;
      }
    }
    pattern.position[static_cast<std::size_t>(next)] = step;
    const std::set<int> left = neighbours[static_cast<std::size_t>(next)];
    for (const int a : left) {
      neighbours[static_cast<std::size_t>(a)].erase(next);
      for (const int b : left) {
        if (a != b) neighbours[static_cast<std::size_t>(a)].insert(b);
      }
    }
    columns.emplace_back(left.begin(), left.end());
  }
  pattern.column_first.push_back(0);
  for (std::vector<int>& column : columns) {
    for (int& body : column) body = pattern.position[static_cast<std::size_t>(body)];
    std::sort(column.begin(), column.end());
    pattern.column_row.insert(pattern.column_row.end(), column.begin(), column.end());
    pattern.column_first.push_back(static_cast<int>(pattern.column_row.size()));
  }
  pattern.update_first.push_back(0);
  for (int j = 0; j < bodies; ++j) {
    const std::vector<int>& rows = columns[static_cast<std::size_t>(j)];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        pattern.update_target.push_back(i == k ? rows[i] : pattern.block(rows[i], rows[k]));
        pattern.update_left.push_back(pattern.block(rows[i], j));
        pattern.update_right.push_back(pattern.block(rows[k], j));
      }
    }
    pattern.update_first.push_back(static_cast<int>(pattern.update_target.size()));
  }
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
