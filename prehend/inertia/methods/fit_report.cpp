#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <prehend/inertia/methods/fit_report.h>
#include <prehend/inertia/regressor.h>

namespace prehend::inertia {

void report_fit(const NormalEquations& sums, const math::Vector10d& phi, Estimate& estimate) {
  estimate.samples = static_cast<int>(sums.samples());
  const double rows = 3.0 * std::max<double>(1.0, static_cast<double>(sums.samples()));
  estimate.residual_force = std::sqrt(sums.squared_force_residual(phi) / rows);
  estimate.residual_torque = std::sqrt(sums.squared_torque_residual(phi) / rows);
  if (phi[0] == 0.0 || !phi.allFinite()) {
    estimate.status = Status::failed;
    estimate.problems.emplace_back("no mass was found, so there is no centre of mass");
    return;
  }
  estimate.inertia_S = math::SpatialInertia::from_parameters(phi);
  estimate.consistency = math::check_consistency(estimate.inertia_S);
}

RowVariances row_variances(const NormalEquations& sums, const math::Vector10d& phi) {
  // Forces alone and torques alone, each fitted by its own columns: free of what the other kind's noise, the weights or a
  // prior do to the common fit. What no column explains stands in the corners of the two triangles.
  const NormalEquations::ForceFactor& force = sums.force_factor();
  const NormalEquations::TorqueFactor& torque = sums.torque_factor();
  const double rows = 3.0 * static_cast<double>(sums.samples());
  const double force_freedom =
      rows - static_cast<double>((force.diagonal().head<4>().array() != 0.0).count());
  const double torque_freedom =
      rows - static_cast<double>((torque.diagonal().head<9>().array() != 0.0).count());
  if (force_freedom < 1.0 ||
      torque_freedom < 1.0) {  // three samples or fewer: what the common fit leaves, in SI units
    const double left = sums.squared_force_residual(phi) + sums.squared_torque_residual(phi);
    const double variance = left / std::max(1.0, 2.0 * rows - 10.0);
    return {variance, variance};
  }
  return {force(4, 4) * force(4, 4) / force_freedom, torque(9, 9) * torque(9, 9) / torque_freedom};
}

math::Matrix10d wrench_noise_covariance(const NormalEquations& sums, const math::Matrix10d& inverse_normal,
                                        const RowWeights& weights, const RowVariances& variances) {
  const math::Matrix10d middle = std::pow(weights.force, 4) * variances.force * sums.force_gram() +
                                 std::pow(weights.torque, 4) * variances.torque * sums.torque_gram();
  const math::Matrix10d covariance = inverse_normal * middle * inverse_normal.transpose();
  return 0.5 * (covariance + covariance.transpose());
}

Persistence persistence_of(const math::SpatialInertia& body, std::span<const Sample> samples,
                           const PersistenceOptions& options) {
  // Ten rows: the ratio then scatters by 0.12 over 300 rows, more would say nothing; unless residuals still repeat by a tenth after so many rows (a drift, slow noise).
  constexpr double kStillRepeats = 0.1;
  const std::size_t fewest = std::min<std::size_t>(10, samples.size() / 10), most = samples.size() / 5;
  std::vector<math::Vector6d> rest;
  for (const Sample& sample : samples) rest.push_back(sample.wrench - wrench_of(body, sample.motion));
  const auto ratio = [&](int first, double unknowns) {
    double square = 0.0;
    for (const math::Vector6d& r : rest) square += r.segment<3>(first).squaredNorm();
    if (!(square > 0.0)) return 1.0;
    const auto correlation = [&](std::size_t lag) {
      double product = 0.0;
      for (std::size_t k = lag; k < rest.size(); ++k)
        product += rest[k].segment<3>(first).dot(rest[k - lag].segment<3>(first));
      return product / square;
    };
    std::size_t lags = fewest;
    while (options.long_memory && lags > 0 && 2 * lags <= most && correlation(lags) > kStillRepeats)
      lags *= 2;
    double sum = 0.0;
    for (std::size_t lag = 1; lag <= lags; ++lag)
      sum += (1.0 - static_cast<double>(lag) / static_cast<double>(lags + 1)) * correlation(lag);
    // Of the slow sums that these lags see, three for each stretch of so many rows, the fit has taken as many as it has unknowns.
    const double sums = 3.0 * static_cast<double>(rest.size()) / static_cast<double>(lags + 1);
    return std::max(1.0, (1.0 + 2.0 * sum) / (1.0 - std::min(0.5, unknowns / sums)));
  };
  return {ratio(3, options.force_unknowns), ratio(0, options.torque_unknowns)};
}

Eigen::Vector3d without_rounding(const Eigen::Vector3d& value, double deviation) {
  return value.unaryExpr([&](double x) { return std::abs(x) < 1e-3 * deviation ? 0.0 : x; });
}

}  // namespace prehend::inertia
