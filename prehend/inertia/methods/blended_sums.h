// Sums over samples for estimators that blend the full model and the one of gravity alone (source N, 3.10-3.13).
//
// Full model: [tau; f] = A(a, w, al) phi. Reduced: f = -g m, tau = -g x' (m c): the motion is left out and only mass and first
// moment act. Kept are the second moments of the rows [A b], forces and torques apart, so that rows can still be weighed
// against each other after the last sample. Squares cost half the digits; what is left (eight) is far below the noise of
// any sensor, and the priors of these estimators keep the normal equations well conditioned. A sample: 0.1 us.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/samples.h>

namespace prehend::inertia {

// Of rows that were multiplied by their weight: [A b]^T [A b].
struct FullSums {
  Eigen::Matrix<double, 5, 5> force{Eigen::Matrix<double, 5, 5>::Zero()};  // columns m, m c, f
  math::Matrix10d torque{math::Matrix10d::Zero()};                         // columns m c, I, tau
  double count{0.0};                                                       // sum of squared weights
  void add(const FullSums& other, double squared_weight);
};
FullSums full_sums(const Sample& sample);

struct ReducedSums {
  double gg{0.0}, gf{0.0}, ff{0.0};                 // force rows: -g m = f; g is gravity
  Eigen::Matrix4d torque{Eigen::Matrix4d::Zero()};  // columns m c, tau
  double count{0.0};
  void add(const ReducedSums& other, double squared_weight);
};
// `gravity` of the sample, or a better known apparent one: the reduced rows are those of a body held still in it.
ReducedSums reduced_sums(const Sample& sample, const Eigen::Vector3d& gravity);

// Least squares in phi: 1/2 phi^T G phi - h^T phi + c/2, per kind of row.
struct Quadratic {
  math::Matrix10d G{math::Matrix10d::Zero()};
  math::Vector10d h{math::Vector10d::Zero()};
  double c{0.0};
  double rows{0.0};
  double squared_residual(const math::Vector10d& phi) const;
  Quadratic& operator+=(const Quadratic& other);
  Quadratic operator*(double factor) const;
};
Quadratic force_quadratic(const FullSums& sums);
Quadratic torque_quadratic(const FullSums& sums);
Quadratic force_quadratic(const ReducedSums& sums);
Quadratic torque_quadratic(const ReducedSums& sums);

// G = R^T R and h = R^T r, for any G >= 0: columns are scaled first, pivots below rounding count as zero.
struct SquareRoot {
  math::Matrix10d R{math::Matrix10d::Zero()};
  math::Vector10d r{math::Vector10d::Zero()};
  int rank{0};
};
SquareRoot square_root(const Quadratic& quadratic);

// Standard deviations of force and torque rows [N], [N m], from what the best unconstrained parameters leave; at least
// 1e-4 of the wrench itself, for logs without noise.
SampleNoise wrench_noise(const Quadratic& force, const Quadratic& torque);

}  // namespace prehend::inertia
