// L U of a matrix of 6x6 blocks, one row of blocks per body, not symmetric but with a symmetric pattern that never changes: analysed once
// per system, factored at every step.
//
// Rows are exchanged inside the diagonal blocks alone: these hold what ties a body to its neighbours, so that stiffnesses of contacts need no
// more.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/stability/limit/block_pattern.h>

namespace prehend::stability {

// Whether the processor has AVX2 and FMA, for loops that are compiled twice.
bool has_wide_registers();

// L U of one diagonal block with rows exchanged, by plain loops: a library's factor for any size takes six times as long at this one.
struct PivotBlock {
  math::Matrix6d lu;
  double inverse[6];  // of the pivots
  int place[6];       // of each row after the exchange

  // False where it is singular.
  bool compute(const math::Matrix6d& block);
  void solve(double* x) const;
};

class BlockLu {
 public:
  // The pattern must outlive this.
  explicit BlockLu(const BlockPattern& pattern);

  void set_diagonal(double value);  // and zero elsewhere
  // To the blocks of two bodies that touch (-1: the ground): +block on their diagonals, -block between them.
  void add_between(int a, int b, const math::Matrix6d& block);
  // To one block; with j, i as well where they differ.
  void add(int i, int j, const math::Matrix6d& block);
  // False where a diagonal block is singular.
  bool factor();
  // Bodies in the order of the system.
  void solve(Eigen::Ref<Eigen::VectorXd> right) const;

 private:
  math::Matrix6d& lower(int row, int column) {
    return lower_[static_cast<std::size_t>(pattern_->block(row, column) - pattern_->bodies)];
  }
  math::Matrix6d& upper(int row, int column) {
    return upper_[static_cast<std::size_t>(pattern_->block(column, row) - pattern_->bodies)];
  }

  const BlockPattern* pattern_;
  std::vector<math::Matrix6d> diagonal_, lower_, upper_;  // the latter two by column_row, upper_ transposed
  std::vector<PivotBlock> pivots_;
  mutable Eigen::VectorXd ordered_;
};

}  // namespace prehend::stability
