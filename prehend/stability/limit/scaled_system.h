// The contact system in numbers near one: lengths in units of the system's size, forces in units of its weight.
//
// Motion z: per body (w L, v), angular first, v at the body's own reference point (its centre of mass): about one common
// point, the levers of a wide scene would drown the terms of a small body. Load: per body (m / (L W), f / W), m about the
// same point. At contact k the scaled relative velocity is s_k = T_b z_b - T_a z_a = [v_n, mu v_u, mu v_v], which the
// dual friction cone confines to the second-order cone s0 >= |(s1, s2)|; its partner f_k in the same cone is the force
// f0 n + mu (f1 u + f2 v) on b.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <prehend/stability/push.h>

namespace prehend::stability {

using Matrix36d = Eigen::Matrix<double, 3, 6>;

// Row of a joint in scaled units: its force is `offset` plus `side` times t, where t is at least 0 (one-sided), at most
// `radius` either way (bounded), or any number (bilateral). A row without any t is a constant.
struct ScaledRow {
  enum class Kind { bilateral, one_sided, bounded, constant };
  Kind kind{Kind::bilateral};
  std::vector<std::pair<int, math::Vector6d>>
      parts;  // body, and wrench of unit size about its reference point
  double offset{0.0}, side{1.0}, radius{0.0};
  double unit{1.0};  // [N m] or [N] of the joint's force per unit here
};

// Bodies connected by bilateral rows: the motions that these leave, and the forces behind a wrench that they carry.
struct JointedBodies {
  std::vector<int> bodies, rows;
  int first{0};           // column of the basis
  Eigen::MatrixXd basis;  // orthonormal, 6 per body x freedoms
  Eigen::MatrixXd forces_of_wrench;
};

struct ScaledSystem {
  int bodies{0};
  std::vector<int> a, b;                   // per contact: body, or -1 for the ground
  std::vector<Eigen::Vector3d> point;      // per contact, from the system's origin
  std::vector<Eigen::Matrix3d> rows;       // per contact: n, mu u, mu v
  std::vector<Eigen::Vector3d> reference;  // per body, from the system's origin
  Eigen::VectorXd g;                       // 6 per body: the weights, and the constant part of joint forces
  std::vector<ScaledRow> joint_rows;
  std::vector<JointedBodies> jointed;
  // Motions that bilateral rows leave are basis * y. Identity columns for bodies without; empty without any row.
  Eigen::SparseMatrix<double> basis;
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
  // Forces of the bilateral rows that balance a wrench on all bodies, written into `rows` (one per joint row).
  void balance_by_joints(const Eigen::VectorXd& wrench, Eigen::Ref<Eigen::VectorXd> row_forces) const;
  double row_rate(int row, const Eigen::VectorXd& motion) const;
  // What resists a motion per unit time: minus the power of g, plus friction and motors of joints. -g.z without joints.
  double resistance(const Eigen::VectorXd& motion) const;
};

ScaledSystem scale_system(const ContactSystem& system);

// Back to the caller's units; the largest entry of a motion becomes 1 m/s (1 m/s per system length for rotations).
std::vector<Eigen::Vector3d> forces_in_newton(const ContactSystem& system, const Eigen::VectorXd& forces);
// Of the joint rows, [N m] or [N]; the forces are 3 per contact, then one per joint row.
std::vector<double> joint_forces(const ScaledSystem& system, const Eigen::VectorXd& forces);
std::vector<math::Vector6d> motion_in_metres(const ContactSystem& system, const Eigen::VectorXd& motion);

}  // namespace prehend::stability
