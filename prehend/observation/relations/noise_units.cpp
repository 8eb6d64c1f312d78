#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <prehend/math/so3.h>
#include <prehend/observation/relations/noise_units.h>

namespace prehend::observation {

Eigen::Matrix<double, 6, 1> in_noise_units(const Eigen::Vector3d& turn, const Eigen::Vector3d& shift,
                                           const CorrectionOptions& options) {
  Eigen::Matrix<double, 6, 1> x;
  if (options.directions.is_even) {
    x << turn / options.noise.angle, shift / options.noise.position;
  } else {
    x << options.directions.angle.inverse() * turn / options.noise.angle,
        options.directions.position.inverse() * shift / options.noise.position;
  }
  return x;
}

Eigen::Vector3d turn_of(const Eigen::Matrix<double, 6, 1>& x, const CorrectionOptions& options) {
  const Eigen::Vector3d turn = options.noise.angle * x.head<3>();
  return options.directions.is_even ? turn : Eigen::Vector3d(options.directions.angle * turn);
}

Eigen::Vector3d shift_of(const Eigen::Matrix<double, 6, 1>& x, const CorrectionOptions& options) {
  const Eigen::Vector3d shift = options.noise.position * x.tail<3>();
  return options.directions.is_even ? shift : Eigen::Vector3d(options.directions.position * shift);
}

RowVector6d per_noise_unit(const RowVector6d& slope, const CorrectionOptions& options) {
  RowVector6d row;
  row << options.noise.angle * slope.head<3>(), options.noise.position * slope.tail<3>();
  if (options.directions.is_even) return row;
  RowVector6d turned;
  turned << row.head<3>() * options.directions.angle, row.tail<3>() * options.directions.position;
  return turned;
}

Eigen::Matrix<double, 6, 1> motion_between(const math::Pose& X_FM_seen, const math::Pose& X_FM,
                                           const CorrectionOptions& options) {
  return in_noise_units(math::log_so3(X_FM.q() * X_FM_seen.q().conjugate()),
                        X_FM * options.reference_M - X_FM_seen * options.reference_M, options);
}

TrackNoise largest_factors(const NoiseDirections& directions) {
  if (directions.is_even) return {1.0, 1.0};
  // Symmetric and positive: no vector becomes longer than by the Frobenius norm, and the longest by that over sqrt(3) at least.
  return {directions.position.norm(), directions.angle.norm()};
}

double log_spread(const std::vector<ContactRow>& rows, const math::Pose& X_FM,
                  const CorrectionOptions& options) {
  if (options.directions.is_even) return 0.0;
  CorrectionOptions even = options;
  even.directions = {};
  const Eigen::Matrix3d R = X_FM.R();
  const Eigen::Vector3d centre = X_FM * options.reference_M;
  // Orthonormal directions that are restricted, in units of even noise, and what the noise is along them.
  std::vector<RowVector6d> basis;
  for (const ContactRow& row : rows) {
    RowVector6d slope = per_noise_unit(evaluate(row, R, X_FM.p(), centre).slope, even);
    const double size = slope.norm();
    for (const RowVector6d& b : basis) slope -= b.dot(slope) * b;
    if (basis.size() < 6 && slope.norm() > 1e-3 * size) basis.push_back(slope.normalized());
  }
  if (basis.empty()) return 0.0;
  Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6> along(static_cast<Eigen::Index>(basis.size()), 6);
  for (std::size_t k = 0; k < basis.size(); ++k)
    along.row(static_cast<Eigen::Index>(k)) << basis[k].head<3>() * options.directions.angle,
        basis[k].tail<3>() * options.directions.position;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> covariance = along * along.transpose();
  return 0.5 * std::log(covariance.determinant());
}

}  // namespace prehend::observation
