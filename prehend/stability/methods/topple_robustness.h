// Robustness to toppling (source N, 4.4.3): axes about which a super-object may turn, and the torque that
// resists.
//
// Axes: the edges of the convex hull of the cut's contact points, in both senses; where all interfaces of the
// cut are parallel, also the normal through their centre of friction (sum of mu f_n p over sum of mu f_n).
//
// At unit speed contact i moves with v_i. It blocks the axis where v_i points into the support; where v_i
// points away, its force at rest is lost, f_i.v_i; where it slides, friction resists with s_i |v_i|, s_i the
// largest s with f_i - s v_i/|v_i| in its cone. The sum is the torque, (4.36)-(4.37): the work of lifting the
// super-object, plus friction. A push e at p topples at R = torque / (v_p.e), where v_p.e > 0. Errata of the
// source: topple_robustness.cpp.
#pragma once

#include <vector>

#include <prehend/stability/methods/super_object.h>

namespace prehend::stability {

struct ToppleAxis {
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m] a point on it
  Eigen::Vector3d a_W{Eigen::Vector3d::Zero()};  // unit; the object turns about +a
  double torque{0.0};                            // [N m] that resists
  bool is_normal{false};                         // the normal through the centre of friction
  // Some contact slides, or opens more slowly than it moves along its face (v_n < mu |v_t|): friction has a say there
  // that forces at rest do not tell, and the torque is an estimate, mostly too low.
  bool has_friction{false};
};

// The axes about which the object can turn; none when it is form-closed or touches nothing.
std::vector<ToppleAxis> topple_axes(const ContactSystem& system, const SuperObject& object);

// [N] The push along the unit vector e at p that turns the object about the axis; infinite when none does.
double topple_push(const ToppleAxis& axis, const Eigen::Vector3d& p_W, const Eigen::Vector3d& e_W);

}  // namespace prehend::stability
