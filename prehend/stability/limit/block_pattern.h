// The order in which bodies are eliminated, and the 6x6 blocks that arise: done once per system.
#pragma once

#include <vector>

#include <prehend/math/se3.h>

namespace prehend::stability {

struct BlockPattern {
  int bodies{0};
  std::vector<int> position;                  // of each body in the order of elimination
  std::vector<int> column_first, column_row;  // see limit_kernel.h
  std::vector<int> update_first, update_target, update_left, update_right;
  std::vector<int> panel_first, outer_first,
      outer_target;  // the same updates by panels of columns; see limit_kernel.h

  int blocks() const { return bodies + static_cast<int>(column_row.size()); }
  // Number of the block of two bodies, given by position; row > column.
  int block(int row, int column) const;
};

// `edges`: pairs of bodies that touch. Minimum fill: the body that adds the fewest blocks goes first (a fifth less work on a wall
// than by fewest neighbours); then the same elimination in postorder, so that blocks are used again while they are in the cache.
// Cost O(n^2) for what a pile of a few hundred bodies is.
BlockPattern find_block_pattern(int bodies, const std::vector<std::pair<int, int>>& edges);

// A symmetric positive definite matrix of such blocks: lower triangle, diagonal blocks first.
class BlockMatrix {
 public:
  explicit BlockMatrix(const BlockPattern& pattern);
  void set_zero();
  // Adds T'HT for a contact whose relative velocity is T_b z_b - T_a z_a, to both bodies and between them; -1: the
  // ground.
  using Matrix36d = Eigen::Matrix<double, 3, 6>;
  struct Side {
    int position{-1};
    Matrix36d T{Matrix36d::Zero()};
  };
  void add_contact(const Side& a, const Side& b, const Eigen::Matrix3d& H);
  // False when the matrix is not positive definite.
  bool factor();
  void solve(Eigen::Ref<Eigen::VectorXd> rhs) const;  // bodies by position
  // Row-major blocks after factor(), inverses on the diagonals; the factor of `scale` times the matrix.
  std::vector<double> packed(double scale) const;

 private:
  const BlockPattern* pattern_;
  std::vector<math::Matrix6d> blocks_;
};

}  // namespace prehend::stability
