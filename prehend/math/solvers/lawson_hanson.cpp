#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Householder>
#include <Eigen/Jacobi>
#include <Eigen/QR>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/solvers/nonnegative_least_squares_routes.h>

namespace prehend::math {
namespace {

// A and b under the rotations so far: in the order of `passive`, the passive columns are upper triangular in
// the first rows; below these rows, b holds the residual of the passive set. So the gradient of an outside
// column is the product of two tails, free of the cancellation that A'(A x - b) suffers.
class RotatedProblem {
 public:
  RotatedProblem(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
    if (A.rows() > A.cols()) {
      const Eigen::HouseholderQR<Eigen::MatrixXd> qr(A);
      columns_ = qr.matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>();
      const Eigen::VectorXd rotated = rotated_by_q(qr, b);
      right_ = rotated.head(A.cols());
    } else {
      columns_ = A;
      right_ = b;
    }
  }

  Eigen::Index passive_count() const { return static_cast<Eigen::Index>(passive_.size()); }
  const std::vector<Eigen::Index>& passive() const { return passive_; }
  Eigen::Index rows_left() const { return columns_.rows() - passive_count(); }
  double residual_norm() const { return right_.tail(rows_left()).norm(); }
  // Descent -gradient of every column; passive ones give rounding.
  Eigen::VectorXd descent() const {
    return columns_.bottomRows(rows_left()).transpose() * right_.tail(rows_left());
  }
  double distance_to_span(Eigen::Index column) const { return columns_.col(column).tail(rows_left()).norm(); }

  void enter(Eigen::Index column) {
    const Eigen::Index k = passive_count(), left = rows_left();
    Eigen::VectorXd essential(left - 1);
    double tau = 0.0, beta = 0.0;
    columns_.col(column).tail(left).makeHouseholder(essential, tau, beta);
    Eigen::VectorXd workspace(columns_.cols());
    columns_.bottomRows(left).applyHouseholderOnTheLeft(essential, tau, workspace.data());
    right_.tail(left).applyHouseholderOnTheLeft(essential, tau, workspace.data());
    columns_.col(column).tail(left).setZero();
    columns_(k, column) = beta;
    passive_.push_back(column);
  }

  void leave(Eigen::Index position) {
    passive_.erase(passive_.begin() + position);
    for (Eigen::Index k = position; k < passive_count(); ++k) {
      const Eigen::Index column = passive_[static_cast<std::size_t>(k)];
      Eigen::JacobiRotation<double> rotation;
      rotation.makeGivens(columns_(k, column), columns_(k + 1, column));
      columns_.applyOnTheLeft(k, k + 1, rotation.adjoint());
      right_.applyOnTheLeft(k, k + 1, rotation.adjoint());
      columns_(k + 1, column) = 0.0;
    }
  }

  // Minimiser on the passive set, in its order.
  Eigen::VectorXd minimiser() const {
    const Eigen::Index k = passive_count();
    const Eigen::MatrixXd triangle = columns_(Eigen::seqN(0, k), passive_);
    return triangle.triangularView<Eigen::Upper>().solve(right_.head(k));
  }

 private:
  // Rotations work on rows.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> columns_;
  Eigen::VectorXd right_;
  std::vector<Eigen::Index> passive_;
};

// Goes from x (zero outside the passive set) towards the set's minimiser; unknowns that reach zero leave.
void descend_on_set(RotatedProblem& problem, Eigen::VectorXd& x) {
  while (problem.passive_count() > 0) {
    const Eigen::VectorXd target = problem.minimiser();
    double step = 1.0;
    Eigen::Index blocking = -1;
    for (Eigen::Index k = 0; k < target.size(); ++k) {
      if (target[k] > 0.0) continue;
      const double value = x[problem.passive()[static_cast<std::size_t>(k)]];
      const double until_zero = value > 0.0 ? value / (value - target[k]) : 0.0;
      if (blocking >= 0 && until_zero >= step) continue;
      step = until_zero;
      blocking = k;
    }
    for (Eigen::Index k = 0; k < target.size(); ++k) {
      double& value = x[problem.passive()[static_cast<std::size_t>(k)]];
      value = step == 1.0 && blocking < 0 ? target[k] : std::max(0.0, value + step * (target[k] - value));
    }
    if (blocking < 0) return;
    x[problem.passive()[static_cast<std::size_t>(blocking)]] = 0.0;
    problem.leave(blocking);
  }
}

}  // namespace

ActiveSetAnswer lawson_hanson(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, int max_iterations) {
  const Eigen::Index n = A.cols();
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  // What k rotations of vectors of length one leave of an exact zero.
  const double noise = 10.0 * kEpsilon * std::sqrt(static_cast<double>(n));
  RotatedProblem problem(A, b);
  ActiveSetAnswer answer;
  answer.x = Eigen::VectorXd::Zero(n);
  // Columns that were tried since the residual last fell: without this, rounding could exchange two sets for
  // ever.
  std::vector<bool> barred(static_cast<std::size_t>(n), false);
  double lowest = problem.residual_norm();
  while (problem.rows_left() > 0) {
    check_interrupt();
    Eigen::VectorXd descent = problem.descent();
    for (const Eigen::Index j : problem.passive()) descent[j] = 0.0;
    Eigen::Index entering = -1;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (barred[static_cast<std::size_t>(j)] || descent[j] <= 0.0) continue;
      if (entering < 0 || descent[j] > descent[entering]) entering = j;
    }
    if (entering < 0) break;
    barred[static_cast<std::size_t>(entering)] = true;
    // A dependent column's descent is rounding; otherwise both factors of the descent carry an error of
    // `noise`.
    const double distance = problem.distance_to_span(entering);
    if (distance <= noise || descent[entering] <= noise * (distance + problem.residual_norm())) continue;
    if (answer.iterations == max_iterations) return answer;
    ++answer.iterations;
    problem.enter(entering);
    descend_on_set(problem, answer.x);
    const double residual = problem.residual_norm();
    if (residual < lowest) {
      lowest = residual;
      std::fill(barred.begin(), barred.end(), false);
    }
  }
  answer.converged = true;
  return answer;
}

}  // namespace prehend::math
