#include <algorithm>
#include <cmath>

#include <prehend/articulation/fit/accelerated_steps.h>
#include <prehend/math/house/compiled_solves.h>

namespace prehend::articulation::engine {

ParameterVector AcceleratedSteps::next(const ParameterVector& step, double size, const ParameterMatrix& H) {
  // Of the square of the step before: Gauss-Newton that suits its problem gains a digit with every step.
  constexpr double kSlow = 0.2;
  // Times the step: a factor of 0.95 from step to step asks for 20.
  constexpr double kLongest = 20.0;
  const Eigen::Index n = step.size();
  is_slow_ = is_slow_ || (step_.size() == n && size > kSlow * size_);
  if (step_.size() == n) {
    if (count_ == 0) steps_.resize(n, kMemory), iterates_.resize(n, kMemory);
    const int column = count_++ % kMemory;
    steps_.col(column) = step - step_;
    iterates_.col(column) = taken_;
  }
  step_ = taken_ = step;
  size_ = size;
  if (!is_slow_) return step;
  const int known = std::min(count_, kMemory);
  const Eigen::MatrixXd D = steps_.leftCols(known);
  const Eigen::MatrixXd HD = H.lazyProduct(D);
  Eigen::MatrixXd square = D.transpose().lazyProduct(HD);
  constexpr double kRounding = 1e-8;  // differences that hardly differ
  square.diagonal() *= 1 + kRounding;
  square.diagonal().array() += 1e-300;
  const Eigen::VectorXd share =
      math::symmetric_solve(square, Eigen::VectorXd(HD.transpose().lazyProduct(step)));
  if (!share.allFinite()) return step;
  ParameterVector further = step - ParameterVector(D.lazyProduct(share)) -
                            ParameterVector(iterates_.leftCols(known).lazyProduct(share));
  const double length2 = further.dot(ParameterVector(H.lazyProduct(further)));
  if (!(length2 > 0)) return step;
  further *= std::min(1.0, kLongest * std::sqrt(size / length2));
  return taken_ = further;
}

}  // namespace prehend::articulation::engine
