// Distance between two capsules: the nearest points of their axes, in closed form.
#pragma once

#include <Eigen/Core>

namespace prehend::assist {

struct Capsule {
  Eigen::Vector3d a{Eigen::Vector3d::Zero()}, b{Eigen::Vector3d::Zero()};  // [m] ends of the axis
  double radius{0.0};                                                      // [m]
};

struct CapsuleGap {
  double distance{0.0};                           // [m] between the surfaces; negative: they overlap
  Eigen::Vector3d n{Eigen::Vector3d::UnitZ()};    // unit, from the second to the first
  Eigen::Vector3d p_first{Eigen::Vector3d::Zero()}, p_second{Eigen::Vector3d::Zero()};  // [m] on the axes
};

CapsuleGap capsule_gap(const Capsule& first, const Capsule& second);

// A lower bound of the distance that costs little.
double gap_bound(const Capsule& first, const Capsule& second);

}  // namespace prehend::assist
