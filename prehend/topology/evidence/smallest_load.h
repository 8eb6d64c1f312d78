// Was a joint that stood still loaded in every way in which it might have moved?
//
// For every direction of sliding and every axis of turning within reach there is a most loaded moment; the smallest of these loads over all
// directions and axes is what a stuck joint's friction would have had to hold. Three standard deviations are taken off. Screws are
// a search of their own: along a screw, force and moment may cancel that a slide and a hinge would each feel. Found from 200 directions (for each the axis of smallest largest moment by reweighted least squares) and
// refined from the best four: a minimum of many local ones, found to a few percent. Cost: about 1 ms.
#pragma once

#include <Eigen/Core>

#include <prehend/topology/evidence/transmitted_wrench.h>

namespace prehend::topology {

struct SmallestLoad {
  double force{0.0};                                      // [N]
  Eigen::Vector3d direction_P{Eigen::Vector3d::UnitZ()};  // unit
  double torque{0.0};                                     // [N m]
  Eigen::Vector3d axis_P{Eigen::Vector3d::UnitZ()};       // unit
  Eigen::Vector3d point_P{Eigen::Vector3d::Zero()};       // [m]
  // Of the least loaded screw, pitch and all: about its axis [N m], divided by how much more than a hinge's its friction holds.
  double screw{0.0};
  Eigen::Vector3d screw_axis_P{Eigen::Vector3d::UnitZ()};  // unit
  Eigen::Vector3d screw_point_P{Eigen::Vector3d::Zero()};  // [m]
  double screw_pitch{0.0};                                 // [m/rad]
};

// Axes pass within `reach` [m] of `centre_P`; what may hold the joint is `friction`.
SmallestLoad smallest_load(const TransmittedWrench& wrench, const Eigen::Vector3d& centre_P, double reach,
                           const FrictionBounds& friction = {});

// A quick lower bound: the same with root mean squares over time, axes anywhere (and of any pitch), without the search. Microseconds.
SmallestLoad least_rms_load(const TransmittedWrench& wrench);

}  // namespace prehend::topology
