// Kinematics and dynamics of a robot on a planar base, in one pass over its tree and without allocation.
//
// Everything is expressed in the world's axes about the world's origin: a joint's motion is S = [axis; point x axis], spatial
// inertias add up without transformation, and M_ij = S_i . (I_j^c S_j) for i above j, with I^c the inertia of all that hangs
// on j. Freedoms: base x, y (world axes), yaw, then the joints. Checked against MuJoCo in test/robot_state_test.cpp.
#pragma once

#include <array>
#include <cstdint>

#include <Eigen/Core>

#include <prehend/assist/robot/robot_model.h>

namespace prehend::assist {

using Row = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, kMaxFreedoms>;
using PointJacobian = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMaxFreedoms>;

// Angular part first, linear part of the body's point at the world's origin.
struct SpatialVector {
  Eigen::Vector3d w{Eigen::Vector3d::Zero()}, v{Eigen::Vector3d::Zero()};
};

class RobotState {
 public:
  explicit RobotState(const RobotModel& robot);  // the robot must outlive the state

  // Poses and twists. `q` and `v`: base x, y, yaw, joints.
  void set(const Freedoms& q, const Freedoms& v);
  // Mass matrix, bias forces (gravity, centrifugal), total wrench rows; after set().
  void compute_dynamics();

  int freedoms() const { return freedoms_; }
  const RobotModel& robot() const { return *robot_; }
  const Freedoms& q() const { return q_; }
  const Freedoms& v() const { return v_; }
  const FreedomMatrix& mass_matrix() const { return mass_matrix_; }
  const Freedoms& bias() const { return bias_; }
  // Rates of the total momentum about the world's origin: rows * vdot + momentum_bias() (gravity included) is the wrench that the floor exerts.
  const Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxFreedoms>& momentum_rows() const {
    return momentum_rows_;
  }
  const SpatialVector& floor_bias() const { return floor_bias_; }

  const Eigen::Matrix3d& R(int segment) const { return R_[static_cast<std::size_t>(segment)]; }
  const Eigen::Vector3d& p(int segment) const { return p_[static_cast<std::size_t>(segment)]; }
  Eigen::Vector3d point(int segment, const Eigen::Vector3d& p_S) const {
    return p(segment) + R(segment) * p_S;
  }
  Eigen::Vector3d point_velocity(int segment, const Eigen::Vector3d& p_W) const;
  // Acceleration of the point when vdot is zero.
  Eigen::Vector3d point_bias(int segment, const Eigen::Vector3d& p_W) const;
  // d(velocity of the point)/dv; columns that do not move the segment are zero.
  void point_jacobian(int segment, const Eigen::Vector3d& p_W, PointJacobian& J) const;
  void angular_jacobian(int segment, PointJacobian& J) const;
  // n . (velocity of the point), as a row; added times `scale`.
  void add_point_row(int segment, const Eigen::Vector3d& p_W, const Eigen::Vector3d& n, double scale,
                     double* row) const;

  Eigen::Vector3d com() const;
  void com_jacobian(PointJacobian& J) const;
  Eigen::Vector3d com_bias() const;
  bool moves(int freedom, int segment) const {
    return ((ancestors_[static_cast<std::size_t>(segment)] >> freedom) & 1U) != 0;
  }

 private:
  struct Inertia {
    double m{0.0};
    Eigen::Vector3d h{Eigen::Vector3d::Zero()};  // m c
    Eigen::Matrix3d I{Eigen::Matrix3d::Zero()};  // about the origin
  };
  SpatialVector times(const Inertia& inertia, const SpatialVector& x) const;

  const RobotModel* robot_;
  int freedoms_, segments_;
  std::array<std::uint64_t, kMaxJoints + 1> ancestors_{};  // freedoms that move a segment
  Freedoms q_, v_, bias_;
  FreedomMatrix mass_matrix_;
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxFreedoms> momentum_rows_;
  SpatialVector floor_bias_;
  std::array<Eigen::Matrix3d, kMaxJoints + 1> R_, R_PC_;
  std::array<Eigen::Vector3d, kMaxJoints + 1> p_;
  std::array<SpatialVector, kMaxFreedoms> S_;
  std::array<SpatialVector, kMaxJoints + 1> V_, A_;
  std::array<Inertia, kMaxJoints + 1> own_, composite_;
  double mass_{0.0};
};

}  // namespace prehend::assist
