#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include <prehend/inertia/wrench_fit.h>

namespace prehend::inertia {
namespace {

// Below this fraction of the signal residuals are rounding of the file and of the interpolation.
constexpr double kResolution = 1e-6;

using Rows = Eigen::Matrix<double, 3, 16>;

Rows rows_of(const Regressor& A, int first) {
  Rows rows = Rows::Zero();
  rows.leftCols<10>() = A.middleRows<3>(first);
  rows.block<3, 3>(0, 10 + first).setIdentity();
  return rows;
}

}  // namespace

WrenchFit fit_wrench(std::span<const Sample> samples, bool with_bias, const std::vector<bool>& use,
                     const std::vector<std::uint8_t>& left_out) {
  Matrix16d torque_normal = Matrix16d::Zero(), force_normal = Matrix16d::Zero();
  Vector16d torque_right = Vector16d::Zero(), force_right = Vector16d::Zero();
  double torque_square = 0.0, force_square = 0.0;
  WrenchFit fit;
  fit.with_bias = with_bias;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!use.empty() && !use[i]) continue;
    const Regressor A = wrench_regressor(samples[i].motion);
    Rows torque = rows_of(A, 0), force = rows_of(A, 3);
    Eigen::Vector3d tau = samples[i].wrench.head<3>(), f = samples[i].wrench.tail<3>();
    for (int c = 0; c < 3 && !left_out.empty(); ++c) {
      if (left_out[i] >> c & 1) {
        torque.row(c).setZero();
        tau(c) = 0.0;
      }
      if (left_out[i] >> (c + 3) & 1) {
        force.row(c).setZero();
        f(c) = 0.0;
      }
    }
    torque_normal.selfadjointView<Eigen::Lower>().rankUpdate(torque.transpose());
    force_normal.selfadjointView<Eigen::Lower>().rankUpdate(force.transpose());
    torque_right += torque.transpose() * tau;
    force_right += force.transpose() * f;
    torque_square += tau.squaredNorm();
    force_square += f.squaredNorm();
    ++fit.samples;
  }
  if (fit.samples == 0) return fit;
  const double rows = 3.0 * fit.samples;
  fit.signal_force = std::sqrt(force_square / rows);
  fit.signal_torque = std::sqrt(torque_square / rows);
  const auto floor_of = [](double signal) { return std::max(kResolution * signal, 1e-12); };
  double sigma_force = std::max(fit.signal_force, 1e-12), sigma_torque = std::max(fit.signal_torque, 1e-12);
  const int unknowns = with_bias ? 16 : 10;
  for (int iteration = 0; iteration < 4; ++iteration) {
    Matrix16d normal =
        torque_normal / (sigma_torque * sigma_torque) + force_normal / (sigma_force * sigma_force);
    normal = normal.selfadjointView<Eigen::Lower>();
    const Vector16d right =
        torque_right / (sigma_torque * sigma_torque) + force_right / (sigma_force * sigma_force);
    Eigen::VectorXd scale(unknowns);
    for (int i = 0; i < unknowns; ++i) scale(i) = normal(i, i) > 0.0 ? 1.0 / std::sqrt(normal(i, i)) : 0.0;
    const Eigen::MatrixXd scaled =
        scale.asDiagonal() * normal.topLeftCorner(unknowns, unknowns) * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
    Eigen::VectorXd inverse = solver.eigenvalues();
    // Squared singular values: what lies below is not told by the data; its deviation is vast, its value the smallest.
    const double least = 1e-12 * static_cast<double>(unknowns);
    Eigen::VectorXd vast = inverse;
    for (int i = 0; i < unknowns; ++i) {
      vast(i) = 1.0 / std::max(inverse(i), least);
      inverse(i) = inverse(i) > least ? 1.0 / inverse(i) : 0.0;
    }
    // A column of zeros (no rotation at all) has no scale: as little is known of it as of the least known.
    Eigen::VectorXd spread = scale;
    for (double& value : spread)
      if (value == 0.0) value = 1e6;
    const Eigen::MatrixXd& V = solver.eigenvectors();
    const Eigen::MatrixXd cov =
        spread.asDiagonal() * V * vast.asDiagonal() * V.transpose() * spread.asDiagonal();
    const Eigen::VectorXd x = scale.asDiagonal() * (V * inverse.asDiagonal() * V.transpose() *
                                                    (scale.asDiagonal() * right.head(unknowns)));
    fit.phi = x.head<10>();
    if (with_bias) fit.bias = x.tail<6>();
    fit.covariance.topLeftCorner(unknowns, unknowns) = cov;
    double torque_rest = 0.0, force_rest = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (!use.empty() && !use[i]) continue;
      math::Vector6d rest = samples[i].wrench - predicted_wrench(fit, samples[i]);
      for (int c = 0; c < 6 && !left_out.empty(); ++c)
        if (left_out[i] >> c & 1) rest(c) = 0.0;
      torque_rest += rest.head<3>().squaredNorm();
      force_rest += rest.tail<3>().squaredNorm();
    }
    fit.rms_torque = std::sqrt(torque_rest / rows);
    fit.rms_force = std::sqrt(force_rest / rows);
    const double next_force = std::max(fit.rms_force, floor_of(fit.signal_force));
    const double next_torque = std::max(fit.rms_torque, floor_of(fit.signal_torque));
    const bool settled =
        std::abs(std::log(next_force / sigma_force)) + std::abs(std::log(next_torque / sigma_torque)) < 1e-3;
    sigma_force = next_force;
    sigma_torque = next_torque;
    if (settled) break;
  }
  fit.cost = 2.0 * rows * (std::log(sigma_force) + std::log(sigma_torque));
  return fit;
}

double residual_correlation(std::span<const Sample> samples, const WrenchFit& fit,
                            const std::vector<bool>& use) {
  const double force = 1.0 / std::max(fit.rms_force, 1e-300), torque = 1.0 / std::max(fit.rms_torque, 1e-300);
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
