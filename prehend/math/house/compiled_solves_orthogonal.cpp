#include <prehend/math/house/compiled_solves.h>

namespace prehend::math {

Eigen::VectorXd minimum_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  if (threshold > 0.0) solver.setThreshold(threshold);
  return solver.compute(A).solve(b);
}

Eigen::MatrixXd orthogonal_factor(const Eigen::HouseholderQR<Eigen::MatrixXd>& qr) {
  return qr.householderQ();
}

Eigen::MatrixXd orthogonal_factor(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr) {
  return qr.householderQ();
}

Eigen::VectorXd rotated_by_q(const Eigen::HouseholderQR<Eigen::MatrixXd>& qr, const Eigen::VectorXd& b) {
  return qr.householderQ().adjoint() * b;
}

}  // namespace prehend::math
