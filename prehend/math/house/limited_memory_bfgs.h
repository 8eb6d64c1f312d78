// A local minimum of a smooth function of many variables, from values and gradients (L-BFGS; Liu and Nocedal 1989).
//
// The function may be infinite outside its domain: a barrier, a matrix that must stay positive definite. Steps are
// found by bisection and doubling until they satisfy the weak Wolfe conditions, so infinite values only shorten them;
// the iterates never leave the domain. Deterministic. Memory: 2 (memory + 3) vectors.
#pragma once

#include <functional>

#include <Eigen/Core>

#include <prehend/math/solver_status.h>

namespace prehend::math {

struct LimitedMemoryBfgsOptions {
  // Pairs kept of steps and gradient changes; more help on badly scaled functions, each costs 4 n flops a step.
  int memory{20};
  int max_iterations{200};
  // The answer is optimal when the largest entry of the gradient is below this, in the function's units per unit of x.
  double gradient_tolerance{1e-8};
  // ... or when a step lowers the function by less than this share of 1 + |value|, twice in succession.
  double decrease_tolerance{1e-12};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

struct LimitedMemoryBfgsResult {
  SolverStatus status{
      SolverStatus::numerical_error};  // optimal, iteration_limit, numerical_error (no descent found)
  Eigen::VectorXd x;
  double value{0.0};
  double gradient{0.0};  // largest entry
  int iterations{0};
  int evaluations{0};
};

// Value at x; the gradient is written where the value is finite.
using SmoothFunction = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)>;

// Throws std::invalid_argument when the function is not finite at `start`.
LimitedMemoryBfgsResult limited_memory_bfgs(const SmoothFunction& function, const Eigen::VectorXd& start,
                                            const LimitedMemoryBfgsOptions& options = {});

}  // namespace prehend::math
