// Sparse L D L' factorisation of a symmetric quasi-definite matrix: a positive definite block, a negative
// definite block, anything symmetric between them. Every symmetric permutation of such a matrix has a
// factorisation with diagonal D (Vanderbei 1995), so the order is chosen once, for little fill (approximate
// minimum degree).
//
// Multifrontal: columns with like patterns form fronts, small dense matrices, so that the arithmetic runs on
// contiguous memory. The fronts have fixed places: analyse() takes all memory, factorise() and solve() none.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace prehend::math {

class QuasidefiniteLdl {
 public:
  using Entry = std::pair<int, int>;

  // `entries`: the nonzero pattern, either triangle, repetitions allowed; the diagonal is always included.
  // `signs`: +1 or -1 for each unknown, the sign its pivot must have. `last`: unknowns to be eliminated at
  // the end, for those whose diagonal is zero until others have been eliminated.
  void analyse(std::vector<signed char> signs, std::span<const Entry> entries, std::span<const int> last);

  int size() const { return static_cast<int>(signs_.size()); }
  // Where in values() the entry of this row and column is assembled.
  int location(int row, int column) const;
  // Fill this before factorise(), which works in place.
  std::vector<double>& values() { return values_; }
  // Stored numbers below and on the diagonal of L, zeros of the fronts included.
  std::size_t factor_entries() const { return factor_entries_; }

  // A pivot of the wrong sign, or below `pivot_floor` times the largest the diagonal has been, is replaced.
  // Returns the number of replaced pivots.
  int factorise(double pivot_floor);
  // In place, in the caller's order of unknowns.
  void solve(double* right_side);

 private:
  struct Front {
    int first{0};   // first column, in elimination order
    int width{0};   // columns eliminated here
    int height{0};  // rows of the front
    int rows{0};    // start of its rows in front_rows_
    int values{0};  // start of its numbers in values_, column-major, height x height
    int parent{-1};
    int to_parent{0};  // start in parent_row_, for rows width..height
  };
  void order(std::span<const Entry> entries, std::span<const int> last);
  void find_fronts(const std::vector<std::vector<int>>& structure, const std::vector<int>& parent);
  int factorise_front(const Front& front, double pivot_floor);
  void add_to_parent(const Front& front);

  std::vector<signed char> signs_;    // elimination order
  std::vector<int> position_;         // of an unknown in the elimination order
  std::vector<Front> fronts_;         // children before parents
  std::vector<int> front_of_column_;  // elimination order
  std::vector<int> front_rows_, parent_row_;
  std::vector<double> values_, growth_, inverse_pivots_, work_, gathered_;
  std::vector<int> diagonal_location_;
  std::size_t factor_entries_{0};
};

}  // namespace prehend::math
