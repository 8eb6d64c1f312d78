// All that least squares needs of a recording, in constant memory: triangular factors of the stacked rows [A b].
//
// The sum over samples of [A b]^T [A b] is R^T R for an upper triangular R. R itself is kept and rotated on with every
// sample (Householder), never the Gram matrix: squaring the condition number would cost half of the digits, and slow
// recordings have condition numbers of hundreds. Force rows touch only the columns m, m c and the wrench (5), torque
// rows only m c, I and the wrench (10): two small factors instead of one, so that any weighting between forces and
// torques can still be chosen after the last sample. Cost: about 600 flops a sample, no allocation.
#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Core>

#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/samples.h>
#include <prehend/math/inertia.h>

namespace prehend::inertia {

using Matrix11d = Eigen::Matrix<double, 11, 11>;

class NormalEquations {
 public:
  // Force rows: columns m, m c_x, m c_y, m c_z, f. Torque rows: m c (3), I (6), tau.
  using ForceFactor = Eigen::Matrix<double, 5, 5>;
  using TorqueFactor = math::Matrix10d;

  // One sample; all its rows are multiplied by `weight` (>= 0).
  void add(const Sample& sample, double weight = 1.0);
  // The same sums by blocks: several times faster than one by one, equal to rounding.
  void add(std::span<const Sample> samples);
  // Rows that another instance has seen.
  void add(const NormalEquations& other);

  std::int64_t samples() const { return samples_; }
  const ForceFactor& force_factor() const { return R_force_; }
  const TorqueFactor& torque_factor() const { return R_torque_; }

  // Upper triangular R of all rows, weighted: R^T R = [A b]^T W^2 [A b], columns phi (10), wrench.
  Matrix11d factor(const RowWeights& weights = {}) const;
  // A^T A of the rows of one kind, unweighted, in the order of phi.
  math::Matrix10d force_gram() const;
  math::Matrix10d torque_gram() const;
  // Sums of squared residuals for given parameters, unweighted.
  double squared_force_residual(const math::Vector10d& phi) const;   // [N^2]
  double squared_torque_residual(const math::Vector10d& phi) const;  // [(N m)^2]

 private:
  std::int64_t samples_{0};
  ForceFactor R_force_{ForceFactor::Zero()};
  TorqueFactor R_torque_{TorqueFactor::Zero()};
};

}  // namespace prehend::inertia
