// Position, velocity and acceleration of the frame E at the end of a chain of joints, and their derivatives.
//
// One sweep from base to hand in body coordinates: with S the joint's constant motion in its child's frame,
//   V_i = Ad(X_i)^-1 V_{i-1} + S qd,    A_i = Ad(X_i)^-1 A_{i-1} + [V_i, S] qd + S qdd,
// A the spatial acceleration; the ordinary acceleration of E's origin is A_linear + w x v. The sweep back carries a
// gradient with respect to what E does to one with respect to q, qd and qdd, for the price of about two sweeps (reverse
// accumulation, by hand). No allocation after the first sweep of a chain.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/spatial.h>
#include <prehend/model/joint_chain.h>

namespace prehend::model {

// Everything in E's own axes, about E's origin.
struct FrameMotion {
  Eigen::Vector3d w{Eigen::Vector3d::Zero()};   // [rad/s]
  Eigen::Vector3d v{Eigen::Vector3d::Zero()};   // [m/s]
  Eigen::Vector3d al{Eigen::Vector3d::Zero()};  // [rad/s^2]
  Eigen::Vector3d a{Eigen::Vector3d::Zero()};   // [m/s^2] ordinary, plus the base's own
};

// Derivatives of a number with respect to a FrameMotion, and to a small displacement of E (in E's axes).
struct FrameGradient {
  FrameMotion motion{};
  Eigen::Vector3d turn{Eigen::Vector3d::Zero()};   // per radian
  Eigen::Vector3d shift{Eigen::Vector3d::Zero()};  // per metre
};

class ChainSweep {
 public:
  using Values = Eigen::Ref<const Eigen::VectorXd>;
  using Sums = Eigen::Ref<Eigen::VectorXd>;

  // The chain must outlive the sweep. `base_acceleration_W` is that of the world itself: pass -gravity to get what an
  // accelerometer reads (acceleration less gravity), zero for plain kinematics. [m/s^2]
  explicit ChainSweep(const JointChain& chain,
                      const Eigen::Vector3d& base_acceleration_W = Eigen::Vector3d::Zero());

  // Lengths are chain.size(). [rad or m, per s, per s^2]
  const FrameMotion& forward(const Values& q, const Values& qd, const Values& qdd);
  const FrameMotion& motion() const { return motion_; }
  math::Pose X_WE() const;
  // Pose of the child body of joint i, as of the last sweep.
  math::Pose X_WC(int i) const;

  // Adds the gradient with respect to q, qd, qdd of the last sweep.
  void backward(const FrameGradient& gradient, Sums q_sum, Sums qd_sum, Sums qdd_sum) const;

 private:
  struct Spatial {
    Eigen::Vector3d w, v;
  };
  struct Step {
    Eigen::Matrix3d R0;      // of X_PC
    Eigen::Vector3d p0;      // [m]
    Eigen::Vector3d Sw, Sv;  // motion
    Eigen::Matrix3d K, KK;   // of a turn
    Eigen::Matrix3d R;       // child in parent, now
    Eigen::Vector3d p;       // [m]
    double qd{0.0};
    Spatial V_in, A_in, V, A;  // the parent's, seen from the child; and the child's
  };
  static Spatial into(const Eigen::Matrix3d& R, const Eigen::Vector3d& p, const Spatial& x);
  static Spatial back(const Eigen::Matrix3d& R, const Eigen::Vector3d& p, const Spatial& x);

  const JointChain* chain_;
  Eigen::Vector3d base_acceleration_W_;
  std::vector<Step> steps_;
  Eigen::Matrix3d R_JE_;
  Eigen::Vector3d p_JE_;
  FrameMotion motion_;
};

}  // namespace prehend::model
