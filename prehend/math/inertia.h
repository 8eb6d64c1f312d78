// Mass, centre of mass and rotational inertia of a rigid body, and whether such a body can exist.
//
// The ten parameters, in this order everywhere (files, covariances, regressors):
//   phi = [m, m c_x, m c_y, m c_z, I_xx, I_xy, I_xz, I_yy, I_yz, I_zz],  I about the frame's origin.
// The pseudo inertia J = sum of m_i [p_i; 1][p_i; 1]^T (4x4) is positive definite exactly for bodies of positive mass
// with spatial extent; it holds the mass, triangle and positivity conditions in one (Wensing 2018, Lee 2019).
#pragma once

#include <array>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>

namespace prehend::math {

using Vector10d = Eigen::Matrix<double, 10, 1>;
using Matrix10d = Eigen::Matrix<double, 10, 10>;

// A body B's inertia in a frame F of the user's choice (often B's own). A value type; not necessarily consistent,
// because estimators may return what the data say: ask consistency().
struct SpatialInertia {
  double mass{0.0};                                // [kg]
  Eigen::Vector3d com{Eigen::Vector3d::Zero()};    // [m] centre of mass in F
  Eigen::Matrix3d I_com{Eigen::Matrix3d::Zero()};  // [kg m^2] about the centre of mass, in F's axes

  // Uniform solids, centred at the origin of F, axes along F; sizes in metres, mass in kilograms.
  static SpatialInertia point_mass(double mass, const Eigen::Vector3d& position);
  static SpatialInertia solid_box(double mass, const Eigen::Vector3d& full_size);
  static SpatialInertia solid_sphere(double mass, double radius);
  static SpatialInertia solid_cylinder(double mass, double radius, double length);  // axis along z
  static SpatialInertia solid_capsule(double mass, double radius,
                                      double length);  // z; length without the caps
  static SpatialInertia solid_ellipsoid(double mass, const Eigen::Vector3d& radii);

  static SpatialInertia from_parameters(const Vector10d& phi);
  static SpatialInertia from_pseudo_inertia(const Eigen::Matrix4d& J);

  // About the point q of F (parallel-axis theorem): I_com + m [q-c]x^T [q-c]x.
  // Source N prints [p]x^2 in (2.27), which has the opposite sign.
  Eigen::Matrix3d inertia_about(const Eigen::Vector3d& point) const;
  Vector10d parameters() const;
  Eigen::Matrix4d pseudo_inertia() const;
  // 6x6 about F's origin, angular first: [H; p] = M [w; v].
  Matrix6d spatial_matrix() const;
  // The same body seen from frame A, where F has pose X_AF.
  SpatialInertia expressed_in(const Pose& X_AF) const;
  double kinetic_energy(const Vector6d& V_F) const;  // [J], twist of F's origin, angular first
};

// Both bodies, rigidly joined; same frame.
SpatialInertia operator+(const SpatialInertia& a, const SpatialInertia& b);

// What keeps a body from being physical. Empty `problems` means consistent.
struct ConsistencyReport {
  double mass{0.0};                                            // [kg]
  Eigen::Vector3d principal_moments{Eigen::Vector3d::Zero()};  // [kg m^2] ascending
  double smallest_pseudo_eigenvalue{0.0};                      // of J scaled by mass and length; see .cpp
  std::vector<std::string> problems;                           // one sentence each
  bool is_consistent() const { return problems.empty(); }
  std::string brief_report() const;
};

// `tolerance` is relative: how far below zero rounding may push an exact boundary case (a point, a rod, a plate,
// which are limits of bodies and pass).
ConsistencyReport check_consistency(const SpatialInertia& inertia, double tolerance = 1e-9);

}  // namespace prehend::math
