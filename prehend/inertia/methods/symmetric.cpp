#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {

template <int N>
SymmetricSpectrum<N> spectrum_of(const SquareMatrix<N>& A) {
  const Eigen::SelfAdjointEigenSolver<SquareMatrix<N>> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}
template SymmetricSpectrum<3> spectrum_of<3>(const SquareMatrix<3>&);
template SymmetricSpectrum<4> spectrum_of<4>(const SquareMatrix<4>&);
template SymmetricSpectrum<10> spectrum_of<10>(const SquareMatrix<10>&);
template SymmetricSpectrum<11> spectrum_of<11>(const SquareMatrix<11>&);

template <int N>
ColumnVector<N> eigenvalues_of(const SquareMatrix<N>& A) {
  return Eigen::SelfAdjointEigenSolver<SquareMatrix<N>>(A, Eigen::EigenvaluesOnly).eigenvalues();
}
template ColumnVector<4> eigenvalues_of<4>(const SquareMatrix<4>&);
template ColumnVector<10> eigenvalues_of<10>(const SquareMatrix<10>&);

template <int N>
void Cholesky<N>::compute(const SquareMatrix<N>& A) {
  const Eigen::LLT<SquareMatrix<N>> llt(A);
  L_ = llt.matrixLLT();
  is_positive_ = llt.info() == Eigen::Success;
}

template <int N>
ColumnVector<N> Cholesky<N>::solve(const ColumnVector<N>& b) const {
  ColumnVector<N> x = half_solve(b);
  L_.template triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
  return x;
}

template <int N>
SquareMatrix<N> Cholesky<N>::solve(const SquareMatrix<N>& B) const {
  return half_solve_transposed(half_solve(B));
}

template <int N>
ColumnVector<N> Cholesky<N>::half_solve(const ColumnVector<N>& b) const {
  ColumnVector<N> x = b;
  L_.template triangularView<Eigen::Lower>().solveInPlace(x);
  return x;
}

template <int N>
SquareMatrix<N> Cholesky<N>::half_solve(const SquareMatrix<N>& B) const {
  SquareMatrix<N> X = B;
  L_.template triangularView<Eigen::Lower>().solveInPlace(X);
  return X;
}

template <int N>
SquareMatrix<N> Cholesky<N>::half_solve_transposed(const SquareMatrix<N>& B) const {
  SquareMatrix<N> X = B;
  L_.template triangularView<Eigen::Lower>().adjoint().solveInPlace(X);
  return X;
}

template class Cholesky<4>;
template class Cholesky<10>;

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
