// A circle through noisy points in space by maximum likelihood; see track_fit.h. Not part of the public interface.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

namespace prehend::articulation {

struct Circle {
  Eigen::Matrix3d R{Eigen::Matrix3d::Identity()};   // axes: z the normal
  Eigen::Vector3d centre{Eigen::Vector3d::Zero()};  // [m]
  double radius{1.0};                               // [m]
};

struct CircleFit {
  Circle circle;
  double variance{0.0};  // [m^2] per axis
  double cost{0.0};
  // Of turn about x and y, centre in the circle's axes, radius.
  Eigen::Matrix<double, 6, 6> covariance;
  std::vector<double> weights;
  // [m] Of each group's circle against the first one's: radius and height. One entry, zero, without groups.
  std::vector<Eigen::Vector2d> offsets;
  bool converged{false};
  int iterations{0};
};

struct CircleSettings {
  double variance{0.0};  // [m^2]; 0: estimated
  double variance_floor{0.0};
  double radius_scale{0.0};  // [m] of the half-normal prior; infinite: none
  bool robust{true};
  int max_iterations{50};
  double tolerance{1e-2};
  // Group of each point, counted from zero: points of one group lie on one circle, those of others on circles about the same axis. Empty: one
  // circle for all.
  std::span<const int> groups{};
};

// Algebraic circle (Kasa) in the plane through the mean with the given axes.
Circle algebraic_circle(std::span<const Eigen::Vector3d> p, const Eigen::Matrix3d& axes);
CircleFit fit_circle(std::span<const Eigen::Vector3d> p, const Circle& start, const CircleSettings& settings);

}  // namespace prehend::articulation
