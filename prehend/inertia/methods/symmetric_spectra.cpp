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

template <int N>
ColumnVector<N> eigenvalues_of(const SquareMatrix<N>& A) {
  return Eigen::SelfAdjointEigenSolver<SquareMatrix<N>>(A, Eigen::EigenvaluesOnly).eigenvalues();
}
template ColumnVector<4> eigenvalues_of<4>(const SquareMatrix<4>&);
template ColumnVector<10> eigenvalues_of<10>(const SquareMatrix<10>&);

}  // namespace prehend::inertia
