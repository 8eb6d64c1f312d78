#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>

#include <prehend/articulation/evidence/bend_evidence.h>
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {
namespace {

// Logarithm of the modified Bessel function of order zero.
double log_bessel_i0(double x) {
  if (x < 30.0) return std::log(std::cyl_bessel_i(0.0, x));
  const double y = 1 / (8 * x);  // asymptotic; the next term is below 1e-6 here
  return x - 0.5 * std::log(2 * math::kPi * x) + std::log1p(y * (1 + y * (4.5 + 37.5 * y)));
}

}  // namespace

double log_circle_over_line(std::span<const Eigen::Vector3d> positions, const Eigen::Vector3d& along,
                            std::span<const double> weights, std::span<const int> holds,
                            const BendSettings& settings) {
  const Eigen::Index count = static_cast<Eigen::Index>(positions.size());
  const Eigen::Index groups = 1 + (holds.empty() ? 0 : std::ranges::max(holds));
  const Eigen::Matrix3d R = frame_with_z(along);
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  double total = 0;
  for (Eigen::Index i = 0; i < count; ++i) {
    mean += weights[i] * positions[i];
    total += weights[i];
  }
  if (!(total > 0)) return 0.0;
  mean /= total;
  // Columns: what a line explains; then the bend and the two deviations, from which that part is taken away.
  Eigen::MatrixXd line = Eigen::MatrixXd::Zero(count, 1 + groups);
  Eigen::MatrixXd rest(count, 3);
  Eigen::VectorXd w(count);
  double length = 0;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Vector3d u = R.transpose() * (positions[i] - mean);
    w[i] = weights[i];
    line(i, 0) = u.z();
    line(i, 1 + (holds.empty() ? 0 : holds[i])) = 1;
    rest.row(i) << 0.5 * u.z() * u.z(), u.x(), u.y();
    if (w[i] > 0) length = std::max(length, std::abs(u.z()));
  }
  if (!(length > 0)) return 0.0;
  line.col(0) /= length;
  const Eigen::MatrixXd weighted = w.asDiagonal() * line;
  Eigen::MatrixXd normal = line.transpose() * weighted;
  normal.diagonal().array() += 1e-12 * total;
  rest -= line * normal.ldlt().solve(weighted.transpose() * rest);
  const double per_variance = settings.independence / (settings.noise * settings.noise);
  const double Q = per_variance * (w.array() * rest.col(0).array().square()).sum();
  const double v =
      per_variance * Eigen::Vector2d(rest.rightCols<2>().transpose() * w.asDiagonal() * rest.col(0)).norm();
  // Trapezoidal in the logarithm of the radius: smooth, and zero with all derivatives at both ends.
  constexpr int kSteps = 400;
  const double least = std::log(1e-6 * settings.radius_scale), most = std::log(20 * settings.radius_scale);
  const double h = (most - least) / kSteps;
  std::vector<double> logs(kSteps + 1);
  for (int k = 0; k <= kSteps; ++k) {
    const double log_r = least + k * h, r = std::exp(log_r), scaled = r / settings.radius_scale;
    // p(r) dr = 2 r / scale^2 exp(-(r / scale)^2) dr, and dr = r d log r.
    logs[k] = std::log(2 * scaled * scaled) - scaled * scaled - 0.5 * Q / (r * r) + log_bessel_i0(v / r);
  }
  const double largest = std::ranges::max(logs);
  double sum = 0;
  for (const double x : logs) sum += std::exp(x - largest);
  return largest + std::log(sum * h);
}

std::optional<double> log_circle_over_line(const JointFit& line, const JointFit& circle,
                                           const Observations& observations, const BendOptions& options) {
  // [rad] The bend is taken for a parabola: 7 % too low over an arc of 60 degrees, 15 % over 90, where it is no longer in doubt either.
  constexpr double kLargestTurn = math::kPi / 3;
  constexpr double kFramesOfABend = 5.0;  // independent deviations of a parabola from the line through it
  if (!std::isfinite(options.radius_scale) || circle.lower.size() == 0 ||
      circle.upper[0] - circle.lower[0] > kLargestTurn)
    return std::nullopt;
  const double count = static_cast<double>(observations.poses.size());
  BendSettings settings;
  settings.radius_scale = options.radius_scale;
  settings.noise = options.known_noise.value_or(std::min(line.noise.position, circle.noise.position));
  settings.independence = options.known_independence.value_or(1.0);
  const bool is_slow = options.slow_frames && !options.known_noise && !options.known_independence;
  if (is_slow) {
    if (settings.noise > options.slow_noise) return std::nullopt;
    settings.noise = options.slow_noise;
    settings.independence = *options.slow_frames / count;
  }
  if (!(settings.noise > 0)) return std::nullopt;
  std::vector<Eigen::Vector3d> positions;
  std::vector<double> weights;
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    positions.push_back(observations.poses[i].X_FM.p());
    weights.push_back(circle.weights[i]);  // a circle follows what it can: what it leaves out is no bend
  }
  const auto factor = [&] {
    return log_circle_over_line(positions, *line.joint.axis_F(), weights, observations.holds, settings);
  };
  const double result = factor();
  // Below white noise a bend is not seen to be slow; but where it is no larger than slow deviations are, it may be one of them, and counts as one.
  const double bend =
      std::sqrt(std::max(0.0, std::pow(line.noise.position, 2) - std::pow(circle.noise.position, 2)));
  if (result <= 0 || is_slow || options.known_noise || options.known_independence ||
      bend > options.slow_noise)
    return result;
  settings.noise = std::max(settings.noise, options.slow_noise);
  settings.independence = std::min(1.0, kFramesOfABend / count);
  return std::clamp(factor(), 0.0, result);
}

}  // namespace prehend::articulation
