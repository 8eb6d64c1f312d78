// Least squares by orthogonal decompositions of dense matrices. Eigen's own, compiled once: their templates take five seconds
// in every file that uses them.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>

namespace prehend::math {

// The shortest of all x that minimise |A x - b|, also where columns or rows of A depend on each other (complete orthogonal
// decomposition).
Eigen::VectorXd minimum_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// Q'b of A = Q R.
Eigen::VectorXd rotated_by_q(const Eigen::HouseholderQR<Eigen::MatrixXd>& qr, const Eigen::VectorXd& b);

}  // namespace prehend::math
