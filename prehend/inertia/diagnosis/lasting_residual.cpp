#include <algorithm>
#include <cmath>
#include <vector>

#include <prehend/inertia/diagnosis/lasting_residual.h>
#include <prehend/inertia/regressor.h>

namespace prehend::inertia {
namespace {

constexpr double kLag = 0.1;         // [s] longer than errors of smoothed motion at 50 rows a second last
constexpr double kPiece = 0.5;       // [s] looked at together for where it is largest
constexpr double kDeviations = 4.0;  // of the covariance of white noise: below, there is nothing
// [m] Torques of an object held at its centre of mass are small: they count beside its weight at this arm.
constexpr double kArm = 0.05;

}  // namespace

LastingResidual lasting_residual(const math::Vector10d& phi, const math::Vector6d& bias,
                                 std::span<const Sample> samples) {
  LastingResidual result;
  const std::size_t n = samples.size();
  if (n < 50) return result;
  const double step = (samples.back().t - samples.front().t) / static_cast<double>(n - 1);
  const std::size_t lag =
      std::clamp<std::size_t>(step > 0.0 ? static_cast<std::size_t>(std::lround(kLag / step)) : 1, 1, n / 4);
  std::vector<math::Vector6d> rest(n);
  double force = 0.0, torque = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    rest[k] = samples[k].wrench - wrench_regressor(samples[k].motion) * phi - bias;
    torque += (samples[k].wrench - bias).head<3>().squaredNorm();
    force += (samples[k].wrench - bias).tail<3>().squaredNorm();
  }
  const auto rows = 3.0 * static_cast<double>(n);
  force = std::sqrt(force / rows);
  torque = std::sqrt(torque / rows);
  const auto lasting = [&](int first) {
    double square = 0.0, product = 0.0;
    for (std::size_t k = 0; k < n; ++k) square += rest[k].segment<3>(first).squaredNorm();
    for (std::size_t k = lag; k < n; ++k)
      product += rest[k].segment<3>(first).dot(rest[k - lag].segment<3>(first));
    const double covariance = product / (rows - 3.0 * static_cast<double>(lag));
    return covariance > kDeviations * square / rows / std::sqrt(rows) ? std::sqrt(covariance) : 0.0;
  };
  result.force = lasting(3);
  result.torque = lasting(0);
  const double of_force = force > 0.0 ? result.force / force : 0.0;
  const double of_torque = force > 0.0 ? result.torque / std::max(torque, kArm * force) : 0.0;
  result.share = std::max(of_force, of_torque);
  // Means over pieces: noise is gone there.
  const int first = of_force >= of_torque ? 3 : 0;
  const std::size_t piece =
      std::clamp<std::size_t>(step > 0.0 ? static_cast<std::size_t>(std::lround(kPiece / step)) : 1, 1, n);
  double largest = -1.0;
  for (std::size_t from = 0; from + piece <= n; from += piece) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t k = from; k < from + piece; ++k) sum += rest[k].segment<3>(first);
    if (sum.norm() <= largest) continue;
    largest = sum.norm();
    result.at = samples[from + piece / 2].t;
  }
  return result;
}

}  // namespace prehend::inertia
