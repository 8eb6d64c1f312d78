// Distance between two capsules: the nearest points of their axes, in closed form; and a capsule around points.
#pragma once

#include <span>

#include <Eigen/Core>

namespace prehend::assist {

struct Capsule {
  Eigen::Vector3d a{Eigen::Vector3d::Zero()}, b{Eigen::Vector3d::Zero()};  // [m] ends of the axis
  double radius{0.0};                                                      // [m]
};

struct CapsuleGap {
  double distance{0.0};                         // [m] between the surfaces; negative: they overlap
  Eigen::Vector3d n{Eigen::Vector3d::UnitZ()};  // unit, from the second to the first
  Eigen::Vector3d p_first{Eigen::Vector3d::Zero()}, p_second{Eigen::Vector3d::Zero()};  // [m] on the axes
};

CapsuleGap capsule_gap(const Capsule& first, const Capsule& second);

// Every point is inside. The axis is the one with the least volume among the three coordinate axes and the three principal axes of the points.
Capsule capsule_around(std::span<const Eigen::Vector3d> points);

// The ball around a capsule: what is far off is known from it without a root.
struct CapsuleBall {
  Eigen::Vector3d centre{Eigen::Vector3d::Zero()};
  double radius{0.0};  // [m]
};
inline CapsuleBall ball_around(const Capsule& capsule) {
  return {0.5 * (capsule.a + capsule.b), 0.5 * (capsule.b - capsule.a).norm() + capsule.radius};
}
// Whether the balls, and so what is in them, are more than `gap` >= 0 [m] apart.
inline bool are_apart(const CapsuleBall& first, const CapsuleBall& second, double gap) {
  const double reach = first.radius + second.radius + gap;
  return (first.centre - second.centre).squaredNorm() > reach * reach;
}

}  // namespace prehend::assist
