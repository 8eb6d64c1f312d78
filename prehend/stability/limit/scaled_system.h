// The contact system in numbers near one: lengths in units of the system's size, forces in units of its weight.
//
// Motion z: per body (w L, v), angular first, v at the body's own reference point (its centre of mass): about one common
// point, the levers of a wide scene would drown the terms of a small body. Load: per body (m / (L W), f / W), m about the
// same point. At contact k the scaled relative velocity is s_k = T_b z_b - T_a z_a = [v_n, mu v_u, mu v_v], which the
// dual friction cone confines to the second-order cone s0 >= |(s1, s2)|; its partner f_k in the same cone is the force
// f0 n + mu (f1 u + f2 v) on b.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/stability/push.h>

namespace prehend::stability {

using Matrix36d = Eigen::Matrix<double, 3, 6>;

struct ScaledSystem {
  int bodies{0};
  std::vector<int> a, b;                   // per contact: body, or -1 for the ground
  std::vector<Eigen::Vector3d> point;      // per contact, from the system's origin
  std::vector<Eigen::Matrix3d> rows;       // per contact: n, mu u, mu v
  std::vector<Eigen::Vector3d> reference;  // per body, from the system's origin
  Eigen::VectorXd g;                       // 6 per body: the weights
  double length{1.0}, weight{1.0};

  int contacts() const { return static_cast<int>(point.size()); }
  int unknowns() const { return 6 * bodies; }
  // T of contact k for twists about a point.
  Matrix36d T(int k, const Eigen::Vector3d& about) const;
  // About the reference points of its two bodies; zero for the ground.
  std::vector<Matrix36d> T_a, T_b;

  Eigen::VectorXd load(const Load& load) const;                     // scaled, 6 per body
  Eigen::VectorXd velocities(const Eigen::VectorXd& motion) const;  // S z, 3 per contact
  Eigen::VectorXd wrenches(const Eigen::VectorXd& forces) const;    // S' f, 6 per body
};

ScaledSystem scale_system(const ContactSystem& system);

// Back to the caller's units; the largest entry of a motion becomes 1 m/s (1 m/s per system length for rotations).
std::vector<Eigen::Vector3d> forces_in_newton(const ContactSystem& system, const Eigen::VectorXd& forces);
std::vector<math::Vector6d> motion_in_metres(const ContactSystem& system, const Eigen::VectorXd& motion);

}  // namespace prehend::stability
