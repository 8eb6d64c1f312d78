// Least squares of ten parameters and six sensor offsets together, weighted by the residuals found: the yardstick for
// questions about a log (is this gravity right? which axes are these forces in?).
//
// Model: wrench = A(motion) phi + bias, bias in the sensor's axes. Forces and torques have one unknown variance each, so
// weights follow from the residuals (iterated); `cost` is minus twice the profile log likelihood, and differences of it
// compare explanations of the same numbers. Residuals are not taken below a millionth of the signal: beyond that
// rounding and interpolation speak. Without variety some unknowns have no answer: the smallest is taken. All from sums over
// samples that add and subtract, so parts of a log cost nothing once its blocks are summed. Cost: about 0.2 us a sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/regressor.h>
#include <prehend/inertia/samples.h>
#include <prehend/math/inertia.h>

namespace prehend::inertia {

using Vector16d = Eigen::Matrix<double, 16, 1>;
using Matrix16d = Eigen::Matrix<double, 16, 16>;

struct WrenchFit {
  math::Vector10d phi{math::Vector10d::Zero()};
  math::Vector6d bias{math::Vector6d::Zero()};  // [N m; N]
  Matrix16d covariance{Matrix16d::Zero()};      // of phi and bias
  double rms_force{0.0};                        // [N] per component, residual
  double rms_torque{0.0};                       // [N m]
  double signal_force{0.0};                     // [N] root mean square per component, measured
  double signal_torque{0.0};                    // [N m]
  double cost{0.0};
  int samples{0};
  bool with_bias{true};
};

// Normal equations of forces (m, m c, force offset) and of torques (m c, inertia, torque offset), apart because their
// weights are not known yet. Squares cancel to about 1e-15 of the signal's: residuals down to 1e-7 of it are right.
struct WrenchSums {
  Eigen::Matrix<double, 12, 12> torque{Eigen::Matrix<double, 12, 12>::Zero()};
  Eigen::Matrix<double, 7, 7> force{Eigen::Matrix<double, 7, 7>::Zero()};
  Eigen::Matrix<double, 12, 1> torque_right{Eigen::Matrix<double, 12, 1>::Zero()};
  Eigen::Matrix<double, 7, 1> force_right{Eigen::Matrix<double, 7, 1>::Zero()};
  double torque_square{0.0}, force_square{0.0};
  int samples{0};

  // Bits of `left_out` (tx ty tz fx fy fz, lowest first) are channels that do not count.
  void add(const Sample& sample, std::uint8_t left_out = 0);
  WrenchSums& operator+=(const WrenchSums& other);
  // The same samples less a known offset.
  WrenchSums less(const math::Vector6d& bias) const;
};
WrenchFit fit_wrench(const WrenchSums& sums, bool with_bias = true);
// Least sum of squared residuals over these deviations [N] [N m], offsets free.
double weighted_squares(const WrenchSums& sums, double sigma_force, double sigma_torque);

// `use` empty: all samples; otherwise one entry per sample. `left_out` empty, or bits of channels (tx ty tz fx fy fz, lowest
// first) of each sample that do not count.
WrenchFit fit_wrench(std::span<const Sample> samples, bool with_bias = true,
                     const std::vector<bool>& use = {}, const std::vector<std::uint8_t>& left_out = {});
// Correlation of residuals from one used row to the next: near 0 for white noise; n rows are worth
// n (1 - r) / (1 + r) independent ones.
double residual_correlation(std::span<const Sample> samples, const WrenchFit& fit,
                            const std::vector<bool>& use = {});
// [tau; f] that the fit predicts.
math::Vector6d predicted_wrench(const WrenchFit& fit, const Sample& sample);

}  // namespace prehend::inertia
