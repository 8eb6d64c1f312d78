#include <Eigen/Cholesky>

#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {

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

}  // namespace prehend::inertia
