// Symmetric matrices of the sizes that estimators meet, decomposed in one compiled place: Eigen's decompositions are costly to
// compile, and two dozen files need them.
//
// Spectra: A = V diag(values) V^T, values ascending. Cholesky: A = L L^T. ScaledSymmetric: normal equations of any size whose
// columns are scaled to a unit diagonal first (Gautier and Khalil 1992), so that rank does not depend on units.
#pragma once

#include <Eigen/Core>

#include <prehend/math/inertia.h>

namespace prehend::inertia {

template <int N>
using SquareMatrix = Eigen::Matrix<double, N, N>;
template <int N>
using ColumnVector = Eigen::Matrix<double, N, 1>;

template <int N>
struct SymmetricSpectrum {
  ColumnVector<N> values;
  SquareMatrix<N> vectors;
};

// N of 3, 4, 10 and 11. The lower triangle is read.
template <int N>
SymmetricSpectrum<N> spectrum_of(const SquareMatrix<N>& A);
template <>
SymmetricSpectrum<11> spectrum_of<11>(const SquareMatrix<11>& A);
// N of 4 and 10.
template <int N>
ColumnVector<N> eigenvalues_of(const SquareMatrix<N>& A);

// N of 4 and 10. The lower triangle is read.
template <int N>
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const SquareMatrix<N>& A) { compute(A); }
  void compute(const SquareMatrix<N>& A);

  bool is_positive() const { return is_positive_; }
  SquareMatrix<N> L() const { return L_.template triangularView<Eigen::Lower>(); }
  ColumnVector<N> diagonal() const { return L_.diagonal(); }
  double log_determinant() const { return 2.0 * L_.diagonal().array().log().sum(); }
  ColumnVector<N> solve(const ColumnVector<N>& b) const;
  SquareMatrix<N> solve(const SquareMatrix<N>& B) const;
  SquareMatrix<N> inverse() const { return solve(SquareMatrix<N>(SquareMatrix<N>::Identity())); }
  // L^-1 b and L^-1 B.
  ColumnVector<N> half_solve(const ColumnVector<N>& b) const;
  SquareMatrix<N> half_solve(const SquareMatrix<N>& B) const;
  // L^-T B.
  SquareMatrix<N> half_solve_transposed(const SquareMatrix<N>& B) const;

 private:
  SquareMatrix<N> L_{SquareMatrix<N>::Zero()};
  bool is_positive_{false};
};
extern template class Cholesky<4>;
extern template class Cholesky<10>;

// Normal equations N x = b, N of any size with a diagonal >= 0: scaled, decomposed, solved with what rank there is.
class ScaledSymmetric {
 public:
  // Columns whose diagonal is below `least_diagonal` are scaled as if it were that; a diagonal of zero has no scale.
  explicit ScaledSymmetric(const Eigen::MatrixXd& normal, double least_diagonal = 0.0);

  const Eigen::VectorXd& scale() const {
    return scale_;
  }  // unscaled = scale * scaled; zero for a column of zeros
  const Eigen::VectorXd& values() const { return values_; }  // of the scaled matrix, ascending
  // The smallest solution in scaled unknowns; directions with values up to `least` have none.
  Eigen::VectorXd solve(const Eigen::VectorXd& right, double least) const;
  // Inverse with values below `least` taken as `least`: what the data do not determine gets a vast deviation. Columns of
  // zeros have no scale; theirs is `spread_of_empty`.
  Eigen::MatrixXd inverse(double least, double spread_of_empty = 0.0) const;
  // The pseudo inverse: directions with values up to `least` have none.
  Eigen::MatrixXd pseudo_inverse(double least) const;

 private:
  Eigen::VectorXd scale_, values_;
  Eigen::MatrixXd vectors_;
};

}  // namespace prehend::inertia
