// Bodies that move as one, and the contacts at which the rest holds them.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/stability/methods/contact_graph.h>

namespace prehend::stability {

struct CutContact {
  InterfaceIndex interface;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Matrix3d R_WC{
      Eigen::Matrix3d::Zero()};  // two tangents, and the normal that points into the super-object
  double mu{0.0};
  Eigen::Vector3d f_W{Eigen::Vector3d::Zero()};  // [N] at rest, on the super-object
  bool is_corner{
      false};  // of the convex hull of its interface's points: the other points add nothing to these

  auto n_W() const { return R_WC.col(2); }
};

struct SuperObject {
  std::vector<NodeIndex> bodies;
  std::vector<CutContact> contacts;
  math::Vector6d weight{math::Vector6d::Zero()};  // [N m, N] wrench of gravity about the system's origin
};

// Which contacts are corners of the convex hull of their interface's points; independent of any cut.
std::vector<bool> interface_corners(const ContactSystem& system);

SuperObject make_super_object(const ContactSystem& system, const std::vector<Eigen::Vector3d>& resting_f_W,
                              const std::vector<bool>& corners, const BodySet& set);

// Indices of the corners of the convex hull of points in a plane with normal n, counter-clockwise about n. Points
// within `tolerance` [m] of an edge are not corners. Collinear points: the two ends; points in one place: one.
std::vector<int> planar_hull(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& n,
                             double tolerance);

}  // namespace prehend::stability
