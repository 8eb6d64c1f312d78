// Noise of a wrench that lasts, as every force sensor has some: white noise beside noise whose correlation falls by e over some time (Ornstein and Uhlenbeck).
//
// Forces and torques are asked apart: y = A x + noise, three rows at an instant, x free. For a given memory and ratio of the two noises a scalar Kalman
// filter makes the rows white (all columns alike), least squares gives x, and the likelihood with x integrated out (Patterson and Thompson 1971) judges memory and
// ratio, on a grid: what x takes of slow noise does not make it look smaller or shorter. Further columns of A are other explanations of what lasts; `cost`
// compares them under the same kind of noise. Cost: some forty passes over the rows, of which long logs have means of neighbours.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/samples.h>
#include <prehend/math/inertia.h>

namespace prehend::inertia {

struct SlowNoise {
  double white{0.0};    // standard deviation per component and row, in the unit of y
  double lasting{0.0};  // the same of what lasts
  double memory{0.0};   // [s]
  double cost{0.0};     // minus twice the log likelihood, x at its best
};

struct NoisyRows {
  std::vector<double> t;  // [s] ascending
  Eigen::MatrixXd A;      // three rows for each t
  Eigen::VectorXd y;
};
SlowNoise fit_slow_noise(const NoisyRows& rows);
// The same with columns beside those of A.
SlowNoise fit_slow_noise(const NoisyRows& rows, const Eigen::MatrixXd& beside);

// [A beside y] as rows that are independent and of unit variance under this noise.
Eigen::MatrixXd whitened(const NoisyRows& rows, const SlowNoise& noise, const Eigen::MatrixXd& beside);

// Which rows of the wrench, and of its regressor.
enum class WrenchKind { torque, force };
// Rows of samples less `bias`, means of neighbours where there are more than a few thousand.
NoisyRows noisy_rows(std::span<const Sample> samples, const math::Vector6d& bias, WrenchKind kind);

struct LastingNoise {
  SlowNoise torque;  // [N m]
  SlowNoise force;   // [N]
};
// Beside a rigid body.
LastingNoise fit_lasting_noise(std::span<const Sample> samples);

// The covariance of parameters that weighted least squares, or a posterior with its weights, gave, widened by such noise: C + C (S - H) C,
// S the covariance of the score A^T W noise and H what it were if residuals were white; nothing is narrowed.
math::Matrix10d widened(const math::Matrix10d& covariance, std::span<const Sample> samples,
                        const LastingNoise& noise);

}  // namespace prehend::inertia
