// The two routes behind nonnegative_least_squares.h. Both expect columns of A and b of length one (or zero).
#pragma once

#include <Eigen/Core>

namespace prehend::math {

struct ActiveSetAnswer {
  bool converged{false};
  Eigen::VectorXd x;
  int iterations{0};
};

// Not converged when the normal equations are too badly conditioned or the exchanges do not settle.
ActiveSetAnswer block_principal_pivoting(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                         int max_iterations);

// Not converged only when max_iterations ran out.
ActiveSetAnswer lawson_hanson(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, int max_iterations);

}  // namespace prehend::math
