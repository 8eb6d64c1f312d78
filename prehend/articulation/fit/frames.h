// Relative poses made ready for fitting: rotations as matrices, weights, covariances already factorised.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/math/se3.h>

namespace prehend::articulation {

// A rigid motion as a matrix: what inner loops use.
template <class T>
struct MotionOf {
  Eigen::Matrix<T, 3, 3> R{Eigen::Matrix<T, 3, 3>::Identity()};
  Eigen::Matrix<T, 3, 1> p{Eigen::Matrix<T, 3, 1>::Zero()};  // [m]
};
using Motion = MotionOf<double>;

// What one pose's covariance C says: rows of the inverse of its Cholesky factor whiten a residual.
struct PoseWeight {
  math::Matrix6d whitening;            // of V in X_FM exp(V), angular first
  double log_determinant{0.0};         // of C
  double position2{0.0}, angle2{0.0};  // [m^2, rad^2] mean variances per axis
};

struct Frames {
  std::vector<Motion> X;        // of M in F
  std::vector<double> weights;  // starting weights, 0 to 1
  double fixed_share{0.0};      // of the fixed part in the angular variance
  double length{1.0};           // [m] size of what is seen: floors of noise are relative to it
  double least_position{0.0}, least_angle{0.0};  // [m, rad] noise is not less: rounding of the file
  std::vector<PoseWeight> pose_weights;  // one per pose, or none: one noise for all (pose_covariances.h)
};

}  // namespace prehend::articulation
