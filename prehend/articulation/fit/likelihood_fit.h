// What a maximum-likelihood fit of one type of joint is asked for, and what it answers.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/noise_sizes.h>
#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/observations.h>

namespace prehend::articulation {

struct LikelihoodSettings {
  PoseNoise noise;  // start, or known
  bool noise_is_known{false};
  // Where poses have covariances of their own: their known common scale, instead of the noise; 0: by the noise.
  double covariance_scale{0.0};
  bool robust{true};
  double radius_scale{0.0};  // [m]; infinite: no prior
  // Of orientation and position noise, relative to `noise`, which is then known; absent: one size, Gaussian.
  std::optional<std::array<NoiseSizes, 2>> sizes;
  // Where poses have covariances of their own: degrees of freedom of Student's distribution.
  double covariance_tails{4.0};
  int max_iterations{30};
  double tolerance{1e-2};  // [standard deviations] iteration ends when what is left is below
  bool wants_terms{true};  // per-frame terms for the log likelihood
  // Tracks of positions: Observations::holds.
  std::span<const int> holds{};
};

// One frame after the fit, in units of its own noise.
struct FrameTerms {
  FrameTerms() {
  }  // NOLINT(modernize-use-equals-default): defaulted, thousands of them would be set to zero first
  math::Vector6d residual{math::Vector6d::Zero()};  // whitened, state eliminated; angular first
  State q;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6> state_covariance;
  double log_determinant{0.0};  // of the pose's covariance
  double squared{0.0};          // |residual|^2
};

struct LikelihoodResult {
  bool converged{false};
  Joint joint;
  PoseNoise noise;           // maximum likelihood
  double noise_factor{1.0};  // by which variances grow for the parameters spent
  Eigen::MatrixXd covariance;
  std::vector<double> weights;
  std::vector<FrameTerms> terms;
  std::vector<Eigen::Vector3d> track_residuals;     // [m] in F; of tracks of positions
  double rms_position{0.0}, rms_angle{0.0};         // [m, rad]
  double angle_freedoms{0.0}, shift_freedoms{0.0};  // of a frame's residual, on average
  // Half the weighted sum of squares plus log determinants [nats]; frames outside the noise lie anywhere, so that a tiny noise that
  // hardly any frame agrees with does not pay.
  double cost{0.0};
  // With covariances: root of the median squared residual over what noise has; not a number otherwise.
  double median_misfit{std::numeric_limits<double>::quiet_NaN()};
  int iterations{0};
};

}  // namespace prehend::articulation
