// Computed from the triangular factor R of G, not from G: the largest eigenvector u of R^-T C R^-1 gives v = R^-1 u.
#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include <prehend/inertia/methods/fit_report.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/methods/total_least_squares.h>
#include <prehend/inertia/regressor.h>

namespace prehend::inertia {
namespace {

using Vector11d = Eigen::Matrix<double, 11, 1>;

// Derivatives of the regressor's rows by the three components of w, which it holds squared.
void add_angular_velocity_noise(const Motion& motion, double variance, math::Matrix10d& force,
                                math::Matrix10d& torque) {
  for (int k = 0; k < 3; ++k) {
    Motion ahead, behind;  // quadratic in w: central differences of unit step are exact
    ahead.w = motion.w + 0.5 * Eigen::Vector3d::Unit(k);
    behind.w = motion.w - 0.5 * Eigen::Vector3d::Unit(k);
    const Regressor slope = wrench_regressor(ahead) - wrench_regressor(behind);
    torque += variance * slope.topRows<3>().transpose() * slope.topRows<3>();
    force += variance * slope.bottomRows<3>().transpose() * slope.bottomRows<3>();
  }
}

}  // namespace

TotalLeastSquares::TotalLeastSquares(const TotalLeastSquaresOptions& options) : options_(options) {
  options_.validate();
}

void TotalLeastSquares::add(const Sample& sample) {
  sums_.add(sample);
  const double a = options_.expected.a * options_.expected.a,
               al = options_.expected.al * options_.expected.al;
  // a stands three times in the mass column, every component of al twice in a column of m c; see regressor.h.
  force_noise_(0, 0) += 3.0 * a;
  math::Vector10d torque = math::Vector10d::Zero();
  for (int k = 1; k < 4; ++k) {
    force_noise_(k, k) += 2.0 * al;
    torque[k] = 2.0 * a;
  }
  torque.tail<6>() << al, 2.0 * al, 2.0 * al, al, 2.0 * al, al;
  torque_noise_.diagonal() += torque;
  if (options_.expected.w > 0.0) {
    add_angular_velocity_noise(sample.motion, options_.expected.w * options_.expected.w, force_noise_,
                               torque_noise_);
  }
}

Estimate TotalLeastSquares::estimate() const {
  Estimate estimate;
  estimate.method = Method::rtls;
  if (sums_.samples() == 0) {
    estimate.problems.emplace_back("there are no samples");
    return estimate;
  }
  const RowWeights weights{1.0 / options_.expected.force, 1.0 / options_.expected.torque};
  const Matrix11d R = sums_.factor(weights);
  const ScaledSolution free = solve_scaled(R, options_.rank_tolerance);
  estimate.condition = free.observability.condition;
  estimate.rank = free.observability.rank;
  estimate.undetermined = free.observability.undetermined;
  estimate.status = estimate.rank == 10 ? Status::ok : Status::undetermined;

  Matrix11d C = Matrix11d::Zero();
  C.topLeftCorner<10, 10>() =
      weights.force * weights.force * force_noise_ + weights.torque * weights.torque * torque_noise_;
  C(10, 10) = 6.0 * static_cast<double>(sums_.samples());

  math::Vector10d phi = free.phi;
  math::Matrix10d inverse_normal = free.inverse_normal;
  // Rows that fit to rounding have nothing to share out; where rank is lost every ratio can be zero.
  const bool exact = std::abs(R(10, 10)) <= 1e-9 * R.col(10).norm();
  if (!exact && estimate.rank == 10) {
    const Matrix11d half = R.triangularView<Eigen::Upper>().transpose().solve(C);
    const Matrix11d ratio = R.triangularView<Eigen::Upper>().transpose().solve(half.transpose());
    const SymmetricSpectrum<11> eigen = spectrum_of<11>(0.5 * (ratio + ratio.transpose()));
    const Vector11d v = R.triangularView<Eigen::Upper>().solve(eigen.vectors.col(10));
    phi = -v.head<10>() / v[10];
    // To first order the normal matrix is that of the rows freed of their noise.
    const double noise_scale = 1.0 / eigen.values[10];
    const math::Matrix10d normal = R.topLeftCorner<10, 10>().transpose() * R.topLeftCorner<10, 10>() -
                                   noise_scale * C.topLeftCorner<10, 10>();
    inverse_normal = normal.inverse();
    if (!phi.allFinite()) {
      estimate.status = Status::failed;
      estimate.problems.emplace_back("the noise expected in the accelerations explains the whole wrench");
      return estimate;
    }
  } else if (!exact) {
    estimate.notes.emplace_back("the data lack rank: parameters are those of least squares");
  }
  report_fit(sums_, phi, estimate);
  estimate.covariance = wrench_noise_covariance(sums_, inverse_normal, weights, row_variances(sums_, phi));
  return estimate;
}

Estimate total_least_squares(std::span<const Sample> samples, const TotalLeastSquaresOptions& options) {
  TotalLeastSquares running(options);
  for (const Sample& sample : samples) running.add(sample);
  return running.estimate();
}

}  // namespace prehend::inertia
