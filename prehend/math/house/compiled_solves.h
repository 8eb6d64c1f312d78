// Small dense solves, compiled once: Eigen's templates for them take one to five seconds in every file that uses them.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>

#include <prehend/math/se3.h>

namespace prehend::math {

// x of A x = b for a symmetric A, by its decomposition L D L'. `b` may have several columns.
Vector6d symmetric_solve(const Matrix6d& A, const Vector6d& b);
Matrix6d symmetric_solve(const Matrix6d& A, const Matrix6d& b);
Eigen::VectorXd symmetric_solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::MatrixXd symmetric_solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);

// Values (rising) and vectors of A v = l v, A symmetric.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;  // in columns
};
Spectrum spectrum(const Eigen::MatrixXd& A);
// Of A v = l B v, with v'Bv = 1; no values where B is not positive definite or nothing finite is found.
Spectrum spectrum(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

// Values alone, rising.
Vector6d eigenvalues(const Matrix6d& A);

// The shortest of all x that minimise |A x - b|, also where columns or rows of A depend on each other (complete orthogonal
// decomposition). `threshold`: pivots below this share of the largest are zero; 0: rounding of A's size.
Eigen::VectorXd minimum_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                      double threshold = 0.0);

// Q of A = Q R, all of its columns; and Q'b.
Eigen::MatrixXd orthogonal_factor(const Eigen::HouseholderQR<Eigen::MatrixXd>& qr);
Eigen::MatrixXd orthogonal_factor(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr);
Eigen::VectorXd rotated_by_q(const Eigen::HouseholderQR<Eigen::MatrixXd>& qr, const Eigen::VectorXd& b);

}  // namespace prehend::math
