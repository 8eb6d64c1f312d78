#include <algorithm>
#include <array>
#include <cmath>

#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/methods/wrench_fit.h>
#include <prehend/math/interrupt.h>

namespace prehend::inertia {
namespace {

// Below this fraction of the signal residuals are rounding of the file and of the interpolation.
constexpr double kResolution = 1e-6;
// Rounding of squares summed over a log, per unknown, relative to a unit diagonal.
constexpr double kLeastValue = 1e-12;
// A column of zeros (no rotation at all) has no scale: as little is known of it as of the least known.
constexpr double kSpreadOfEmpty = 1e6;
// Rounds of weights and fit at most; they end when both noise levels stand to 0.1 %.
constexpr int kFitRounds = 4;

// Columns of phi and offsets (16) that torques and forces know.
constexpr std::array<int, 12> kTorqueUnknowns = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
constexpr std::array<int, 7> kForceUnknowns = {0, 1, 2, 3, 13, 14, 15};

template <int N>
double squared_residual(const Eigen::Matrix<double, N, N>& normal, const Eigen::Matrix<double, N, 1>& right,
                        double square, const Eigen::Matrix<double, N, 1>& x) {
  return std::max(0.0, square - 2.0 * x.dot(right) + x.dot(normal * x));
}

double least_residual(double signal) { return std::max(kResolution * signal, 1e-12); }

// Normal equations of all sixteen unknowns.
struct Weighted {
  Matrix16d normal{Matrix16d::Zero()};
  Vector16d right{Vector16d::Zero()};
};

Weighted weighted(const WrenchSums& sums, double sigma_force, double sigma_torque) {
  Weighted result;
  const double per_torque = 1.0 / (sigma_torque * sigma_torque),
               per_force = 1.0 / (sigma_force * sigma_force);
  result.normal(kTorqueUnknowns, kTorqueUnknowns) += per_torque * sums.torque;
  result.right(kTorqueUnknowns) += per_torque * sums.torque_right;
  result.normal(kForceUnknowns, kForceUnknowns) += per_force * sums.force;
  result.right(kForceUnknowns) += per_force * sums.force_right;
  return result;
}

}  // namespace

void WrenchSums::add(const Sample& sample, std::uint8_t left_out) {
  const Regressor A = wrench_regressor(sample.motion);
  for (int c = 0; c < 3; ++c) {
    if (!(left_out >> c & 1)) {
      Eigen::Matrix<double, 12, 1> row = Eigen::Matrix<double, 12, 1>::Zero();
      row.head<9>() = A.block<1, 9>(c, 1).transpose();
      row(9 + c) = 1.0;
      torque.noalias() += row * row.transpose();
      torque_right += sample.wrench(c) * row;
      torque_square += sample.wrench(c) * sample.wrench(c);
    }
    if (!(left_out >> (c + 3) & 1)) {
      Eigen::Matrix<double, 7, 1> row = Eigen::Matrix<double, 7, 1>::Zero();
      row.head<4>() = A.block<1, 4>(3 + c, 0).transpose();
      row(4 + c) = 1.0;
      force.noalias() += row * row.transpose();
      force_right += sample.wrench(3 + c) * row;
      force_square += sample.wrench(3 + c) * sample.wrench(3 + c);
    }
  }
  ++samples;
}

WrenchSums& WrenchSums::operator+=(const WrenchSums& other) {
  torque += other.torque;
  force += other.force;
  torque_right += other.torque_right;
  force_right += other.force_right;
  torque_square += other.torque_square;
  force_square += other.force_square;
  samples += other.samples;
  return *this;
}

WrenchSums WrenchSums::less(const math::Vector6d& bias) const {
  WrenchSums result = *this;
  const Eigen::Vector3d tau = bias.head<3>(), f = bias.tail<3>();
  result.torque_square +=
      tau.dot(torque.bottomRightCorner<3, 3>() * tau) - 2.0 * tau.dot(torque_right.tail<3>());
  result.force_square += f.dot(force.bottomRightCorner<3, 3>() * f) - 2.0 * f.dot(force_right.tail<3>());
  result.torque_right -= torque.rightCols<3>() * tau;
  result.force_right -= force.rightCols<3>() * f;
  return result;
}

WrenchFit fit_wrench(const WrenchSums& sums, bool with_bias) {
  WrenchFit fit;
  fit.with_bias = with_bias;
  fit.samples = sums.samples;
  if (fit.samples == 0) return fit;
  const double rows = 3.0 * fit.samples;
  fit.signal_force = std::sqrt(std::max(0.0, sums.force_square) / rows);
  fit.signal_torque = std::sqrt(std::max(0.0, sums.torque_square) / rows);
  double sigma_force = std::max(fit.signal_force, 1e-12), sigma_torque = std::max(fit.signal_torque, 1e-12);
  const int unknowns = with_bias ? 16 : 10;
  for (int iteration = 0; iteration < kFitRounds; ++iteration) {
    const auto [normal, right] = weighted(sums, sigma_force, sigma_torque);
    const ScaledSymmetric solver(normal.topLeftCorner(unknowns, unknowns));
    // Squared singular values: what lies below is not determined by the data; its deviation is vast, its value the smallest.
    const double least = kLeastValue * static_cast<double>(unknowns);
    const Eigen::VectorXd x = solver.solve(right.head(unknowns), least);
    fit.phi = x.head<10>();
    if (with_bias) fit.bias = x.tail<6>();
    fit.covariance.topLeftCorner(unknowns, unknowns) = solver.inverse(least, kSpreadOfEmpty);
    Vector16d all;
    all << fit.phi, fit.bias;
    const Eigen::Matrix<double, 12, 1> x_torque = all(kTorqueUnknowns);
    const Eigen::Matrix<double, 7, 1> x_force = all(kForceUnknowns);
    fit.rms_torque =
        std::sqrt(squared_residual(sums.torque, sums.torque_right, sums.torque_square, x_torque) / rows);
    fit.rms_force =
        std::sqrt(squared_residual(sums.force, sums.force_right, sums.force_square, x_force) / rows);
    const double next_force = std::max(fit.rms_force, least_residual(fit.signal_force));
    const double next_torque = std::max(fit.rms_torque, least_residual(fit.signal_torque));
    const bool settled =
        std::abs(std::log(next_force / sigma_force)) + std::abs(std::log(next_torque / sigma_torque)) < 1e-3;
    sigma_force = next_force;
    sigma_torque = next_torque;
    if (settled) break;
  }
  fit.cost = 2.0 * rows * (std::log(sigma_force) + std::log(sigma_torque));
  return fit;
}

double weighted_squares(const WrenchSums& sums, double sigma_force, double sigma_torque) {
  const auto [normal, right] = weighted(sums, sigma_force, sigma_torque);
  const double least = kLeastValue * static_cast<double>(normal.rows());
  const double explained = right.dot(ScaledSymmetric(normal).solve(right, least));
  return std::max(0.0, sums.torque_square / (sigma_torque * sigma_torque) +
                           sums.force_square / (sigma_force * sigma_force) - explained);
}

WrenchFit fit_wrench(std::span<const Sample> samples, bool with_bias, const std::vector<bool>& use,
                     const std::vector<std::uint8_t>& left_out) {
  math::check_interrupt();
  WrenchSums sums;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (use.empty() || use[i]) sums.add(samples[i], left_out.empty() ? std::uint8_t{0} : left_out[i]);
  return fit_wrench(sums, with_bias);
}

double residual_correlation(std::span<const Sample> samples, const WrenchFit& fit,
                            const std::vector<bool>& use) {
  const double force = 1.0 / std::max(fit.rms_force, least_residual(fit.signal_force)),
               torque = 1.0 / std::max(fit.rms_torque, least_residual(fit.signal_torque));
  math::Vector6d last = math::Vector6d::Zero();
  double now = 0.0, next = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!use.empty() && !use[i]) continue;
    math::Vector6d rest = samples[i].wrench - predicted_wrench(fit, samples[i]);
    rest.head<3>() *= torque;
    rest.tail<3>() *= force;
    now += rest.squaredNorm();
    next += rest.dot(last);
    last = rest;
  }
  return now > 0.0 ? std::clamp(next / now, 0.0, 0.999) : 0.0;
}

math::Vector6d predicted_wrench(const WrenchFit& fit, const Sample& sample) {
  return wrench_regressor(sample.motion) * fit.phi + fit.bias;
}

}  // namespace prehend::inertia
