#include <algorithm>
#include <cmath>

#include <prehend/math/so3.h>
#include <prehend/topology/recording_noise.h>

namespace prehend::topology {
namespace {

// Runs of six consecutive rows that are looked at: a median of 1200 differences is known to 4 %.
constexpr std::size_t kRuns = 400;

double middle_of(std::vector<double>& values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Weights on six rows that leave nothing of a polynomial of fourth degree, of unit norm: fifth differences where steps are equal.
using FifthWeights = Eigen::Matrix<double, 6, 1>;

FifthWeights fifth_weights(const std::vector<double>& t, std::size_t first) {
  FifthWeights w;
  const double scale = 5.0 / (t[first + 5] - t[first]);
  for (std::size_t i = 0; i < 6; ++i) {
    double product = 1.0;
    for (std::size_t j = 0; j < 6; ++j)
      if (j != i) product *= scale * (t[first + i] - t[first + j]);
    w[static_cast<Eigen::Index>(i)] = 1.0 / product;
  }
  return w.normalized();
}

// Standard deviation of the noise of values(first) [3 x 6, in columns: rows first .. first + 5] about the middle of their motion.
template <class Values>
double noise_of(const std::vector<double>& t, const Values& values) {
  const std::size_t rows = t.size(), stride = std::max<std::size_t>(1, (rows - 5) / kRuns);
  std::vector<double> absolute;
  for (std::size_t k = 0; k + 5 < rows; k += stride) {
    const Eigen::Vector3d difference = values(k) * fifth_weights(t, k);
    for (int axis = 0; axis < 3; ++axis) absolute.push_back(std::abs(difference[axis]));
  }
  return middle_of(absolute) / 0.6745;
}

template <class Value>
Eigen::Matrix<double, 3, 6> six_columns(const Value& value) {
  Eigen::Matrix<double, 3, 6> columns;
  for (std::size_t i = 0; i < 6; ++i) columns.col(static_cast<Eigen::Index>(i)) = value(i);
  return columns;
}

}  // namespace

double angle_noise(const std::vector<double>& t, const std::vector<math::Pose>& X) {
  return noise_of(t, [&](std::size_t k) {
    const Eigen::Quaterniond q = X[k + 2].q().conjugate();
    return six_columns([&](std::size_t i) { return math::log_so3(q * X[k + i].q()); });
  });
}

double position_noise(const std::vector<double>& t, const std::vector<math::Pose>& X) {
  return noise_of(t, [&](std::size_t k) {
    return six_columns([&](std::size_t i) { return Eigen::Vector3d(X[k + i].p() - X[k].p()); });
  });
}

double force_noise(const std::vector<double>& t, const std::vector<math::Wrench>& F) {
  return noise_of(t, [&](std::size_t k) {
    return six_columns([&](std::size_t i) { return Eigen::Vector3d(F[k + i].force - F[k].force); });
  });
}

double torque_noise(const std::vector<double>& t, const std::vector<math::Wrench>& F) {
  return noise_of(t, [&](std::size_t k) {
    return six_columns([&](std::size_t i) { return Eigen::Vector3d(F[k + i].moment - F[k].moment); });
  });
}

RecordingNoise measure_noise(const Recording& recording) {
  RecordingNoise noise;
  const std::size_t rows = recording.rows();
  if (rows < 12) return noise;
  double position = 0.0, angle = 0.0;
  for (const std::vector<math::Pose>& X : recording.X_WL) {
    const double p = position_noise(recording.t, X), a = angle_noise(recording.t, X);
    position += p * p;
    angle += a * a;
  }
  const double links = static_cast<double>(recording.X_WL.size());
  noise.pose = {std::sqrt(position / links), std::sqrt(angle / links)};
  double force = 0.0, torque = 0.0;
  for (const HeldLink& held : recording.held) {
    const double f = force_noise(recording.t, held.F_L), m = torque_noise(recording.t, held.F_L);
    force += f * f;
    torque += m * m;
  }
  const double hands = static_cast<double>(recording.held.size());
  noise.force = std::sqrt(force / hands);
  noise.torque = std::sqrt(torque / hands);
  return noise;
}

}  // namespace prehend::topology
