// The angle of a hinge between two filmed markers, by maximum likelihood with the covariance of each pose.
#pragma once

#include <optional>
#include <vector>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>

namespace prehend::reproduce {

struct RelativePose {
  math::Pose X_FM;
  math::Matrix6d covariance;  // of V in X_FM exp(V), angular first
};

struct HingeAngles {
  std::vector<double> by_rotation;  // [rad] from the orientations alone: their logarithm about the mean axis
  std::vector<double>
      angle;  // [rad] maximum likelihood: a marker beside the axis shows the angle by its place, too
};

// X_FM = X_FJ Rz(q) X_MJ^-1; X_FJ, X_MJ and all q by Gauss-Newton, each q eliminated. Empty without a mean orientation.
std::optional<HingeAngles> hinge_angles(const std::vector<RelativePose>& poses);

}  // namespace prehend::reproduce
