#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/inertia/methods/consistent_fit.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {

namespace {

// The first N parameters.
template <int N>
void report_observability(const math::Matrix10d& gram, Estimate& estimate) {
  SquareMatrix<N> scaled = gram.topLeftCorner<N, N>();
  ColumnVector<N> scale = scaled.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (double& s : scale) s = s > 0.0 ? 1.0 / s : 0.0;
  scaled = (scale.asDiagonal() * scaled * scale.asDiagonal()).eval();
  const ColumnVector<N> values = eigenvalues_of<N>(scaled);
  const double largest = values[N - 1];
  estimate.rank = static_cast<int>((values.array() > 1e-12 * largest).count());
  estimate.condition =
      estimate.rank == N ? std::sqrt(largest / values[0]) : std::numeric_limits<double>::infinity();
}

}  // namespace

void report_observability(const math::Matrix10d& gram, int columns, Estimate& estimate) {
  columns == 4 ? report_observability<4>(gram, estimate) : report_observability<10>(gram, estimate);
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
