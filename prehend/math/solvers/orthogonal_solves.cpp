#include <prehend/math/solvers/orthogonal_solves.h>

namespace prehend::math {

Eigen::VectorXd minimum_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(A).solve(b);
}

Eigen::VectorXd rotated_by_q(const Eigen::HouseholderQR<Eigen::MatrixXd>& qr, const Eigen::VectorXd& b) {
  return qr.householderQ().adjoint() * b;
}

}  // namespace prehend::math
