#include <limits>
#include <vector>

#include <Eigen/Cholesky>

#include <prehend/math/interrupt.h>
#include <prehend/math/solvers/nonnegative_least_squares_routes.h>

namespace prehend::math {
namespace {

// Smallest diagonal entry of the Cholesky factor of a unit-diagonal A'A: the sine of the angle between a
// column and the span of those before it. Below this the squared condition number eats more digits than
// refinement gives back.
constexpr double kSmallestSine = 1e-4;

using Factor = Eigen::LLT<Eigen::MatrixXd>;

// x_P minimising |A_P x_P - b|; one step of refinement with the residual itself restores what A'A lost.
bool solve_on_set(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::MatrixXd& gram,
                  const Eigen::VectorXd& right, const std::vector<Eigen::Index>& set, Factor& factor,
                  Eigen::VectorXd& x) {
  x.setZero();
  if (set.empty()) return true;
  const Eigen::MatrixXd gram_set = gram(set, set);
  factor.compute(gram_set);
  if (factor.info() != Eigen::Success) return false;
  if (factor.matrixLLT().diagonal().minCoeff() < kSmallestSine) return false;
  const Eigen::VectorXd right_set = right(set), first = factor.solve(right_set);
  x(set) = first;
  const Eigen::VectorXd descent = A.transpose() * (b - A * x), descent_set = descent(set);
  const Eigen::VectorXd correction = factor.solve(descent_set);
  x(set) += correction;
  return true;
}

// True when a column outside the set has next to no gradient and lies next to the set's span. Whether its
// gradient is zero or falls slightly is then lost in rounding, and along such a column even a slight fall
// leads far.
bool has_doubtful_column(const Eigen::MatrixXd& gram, const Eigen::VectorXd& gradient,
                         const std::vector<bool>& passive, const std::vector<Eigen::Index>& set,
                         const Factor& factor) {
  constexpr double kDoubtfulGradient = 1e-8;  // columns have unit length: rounding of some thousand products
  for (Eigen::Index j = 0; j < gram.cols(); ++j) {
    if (passive[static_cast<std::size_t>(j)] || gradient[j] > kDoubtfulGradient || gram(j, j) == 0.0)
      continue;
    if (set.empty()) continue;
    const Eigen::VectorXd products = gram(set, j), inside = factor.matrixL().solve(products);
    if (gram(j, j) - inside.squaredNorm() < kSmallestSine * kSmallestSine) return true;
  }
  return false;
}

}  // namespace

ActiveSetAnswer block_principal_pivoting(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                         int max_iterations) {
  const Eigen::Index n = A.cols();
  const double noise = 100.0 * std::numeric_limits<double>::epsilon();
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(n, n);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(A.transpose());
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  const Eigen::VectorXd right = A.transpose() * b;

  ActiveSetAnswer answer;
  answer.x = Eigen::VectorXd::Zero(n);
  std::vector<bool> passive(static_cast<std::size_t>(n), false);
  // The full exchange is fast but may cycle: after three that do not shrink the set of wrong signs, only the
  // wrong one of highest index is exchanged (Murty's rule, which ends) until the set has shrunk.
  constexpr int kPatience = 3;
  // Murty's rule may take exponentially long; the orthogonal route is the better way out.
  max_iterations = std::min<Eigen::Index>(max_iterations, 50 + n / 4);
  std::size_t fewest_wrong = static_cast<std::size_t>(n) + 1;
  int patience = kPatience;
  Eigen::VectorXd gradient = -right;
  std::vector<Eigen::Index> set;
  Factor factor;
  while (true) {
    check_interrupt();
    std::vector<Eigen::Index> wrong;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (passive[static_cast<std::size_t>(i)] ? answer.x[i] < -noise : gradient[i] < -noise)
        wrong.push_back(i);
    }
    if (wrong.empty()) {
      answer.converged = !has_doubtful_column(gram, gradient, passive, set, factor);
      answer.x = answer.x.cwiseMax(0.0);
      return answer;
    }
    if (answer.iterations == max_iterations) return answer;
    ++answer.iterations;
    if (wrong.size() < fewest_wrong) {
      fewest_wrong = wrong.size();
      patience = kPatience;
    } else if (patience > 0) {
      --patience;
    } else {
      wrong.erase(wrong.begin(), wrong.end() - 1);
    }
    for (const Eigen::Index i : wrong) {
      passive[static_cast<std::size_t>(i)] = !passive[static_cast<std::size_t>(i)];
    }
    set.clear();
    for (Eigen::Index i = 0; i < n; ++i) {
      if (passive[static_cast<std::size_t>(i)]) set.push_back(i);
    }
    if (!solve_on_set(A, b, gram, right, set, factor, answer.x)) return answer;
    gradient = A.transpose() * (A * answer.x - b);
  }
}

}  // namespace prehend::math
