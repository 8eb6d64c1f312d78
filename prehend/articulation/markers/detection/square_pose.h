// Pose of a square of known size from its four corners in one picture: both solutions.
//
// Four coplanar points leave two poses that look nearly alike: the square tilted one way, or the other (the flip). Both are started
// from the closed form for planes (IPPE, Collins and Bartoli 2014) and refined by maximum likelihood with the corners'
// covariance. Far away or nearly head-on one picture does not distinguish the two: flip_choice.h asks the neighbours
// in time.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {

using CornerCovariance = Eigen::Matrix<double, 8, 8>;

struct SquareCorners {
  // Normalised, undistorted: top left, top right, bottom right, bottom left of the marker, one per column.
  Eigen::Matrix<double, 2, 4> normalised{Eigen::Matrix<double, 2, 4>::Zero()};
  CornerCovariance covariance{CornerCovariance::Identity()};  // of x0, y0, x1, y1, ...
};

struct SquarePose {
  math::Pose X_CM;
  // Of the error V in X_CM exp(V), angular part first [rad^2, rad m; m rad, m^2].
  math::Matrix6d covariance{math::Matrix6d::Zero()};
  double chi2{0.0};  // squared residual in standard deviations; two degrees of freedom
};

// One or two poses, the better one first; empty when no pose in front of the camera fits. `focal_scale` multiplies the focal
// length that the normalised coordinates were made with: to ask whether another would fit better.
std::vector<SquarePose> square_poses(const SquareCorners& corners, double size, double focal_scale = 1.0);

// The likelihood's maximum near a start; the covariance and chi2 are those of the result.
SquarePose refine_square_pose(const SquareCorners& corners, double size, const math::Pose& start,
                              double focal_scale = 1.0);

}  // namespace prehend::articulation
