// The best and the second best of all combinations, one option per joint, without trying them all.
//
// The error of a combination is |c + sum_j T_j,m(j)|^2 + sum_j cost_j,m(j): squared norm of a whitened constant and one
// whitened term per joint and option, plus what each option costs by itself. One Gram matrix holds all of it. Branch and
// bound, depth first, decides one joint after the other and leaves a branch when its lower bound reaches the second best
// found so far. Joints are decided in the order of how much their terms differ from all that is still open. Of equal
// combinations two are kept. Cost: microseconds to milliseconds where terms exceed the noise; 2^n in the worst case (n
// collinear terms), therefore `most_nodes`.
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

namespace prehend::topology {

struct CombinationProblem {
  Eigen::MatrixXd gram;      // of [constant | terms], terms by joint, then by option
  std::vector<int> options;  // how many each joint has, at least one
  std::vector<double> cost;  // by column of the terms; empty: none

  int joints() const { return static_cast<int>(options.size()); }
  // Throws std::invalid_argument naming what does not fit.
  void validate() const;
  double error(const std::vector<int>& choice) const;
};

// From whitened columns.
CombinationProblem combination_problem(const Eigen::VectorXd& constant, const Eigen::MatrixXd& terms,
                                       std::vector<int> options, std::vector<double> cost = {});

struct RankedCombination {
  std::vector<int> choice;  // option of each joint; empty: there is none
  double error{0.0};
};

struct CombinationSearch {
  bool is_exact{false};  // the search came to its end within most_nodes
  RankedCombination best, runner_up;
  std::size_t visited{0};  // nodes of the tree
};

// Two bounds, both exact:
//   triangular: undecided terms as they please (any multiples). With [terms | c] = Q R and the decided joints last, that is the
//     sum of squares of their rows of R: what a sphere decoder uses;
//   linear: with r the residual so far, |r + D x|^2 >= |r|^2 + sum of min(0, 2 r.d + l |d|^2) over undecided joints, l the
//     smallest eigenvalue of the undecided terms' correlations: sharp where terms are weak, as those of joints that hardly moved.
struct SearchOptions {
  std::size_t most_nodes{50'000'000};  // some seconds
};

CombinationSearch search_combinations(const CombinationProblem& problem, const SearchOptions& options = {});
// All of them, one by one: for checks and comparison.
CombinationSearch enumerate_combinations(const CombinationProblem& problem);

}  // namespace prehend::topology
