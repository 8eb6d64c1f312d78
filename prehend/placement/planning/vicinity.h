// Where a planner without insight looks: around the bodies on which the object is wanted.
//
// Those that --touch names; without names all movable ones (N, 5.6.1: "above the non-fixed objects"); where nothing is movable, all. The box is
// cut to --region. Its axes are the vertical and two directions across.
#pragma once

#include <Eigen/Geometry>

#include <prehend/math/random.h>
#include <prehend/placement/planning/problem.h>

namespace prehend::placement {

class Vicinity {
 public:
  explicit Vicinity(const Problem& problem);
  double radius() const { return radius_; }  // [m] of the object about its centre of mass
  // Of the frame whose third axis is the vertical.
  const Eigen::Matrix3d& R_WU() const { return R_WU_; }
  // [m] Box of the bodies wanted, and of everything.
  const Eigen::AlignedBox3d& wanted_U() const { return wanted_; }
  const Eigen::AlignedBox3d& all_U() const { return all_; }
  // [m] Highest point of what lies within `reach` of a place, seen from above; the bottom of everything where nothing does.
  double top_at(double x, double y, double reach) const;
  // With its centre of mass at a point of the vertical frame.
  math::Pose pose(const Eigen::Quaterniond& q_WO, const Eigen::Vector3d& com_U) const;

 private:
  const Problem& problem_;
  Eigen::Matrix3d R_WU_;
  double radius_{0.0};
  Eigen::AlignedBox3d wanted_, all_;
  std::vector<Eigen::AlignedBox3d> boxes_;  // of the geoms
};

}  // namespace prehend::placement
