#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include <prehend/inertia/methods/consistent_fit.h>

namespace prehend::inertia {

void report_observability(const Matrix10d& gram, int columns, Estimate& estimate) {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 10, 10> scaled =
      gram.topLeftCorner(columns, columns);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 10, 1> scale = scaled.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (double& s : scale) s = s > 0.0 ? 1.0 / s : 0.0;
  scaled = (scale.asDiagonal() * scaled * scale.asDiagonal()).eval();
  const Eigen::SelfAdjointEigenSolver<decltype(scaled)> spectrum(scaled, Eigen::EigenvaluesOnly);
  const auto& values = spectrum.eigenvalues();
  const double largest = values[columns - 1];
  estimate.rank = static_cast<int>((values.array() > 1e-12 * largest).count());
  estimate.condition =
      estimate.rank == columns ? std::sqrt(largest / values[0]) : std::numeric_limits<double>::infinity();
}

void finish_consistent_fit(const FullSums& all, const math::Vector10d& phi, bool solved, Estimate& estimate) {
  const Quadratic force = force_quadratic(all), torque = torque_quadratic(all);
  const double rows = std::max(1.0, force.rows);
  estimate.residual_force = std::sqrt(force.squared_residual(phi) / rows);
  estimate.residual_torque = std::sqrt(torque.squared_residual(phi) / rows);
  report_observability(force.G + torque.G, 10, estimate);
  if (!(phi[0] > 0.0) || !phi.allFinite()) {
    estimate.status = Status::failed;
    estimate.problems.emplace_back(
        "no mass was found: the wrench does not carry an object of this shape; check the sign of gravity and "
        "of the wrench");
    return;
  }
  estimate.inertia_S = math::SpatialInertia::from_parameters(phi);
  estimate.consistency = math::check_consistency(estimate.inertia_S);
  estimate.status = solved ? Status::ok : Status::failed;
}

}  // namespace prehend::inertia
