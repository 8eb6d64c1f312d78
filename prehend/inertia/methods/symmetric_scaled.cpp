#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {

// By the solver of any size: one more fixed size would cost as much to compile as all others here.
template <>
SymmetricSpectrum<11> spectrum_of<11>(const SquareMatrix<11>& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

ScaledSymmetric::ScaledSymmetric(const Eigen::MatrixXd& normal, double least_diagonal)
    : scale_(normal.rows()) {
  for (Eigen::Index i = 0; i < normal.rows(); ++i) {
    const double diagonal = std::max(normal(i, i), least_diagonal);
    scale_(i) = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 0.0;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scale_.asDiagonal() * normal *
                                                              scale_.asDiagonal());
  values_ = solver.eigenvalues();
  vectors_ = solver.eigenvectors();
}

Eigen::VectorXd ScaledSymmetric::solve(const Eigen::VectorXd& right, double least) const {
  Eigen::VectorXd x = vectors_.transpose() * scale_.cwiseProduct(right);
  for (Eigen::Index i = 0; i < x.size(); ++i) x(i) = values_(i) > least ? x(i) / values_(i) : 0.0;
  return scale_.cwiseProduct(vectors_ * x);
}

Eigen::MatrixXd ScaledSymmetric::inverse(double least, double spread_of_empty) const {
  Eigen::VectorXd spread = scale_;
  for (double& value : spread)
    if (value == 0.0) value = spread_of_empty;
  const Eigen::MatrixXd V = spread.asDiagonal() * vectors_;
  return V * values_.cwiseMax(least).cwiseInverse().asDiagonal() * V.transpose();
}

Eigen::MatrixXd ScaledSymmetric::pseudo_inverse(double least) const {
  Eigen::VectorXd inverse = values_;
  for (double& value : inverse) value = value > least ? 1.0 / value : 0.0;
  const Eigen::MatrixXd V = scale_.asDiagonal() * vectors_;
  return V * inverse.asDiagonal() * V.transpose();
}

}  // namespace prehend::inertia
