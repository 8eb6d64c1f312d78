// Least squares of ten parameters and six sensor offsets together, weighted by the residuals found: the yardstick for
// questions about a log (is this gravity right? which axes are these forces in?).
//
// Model: wrench = A(motion) phi + bias, bias in the sensor's axes. Forces and torques have one unknown variance each, so
// weights follow from the residuals (iterated); `cost` is minus twice the profile log likelihood, and differences of it
// compare explanations of the same numbers. Residuals are not taken below a millionth of the signal: beyond that
// rounding and interpolation speak. Without variety some unknowns have no answer: the smallest is taken. Cost: about 1 us a
// sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

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
