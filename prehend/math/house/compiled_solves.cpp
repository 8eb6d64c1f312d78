#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/solvers/decompositions.h>

namespace prehend::math {

Vector6d symmetric_solve(const Matrix6d& A, const Vector6d& b) { return Eigen::LDLT<Matrix6d>(A).solve(b); }

Matrix6d symmetric_solve(const Matrix6d& A, const Matrix6d& b) { return Eigen::LDLT<Matrix6d>(A).solve(b); }

Eigen::VectorXd symmetric_solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return Eigen::LDLT<Eigen::MatrixXd>(A).solve(b);
}

Eigen::MatrixXd symmetric_solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b) {
  return Eigen::LDLT<Eigen::MatrixXd>(A).solve(b);
}

Spectrum spectrum(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Spectrum spectrum(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  const Eigen::LLT<Eigen::MatrixXd> root(B);
  if (root.info() != Eigen::Success) return {};
  const Eigen::MatrixXd half = root.matrixL().solve(A);
  const Eigen::MatrixXd whitened = root.matrixL().solve(Eigen::MatrixXd(half.transpose()));
  if (!whitened.allFinite()) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(whitened);
  if (eigen.info() != Eigen::Success) return {};
  return {eigen.eigenvalues(), root.matrixU().solve(eigen.eigenvectors())};
}

Vector6d eigenvalues(const Matrix6d& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix6d>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace prehend::math
