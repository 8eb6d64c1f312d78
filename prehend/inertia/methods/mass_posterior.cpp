#include <cmath>

#include <prehend/inertia/methods/mass_posterior.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {

math::Matrix10d mass_posterior(const MassData& P, const math::Matrix10d& R, const Eigen::VectorXd& d,
                               const Eigen::VectorXd& m) {
  math::Matrix10d B = math::Matrix10d::Zero();
  MassData scaled(10, P.cols());
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < P.cols(); ++i)
    if (m[i] > 0.0) scaled.col(count++) = P.col(i) / std::sqrt(d[i]);
  B.noalias() = scaled.leftCols(count) * scaled.leftCols(count).transpose();
  const math::Matrix10d RB = R * B;
  math::Matrix10d inner = RB * R.transpose();
  inner.diagonal().array() += 1.0;
  const math::Matrix10d covariance = B - RB.transpose() * Cholesky<10>(inner).solve(RB);
  return 0.5 * (covariance + covariance.transpose());
}

}  // namespace prehend::inertia
