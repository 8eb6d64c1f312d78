#include <algorithm>
#include <cmath>

#include <prehend/math/so3.h>
#include <prehend/topology/recording_noise.h>

namespace prehend::topology {
namespace {

// Runs of six consecutive rows that are looked at: a median of 1200 differences is known to 4 %.
constexpr std::size_t kRuns = 400;

double median(std::vector<double>& values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Standard deviation from absolute fifth differences of Gaussian noise.
double deviation_of_differences(std::vector<double>& absolute) {
  return median(absolute) / (0.6745 * std::sqrt(252.0));
}

template <class Value>
Eigen::Vector3d fifth_difference(const Value& value, std::size_t k) {
  return value(k) - 5.0 * value(k + 1) + 10.0 * value(k + 2) - 10.0 * value(k + 3) + 5.0 * value(k + 4) -
         value(k + 5);
}

template <class Value>
double noise_of(std::size_t rows, const Value& value) {
  std::vector<double> absolute;
  const std::size_t stride = std::max<std::size_t>(1, (rows - 5) / kRuns);
  for (std::size_t k = 0; k + 5 < rows; k += stride) {
    const Eigen::Vector3d difference = fifth_difference(value, k);
    for (int axis = 0; axis < 3; ++axis) absolute.push_back(std::abs(difference[axis]));
  }
  return deviation_of_differences(absolute);
}

}  // namespace

double angle_noise(const std::vector<math::Pose>& X) {
  std::vector<double> absolute;
  const std::size_t stride = std::max<std::size_t>(1, (X.size() - 5) / kRuns);
  for (std::size_t k = 0; k + 5 < X.size(); k += stride) {
    const Eigen::Quaterniond q = X[k + 2].q().conjugate();
    const Eigen::Vector3d difference =
        fifth_difference([&](std::size_t i) { return math::log_so3(q * X[i].q()); }, k);
    for (int axis = 0; axis < 3; ++axis) absolute.push_back(std::abs(difference[axis]));
  }
  return deviation_of_differences(absolute);
}

double position_noise(const std::vector<math::Pose>& X) {
  return noise_of(X.size(), [&](std::size_t k) { return X[k].p(); });
}

double force_noise(const std::vector<math::Wrench>& F) {
  return noise_of(F.size(), [&](std::size_t k) { return F[k].force; });
}

double torque_noise(const std::vector<math::Wrench>& F) {
  return noise_of(F.size(), [&](std::size_t k) { return F[k].moment; });
}

RecordingNoise measure_noise(const Recording& recording) {
  RecordingNoise noise;
  const std::size_t rows = recording.rows();
  if (rows < 12) return noise;
  double position = 0.0, angle = 0.0;
  for (const std::vector<math::Pose>& X : recording.X_WL) {
    const double p = position_noise(X), a = angle_noise(X);
    position += p * p;
    angle += a * a;
  }
  const double links = static_cast<double>(recording.X_WL.size());
  noise.pose = {std::sqrt(position / links), std::sqrt(angle / links)};
  double force = 0.0, torque = 0.0;
  for (const HeldLink& held : recording.held) {
    const double f = force_noise(held.F_L), m = torque_noise(held.F_L);
    force += f * f;
    torque += m * m;
  }
  const double hands = static_cast<double>(recording.held.size());
  noise.force = std::sqrt(force / hands);
  noise.torque = std::sqrt(torque / hands);
  return noise;
}

}  // namespace prehend::topology
