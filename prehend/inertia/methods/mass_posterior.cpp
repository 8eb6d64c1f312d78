#include <cmath>

#include <Eigen/Cholesky>

#include <prehend/inertia/methods/mass_posterior.h>

namespace prehend::inertia {

Matrix10d mass_posterior(const MassData& P, const Matrix10d& R, const Eigen::VectorXd& d,
                         const Eigen::VectorXd& m) {
  Matrix10d B = Matrix10d::Zero();
  MassData scaled(10, P.cols());
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < P.cols(); ++i)
    if (m[i] > 0.0) scaled.col(count++) = P.col(i) / std::sqrt(d[i]);
  B.noalias() = scaled.leftCols(count) * scaled.leftCols(count).transpose();
  const Matrix10d RB = R * B;
  Matrix10d inner = RB * R.transpose();
  inner.diagonal().array() += 1.0;
  const Matrix10d covariance = B - RB.transpose() * Eigen::LLT<Matrix10d>(inner).solve(RB);
  return 0.5 * (covariance + covariance.transpose());
}

}  // namespace prehend::inertia
